// The tools of a worker. Files are kept in the thread, since there is no disk, and it runs no commands.
import { createVirtualOperations } from "../../adapters/operations-virtual/virtual-operations.ts";
import { createLinearSearch } from "../../adapters/search-linear/linear-search.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import { askUserQuestion, clarify } from "../../tools/builtin/clarify.ts";
import { edit } from "../../tools/builtin/edit.ts";
import { escalate } from "../../tools/builtin/escalate.ts";
import { fetchUrl } from "../../tools/builtin/fetch-url.ts";
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

export const WORKER_PARTS: readonly string[] = ["files", "fetch"];

export function workerTools(fetcher: Fetcher): readonly Tool[] {
  const search = createLinearSearch();
  const operations: OperationsFor = ({ own }) => createVirtualOperations({ store: own.files, search });
  const files = FILE_TOOLS.map((make) => make(operations));
  return [...files, fetchUrl(fetcher), todo, clarify, askUserQuestion, escalate, recall, time];
}
