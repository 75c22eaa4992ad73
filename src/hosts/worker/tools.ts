// The tools of a worker. Files are kept in the thread, since there is no disk; it runs no commands, and fetches nothing,
// because the guard of addresses needs a way to the network that the platform does not give.
import { createVirtualOperations } from "../../adapters/operations-virtual/virtual-operations.ts";
import { createLinearSearch } from "../../adapters/search-linear/linear-search.ts";
import { askUserQuestion, clarify } from "../../tools/builtin/clarify.ts";
import { edit } from "../../tools/builtin/edit.ts";
import { escalate } from "../../tools/builtin/escalate.ts";
import { findFiles } from "../../tools/builtin/find-files.ts";
import { grep } from "../../tools/builtin/grep.ts";
import { listDir } from "../../tools/builtin/list-dir.ts";
import { patch } from "../../tools/builtin/patch.ts";
import { readFile } from "../../tools/builtin/read-file.ts";
import { recall } from "../../tools/builtin/recall.ts";
import { time } from "../../tools/builtin/time.ts";
import { todo } from "../../tools/builtin/todo.ts";
import type { OperationsFor } from "../../tools/builtin/workspace.ts";
import { writeFile } from "../../tools/builtin/write-file.ts";
import type { Tool } from "../../tools/define-tool.ts";

const FILE_TOOLS = [readFile, writeFile, listDir, findFiles, grep, edit, patch];

export const WORKER_PARTS: readonly string[] = ["files"];

export function workerTools(): readonly Tool[] {
  const search = createLinearSearch();
  const operations: OperationsFor = ({ own }) => createVirtualOperations({ store: own.files, search });
  return [...FILE_TOOLS.map((make) => make(operations)), todo, clarify, askUserQuestion, escalate, recall, time];
}
