// The tools of a function. Its files are kept in the thread, since no disk of it lasts; and it runs no commands, so that
// neither a shell nor what judges shell commands is uploaded.
import { createVirtualOperations } from "../../adapters/operations-virtual/virtual-operations.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import { askUserQuestion, clarify } from "../../toolkits/basics/clarify.ts";
import { escalate } from "../../toolkits/basics/escalate.ts";
import { recall } from "../../toolkits/basics/recall.ts";
import { time } from "../../toolkits/basics/time.ts";
import { todo } from "../../toolkits/basics/todo.ts";
import { edit } from "../../toolkits/files/edit.ts";
import { findFiles } from "../../toolkits/files/find-files.ts";
import { grep } from "../../toolkits/files/grep.ts";
import { listDir } from "../../toolkits/files/list-dir.ts";
import { patch } from "../../toolkits/files/patch-file.ts";
import { readFile } from "../../toolkits/files/read-file.ts";
import type { OperationsFor } from "../../toolkits/files/workspace.ts";
import { writeFile } from "../../toolkits/files/write-file.ts";
import { fetchUrl } from "../../toolkits/web/fetch-url.ts";
import type { Tool } from "../../tools/define-tool.ts";
import { lazySearch as search } from "../shared/lazy-adapters.ts";

const operations: OperationsFor = ({ own }) => createVirtualOperations({ store: own.files, search });
const FILE_TOOLS = [readFile, writeFile, listDir, findFiles, grep, edit, patch];

export const LAMBDA_PARTS: readonly string[] = ["files", "fetch"];

export const lambdaTools = (fetcher: Fetcher): readonly Tool[] => [
  ...FILE_TOOLS.map((make) => make(operations)),
  fetchUrl(fetcher),
  todo,
  clarify,
  askUserQuestion,
  escalate,
  recall,
  time,
];
