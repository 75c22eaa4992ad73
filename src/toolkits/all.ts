// All built-in tools together. What they work on is given; what they are is the same everywhere.
import type { Fetcher } from "../ports/fetcher.ts";
import type { Manifest } from "../schema/manifest.ts";
import { fail } from "../schema/problem.ts";
import type { Tool } from "../tools/define-tool.ts";
import { askUserQuestion, clarify } from "./basics/clarify.ts";
import { escalate } from "./basics/escalate.ts";
import { recall } from "./basics/recall.ts";
import { time } from "./basics/time.ts";
import { todo } from "./basics/todo.ts";
import { edit } from "./files/edit.ts";
import { findFiles } from "./files/find-files.ts";
import { grep } from "./files/grep.ts";
import { listDir } from "./files/list-dir.ts";
import { patch } from "./files/patch-file.ts";
import { readFile } from "./files/read-file.ts";
import type { OperationsFor } from "./files/workspace.ts";
import { writeFile } from "./files/write-file.ts";
import { bash } from "./shell/bash.ts";
import { fetchUrl } from "./web/fetch-url.ts";

/** Tools on files and the shell, wherever the files are. */
export const fileTools = (operations: OperationsFor): readonly Tool[] =>
  [readFile, writeFile, listDir, findFiles, grep, edit, patch, bash].map((make) => make(operations));

export type BuiltinParts = { readonly operations: OperationsFor; readonly fetcher: Fetcher };

export const builtinTools = ({ operations, fetcher }: BuiltinParts): readonly Tool[] => [
  ...fileTools(operations),
  fetchUrl(fetcher),
  todo,
  clarify,
  askUserQuestion,
  escalate,
  recall,
  time,
];

/** For whoever only wants to know what there is: documents, lists, checks. */
export const builtinManifests = (): readonly Manifest[] =>
  builtinTools({
    operations: () => {
      throw new Error("there are only manifests here");
    },
    fetcher: { fetch: async () => fail("fetch_failed", "There are only manifests here.") },
  }).map((tool) => tool.manifest);
