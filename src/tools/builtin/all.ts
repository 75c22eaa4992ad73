// All built-in tools together. What they work on is given; what they are is the same everywhere.
import type { Fetcher } from "../../ports/fetcher.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { fail } from "../../schema/problem.ts";
import type { Tool } from "../define-tool.ts";
import { bash } from "./bash.ts";
import { askUserQuestion, clarify } from "./clarify.ts";
import { edit } from "./edit.ts";
import { escalate } from "./escalate.ts";
import { fetchUrl } from "./fetch-url.ts";
import { findFiles } from "./find-files.ts";
import { grep } from "./grep.ts";
import { listDir } from "./list-dir.ts";
import { patch } from "./patch.ts";
import { readFile } from "./read-file.ts";
import { recall } from "./recall.ts";
import { time } from "./time.ts";
import { todo } from "./todo.ts";
import type { OperationsFor } from "./workspace.ts";
import { writeFile } from "./write-file.ts";

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
