// The tools of a worker. Files are kept in the thread, since there is no disk, and it runs no commands.
import { createVirtualOperations } from "../../adapters/operations-virtual/virtual-operations.ts";
import { createLinearSearch } from "../../adapters/search-linear/linear-search.ts";
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

const FILE_TOOLS = [readFile, writeFile, listDir, findFiles, grep, edit, patch];

export const CLOUDFLARE_PARTS: readonly string[] = ["files", "fetch"];

export function cloudflareTools(fetcher: Fetcher): readonly Tool[] {
  const search = createLinearSearch();
  const operations: OperationsFor = ({ own }) => createVirtualOperations({ store: own.files, search });
  const files = FILE_TOOLS.map((make) => make(operations));
  return [...files, fetchUrl(fetcher), todo, clarify, askUserQuestion, escalate, recall, time];
}
