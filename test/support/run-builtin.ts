// Runs one tool as the runtime does, on virtual files in memory, and returns what the model would read.
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createVirtualOperations } from "../../src/adapters/operations-virtual/virtual-operations.ts";
import { createLinearSearch } from "../../src/adapters/search-linear/linear-search.ts";
import type { Operations } from "../../src/ports/operations.ts";
import type { VirtualFiles } from "../../src/ports/virtual-files.ts";
import type { OperationsFor } from "../../src/toolkits/files/workspace.ts";
import type { Tool, ToolContext } from "../../src/tools/define-tool.ts";
import { pieceFilter } from "../../src/tools/hooks.ts";
import { runTool, type ToolRun } from "../../src/tools/run-tool.ts";
import { createTestClock } from "./runtime.ts";
import { aContext, emptyOwnThread, memoryFiles } from "./tool-context.ts";

const search = createLinearSearch();
const operationsByFiles = new WeakMap<VirtualFiles, Operations>();

/** Returns one instance per set of files, as a host has one per folder. Writes are queued within an instance. */
export const virtualOperations: OperationsFor = ({ own }) => {
  const operations = operationsByFiles.get(own.files) ?? createVirtualOperations({ store: own.files, search });
  operationsByFiles.set(own.files, operations);
  return operations;
};

export const contextWith = (files: Map<string, Uint8Array>, over: Partial<ToolContext> = {}): ToolContext =>
  aContext({ own: { ...emptyOwnThread(), files: memoryFiles(files) }, ...over });

export const filesOf = (texts: Readonly<Record<string, string>>): Map<string, Uint8Array> =>
  new Map(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]));

export const readText = (files: Map<string, Uint8Array>, path: string): string | null => {
  const bytes = files.get(path);
  return bytes ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : null;
};

export async function runBuiltin(tool: Tool, args: unknown, context: ToolContext = aContext()): Promise<ToolRun> {
  const input = tool.input.safeParse(args);
  if (!input.success) throw new Error(`invalid arguments: ${input.error.message}`);
  return runTool(tool, input.data, context, {
    clock: createTestClock(),
    hash: nodeHash,
    filter: pieceFilter([], tool.manifest.name),
    onPiece: () => undefined,
  });
}
