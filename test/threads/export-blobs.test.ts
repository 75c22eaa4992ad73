// Tests that export and import together change nothing: every row and every blob of the thread exists afterwards,
// whatever refers to it.
import { expect, test } from "vitest";
import { z } from "zod";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { fail } from "../../src/schema/problem.ts";
import { threadId } from "../../src/testing/thread-store/fixtures.ts";
import { exportThread } from "../../src/threads/export-thread.ts";
import { forkAtVersion, forkThread } from "../../src/threads/fork.ts";
import { importThread } from "../../src/threads/import-thread.ts";
import { builtinTools } from "../../src/toolkits/all.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { callTool } from "../support/decisions.ts";
import { virtualOperations } from "../support/run-builtin.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";
import { createWriteTool } from "../support/tools.ts";

const dump = defineTool(
  { name: "dump", description: "A long text.", max_output_chars: 60_000, input: z.object({}), output: z.string() },
  () => "line of text\n".repeat(4_000),
);
const items = Array.from({ length: 30 }, (_, n) => ({
  id: String(n),
  content: `item ${n} ${"x".repeat(150)}`,
  status: "pending",
}));
const SCRIPT = [
  callTool("dump", {}),
  callTool("todo", { items }),
  callTool("write_file", { path: "a.txt", content: "first" }),
  callTool("write_file", { path: "b/c.txt", content: "second" }),
  callTool("write", { line: "y".repeat(20_000) }),
];

const fetcher = { fetch: async () => fail("tool_refused", "There is no network.") };

/**
 * Creates a thread with one of each kind of blob: a prompt, an output, a to-do list, files and their index, and
 * arguments of a call.
 */
async function threadWithBlobs() {
  const data = createMemoryData();
  const tools = [...builtinTools({ operations: virtualOperations, fetcher }), dump, createWriteTool([])];
  const config = { ...DEFAULT_CONFIG, parts: ["files"] };
  const rt = createTestRuntime(SCRIPT, tools, { config, store: createMemoryStore(data) });
  const auto_approve = ["write_file", "todo"];
  const { at, turn } = await createTestThread(rt, { goal: "Fill the store", mode: "direct", auto_approve });
  for (const { tool_call } of SCRIPT) {
    const { outcome } = unwrap(await turn());
    expect(outcome.thread.state, tool_call.name).toBe(tool_call.name === "write" ? "confirm" : "execute");
  }
  return { rt, at, data, own: `${at.tenant}/${at.thread}` };
}

test("an imported thread has all rows and all blobs of the exported one", async () => {
  const { rt, at, data, own } = await threadWithBlobs();
  const names = new Set(JSON.stringify(data.records.get(own)).match(/[a-z_]+(?=\\":\\"[0-9a-f]{64}\\")/g));
  for (const name of ["prompt_hash", "blob", "todo_blob", "files_blob", "arguments_blob"])
    expect(names).toContain(name);
  const imported = createMemoryData();
  const file = unwrap(await exportThread(rt, at));
  unwrap(await importThread({ ...rt, store: createMemoryStore(imported) }, LOCAL_TENANT, file));
  expect(imported.records.get(own)).toEqual(data.records.get(own));
  expect(imported.blobs.get(own)).toEqual(data.blobs.get(own));
});

test("a fork has all blobs of its origin", async () => {
  const { rt, at, data, own } = await threadWithBlobs();
  const { thread } = unwrap(await forkThread(rt, at, SCRIPT.length));
  expect(data.blobs.get(`${at.tenant}/${thread.id}`)).toEqual(data.blobs.get(own));
});

/** Returns a store in which a fork copies the rows of its origin. */
const withoutFork = ({ fork: _, ...store }: ThreadStore): ThreadStore => store;

test("a fork that copies its rows has all of them, and the blobs that they name", async () => {
  const { rt, at, data, own } = await threadWithBlobs();
  const turn = SCRIPT.length;
  const { thread } = unwrap(await forkThread({ ...rt, store: withoutFork(rt.store) }, at, turn));
  const copied = `${at.tenant}/${thread.id}`;
  expect(data.records.get(copied)?.slice(0, -1)).toEqual(data.records.get(own)?.slice(0, -1));
  expect(data.blobs.get(copied)).toEqual(data.blobs.get(own));
});

test("a copy that an earlier release began is completed", async () => {
  const { rt, at, data, own } = await threadWithBlobs();
  const { createFromSnapshot: _, ...rows } = withoutFork(rt.store);
  const append: ThreadStore["append"] = async (to, row, also) =>
    row.version > 2 ? fail("store_unavailable", "Not now.") : rows.append(to, row, also);
  const to = { ...at, thread: threadId(7) };
  const interrupted = { ...rt, store: { ...rows, append } };
  expect(problemCode(await forkAtVersion(interrupted, at, 4, to))).toBe("store_unavailable");
  const copied = `${at.tenant}/${to.thread}`;
  expect(data.records.get(copied)).toHaveLength(3);
  unwrap(await forkAtVersion(rt, at, 4, to));
  unwrap(await forkAtVersion(rt, at, 4, to));
  expect(data.records.get(copied)?.slice(0, 4)).toEqual(data.records.get(own)?.slice(0, 4));
  expect(data.records.get(copied)).toHaveLength(5);
});

test("a fork of a thread that is removed meanwhile fails, and leaves no thread without its blobs", async () => {
  for (const copies of [false, true]) {
    const { rt, at, data } = await threadWithBlobs();
    const threads = data.records.size;
    const store = copies ? withoutFork(rt.store) : rt.store;
    const forkedLast: NonNullable<ThreadStore["fork"]> = async (...fork) => {
      await rt.store.remove(at);
      return unwrapped(rt.store.fork)(...fork);
    };
    const removedFirst: ThreadStore = {
      ...store,
      getBlob: async (...[from, hash]) => {
        await rt.store.remove(at);
        return rt.store.getBlob(from, hash);
      },
      ...(!copies && { fork: forkedLast }),
    };
    const forked = await forkThread({ ...rt, store: removedFirst }, at, 2);
    expect(forked).toMatchObject({ ok: false, problem: { code: "thread_not_found" } });
    expect(data.records.size).toBeLessThan(threads);
  }
});

function unwrapped<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the store shares the rows of forks");
  return value;
}
