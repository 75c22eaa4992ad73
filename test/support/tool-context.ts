// Provides the context of a tool handler for unit tests: an empty thread.
import type { VirtualFiles } from "../../src/ports/virtual-files.ts";
import { fail, ok } from "../../src/schema/problem.ts";
import type { ToolContext } from "../../src/tools/define-tool.ts";
import type { OwnThread } from "../../src/tools/own-thread.ts";

export function memoryFiles(files = new Map<string, Uint8Array>()): VirtualFiles {
  return {
    get: async (path) => ok(files.get(path) ?? null),
    put: async (path, bytes) => ok(void files.set(path, bytes)),
    delete: async (path) => ok(void files.delete(path)),
    list: async () => ok([...files].map(([path, bytes]) => ({ path, size: bytes.length }))),
  };
}

export const emptyOwnThread = (): OwnThread => ({
  recall: async () => fail("tool_refused", "nothing to recall"),
  todo: async () => ok([]),
  files: memoryFiles(),
});

export const aContext = (over: Partial<ToolContext> = {}): ToolContext => ({
  tenant: "local",
  thread: "thr_00000000000000000000000001",
  agent: "default",
  metadata: {},
  run: 1,
  turn: 1,
  operation_id: "opr_00000000000000000000000001",
  idempotency_key: null,
  signal: new AbortController().signal,
  now: () => 0,
  progress: () => undefined,
  own: emptyOwnThread(),
  ...over,
});
