import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { TodoItem } from "../../../src/schema/thread.ts";
import { forkThread } from "../../../src/threads/fork.ts";
import { fileTools } from "../../../src/toolkits/all.ts";
import { recall } from "../../../src/toolkits/basics/recall.ts";
import { todo } from "../../../src/toolkits/basics/todo.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { TODO_STATE_BYTES } from "../../../src/turn/act/thread-todo.ts";
import { loadThread } from "../../../src/turn/load.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { virtualOperations } from "../../support/run-builtin.ts";
import {
  attachTestThread,
  createTestRuntime,
  createTestThread,
  problemCode,
  type TestThread,
  unwrap,
} from "../../support/runtime.ts";

const calling = (name: string, args: Record<string, unknown>) => ({
  action: "continue",
  speak: "On it.",
  tool_call: { name, arguments: args },
});
const PARTS = { config: { ...DEFAULT_CONFIG, parts: ["files"] } };
const page = defineTool(
  { name: "page", description: "x", input: z.object({ n: z.number() }), output_trust: "untrusted" },
  ({ n }) => (n > 1 ? `long ${"text ".repeat(10_000)}` : "short text from outside"),
);
const look = defineTool({ name: "look", description: "x", input: z.object({}) }, () => "seen here");

const observed = async (thread: TestThread): Promise<string> =>
  unwrap(await thread.turn()).outcome.turn?.observation?.text ?? "";

describe("the todo list of a thread", () => {
  test("is written in one call, read in a later one, and shown in the prompt until it is done", async () => {
    const items = [
      { content: "Read the notes", status: "in_progress" },
      { content: "Write them up" },
      { content: "Old", status: "completed" },
    ];
    const script = [
      calling("todo", { items }),
      calling("todo", {}),
      calling("todo", { items: [] }),
      { action: "abort", abort: { user_message: "x" } },
    ];
    const rt = createTestRuntime(script, [todo]);
    const thread = await createTestThread(rt, { goal: "Notes", mode: "direct" });
    const written = unwrap(await thread.turn());
    expect(written.outcome.thread.todo).toHaveLength(3);
    expect(await observed(attachTestThread(rt, thread.at.thread))).toContain("2 pending: Write them up");
    const prompt = rt.model.requests.at(-1)?.messages[3]?.content ?? "";
    expect(prompt).toContain("Open items of your list:\n- 1 in_progress: Read the notes\n- 2 pending: Write them up");
    expect(prompt).not.toContain("Old");
    await observed(thread);
    unwrap(await thread.turn());
    expect(rt.model.requests.at(-1)?.messages[3]?.content).not.toContain("Open items");
  });

  test("never shows another thread's items", async () => {
    const rt = createTestRuntime([calling("todo", { items: [{ content: "Mine" }] }), calling("todo", {})], [todo]);
    const [one, other] = [
      await createTestThread(rt, { goal: "a", mode: "direct" }),
      await createTestThread(rt, { goal: "b", mode: "direct" }),
    ];
    await observed(one);
    expect(await observed(other)).toBe("The list is empty.");
  });

  test("keeps short forms of open items in the state and the complete list in a blob if it is long", async () => {
    const items = Array.from({ length: 256 }, (_, n) => ({
      content: `item ${n} ${"x".repeat(300)}`,
      status: n === 200 ? "in_progress" : n % 2 ? "completed" : "pending",
    }));
    const rt = createTestRuntime([calling("todo", { items }), calling("todo", {})], [todo]);
    const thread = await createTestThread(rt, { goal: "a", mode: "direct" });
    unwrap(await thread.turn());
    const { state } = unwrap(await loadThread(rt, thread.at));
    expect(new TextEncoder().encode(JSON.stringify(state.todo)).length).toBeLessThanOrEqual(TODO_STATE_BYTES);
    expect(state.todo.every((item: TodoItem) => item.status !== "completed")).toBe(true);
    expect(state.todo.some((item: TodoItem) => item.status === "in_progress")).toBe(true);
    expect(JSON.parse(unwrap(await rt.store.getBlob(thread.at, state.todo_blob ?? "")))).toHaveLength(256);
    const read = unwrap(await thread.turn());
    expect(read.outcome.turn?.observation?.text).toContain("256 items: 127 pending, 1 in_progress, 128 completed");
    expect(rt.model.requests.at(-1)?.messages[3]?.content).toContain("(the list has more than this)");
  });

  test("is unchanged after a refused change, whose receipt proves nothing", async () => {
    const two = [
      { content: "a", status: "in_progress" },
      { content: "b", status: "in_progress" },
    ];
    const rt = createTestRuntime(
      [calling("todo", { items: [{ content: "a" }] }), calling("todo", { items: two })],
      [todo],
    );
    const thread = await createTestThread(rt, { goal: "a", mode: "direct" });
    unwrap(await thread.turn());
    const refused = unwrap(await thread.turn());
    expect(refused.outcome.turn?.receipts).toMatchObject([{ success: false }]);
    expect(refused.outcome.thread.todo).toEqual([{ id: "1", content: "a", status: "pending" }]);
    expect(refused.outcome.thread.proofs).toEqual([]);
  });
});

describe("files stored in the thread", () => {
  const write = (path: string, content: string) => calling("write_file", { path, content });
  const tools = fileTools(virtualOperations);
  const auto = { goal: "Files", mode: "direct" as const, auto_approve: ["write_file", "edit", "patch"] };

  test("are visible to later calls and not in other threads", async () => {
    const script = [
      write("a/b.txt", "one\n"),
      calling("read_file", { path: "a/b.txt" }),
      calling("read_file", { path: "a/b.txt" }),
    ];
    const rt = createTestRuntime(script, tools, PARTS);
    const thread = await createTestThread(rt, auto);
    const written = unwrap(await thread.turn());
    expect(written.outcome.turn?.receipts).toMatchObject([
      { kind: "intended" },
      { kind: "settled", success: true, actor: "policy" },
    ]);
    expect(await observed(attachTestThread(rt, thread.at.thread))).toContain("one\n");
    expect(await observed(await createTestThread(rt, auto))).toContain("does not exist");
  });

  test("are copied to a fork as they were at that turn", async () => {
    const script = [
      write("a.txt", "one"),
      write("a.txt", "two"),
      calling("read_file", { path: "a.txt" }),
      calling("read_file", { path: "a.txt" }),
    ];
    const rt = createTestRuntime(script, tools, PARTS);
    const thread = await createTestThread(rt, auto);
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    const forked = attachTestThread(rt, unwrap(await forkThread(rt, thread.at, 1)).thread.id);
    expect(await observed(forked)).toContain("one");
    expect(await observed(thread)).toContain("two");
  });

  test("keep binary content unchanged", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    const store = defineTool({ name: "store", description: "x", input: z.object({}) }, async (_input, { own }) => {
      await own.files.put("a.bin", bytes);
      return "ok";
    });
    let got: Uint8Array | null = null;
    const get = defineTool({ name: "get", description: "x", input: z.object({}) }, async (_input, { own }) => {
      const held = await own.files.get("a.bin");
      got = held.ok ? held.value : null;
      return "ok";
    });
    const rt = createTestRuntime([calling("store", {}), calling("get", {})], [store, get]);
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    expect(got).toEqual(bytes);
  });

  test("are discarded if the call fails, and refused if they are too large", async () => {
    const half = defineTool({ name: "half", description: "x", input: z.object({}) }, async (_input, { own }) => {
      await own.files.put("a.txt", new TextEncoder().encode("half"));
      throw new Error("stopped");
    });
    const large = defineTool({ name: "large", description: "x", input: z.object({}) }, async (_input, { own }) => {
      const put = await own.files.put("b.txt", new Uint8Array(4_194_305));
      return put.ok ? "ok" : put.problem.code;
    });
    const rt = createTestRuntime([calling("half", {}), calling("large", {})], [half, large]);
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    unwrap(await thread.turn());
    expect(await observed(thread)).toBe("file_too_large");
    expect(unwrap(await loadThread(rt, thread.at)).state.files_blob).toBeNull();
  });

  test("can be deleted, the last one together with the index", async () => {
    const act = defineTool(
      { name: "act", description: "x", input: z.object({ keep: z.boolean() }) },
      async ({ keep }, { own }) => {
        if (keep) await own.files.put("a.txt", new TextEncoder().encode("x"));
        else await own.files.delete("a.txt");
        const listed = await own.files.list();
        return listed.ok ? `${listed.value.length} files` : "failed";
      },
    );
    const rt = createTestRuntime([calling("act", { keep: true }), calling("act", { keep: false })], [act]);
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    expect(await observed(thread)).toBe("1 files");
    expect(unwrap(await loadThread(rt, thread.at)).state.files_blob).not.toBeNull();
    expect(await observed(thread)).toBe("0 files");
    expect(unwrap(await loadThread(rt, thread.at)).state.files_blob).toBeNull();
  });
});

describe("recalling an observation", () => {
  const recalling = (receipt_id: string, more = {}) => calling("recall", { receipt_id, ...more });

  test("returns it completely and in pages, keeps its taint, and proves nothing", async () => {
    let receipt = "";
    const script = [calling("page", { n: 2 }), () => recalling(receipt, { page: 2 })];
    const rt = createTestRuntime(script, [page, recall]);
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    const first = unwrap(await thread.turn());
    receipt = first.outcome.turn?.receipts[0]?.id ?? "";
    expect(first.outcome.turn?.observation?.blob).not.toBeNull();
    const again = unwrap(await thread.turn());
    expect(again.outcome.turn?.observation?.text).toMatch(
      /^page in turn 1, lines 1–1 of 1, page 2 of 7; go on with page 3\n[\s\S]*text/,
    );
    expect(again.outcome.turn?.receipts).toMatchObject([{ name: "recall", success: true, output_trust: "untrusted" }]);
    expect(again.outcome.thread.proofs.map((proof) => proof.receipt_id)).toEqual([receipt]);
  });

  test("keeps trusted text trusted and taints nothing", async () => {
    let receipt = "";
    const rt = createTestRuntime([calling("look", {}), () => recalling(receipt)], [look, recall]);
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    receipt = unwrap(await thread.turn()).outcome.turn?.receipts[0]?.id ?? "";
    const again = unwrap(await thread.turn());
    expect(again.outcome.turn?.observation?.text).toContain("seen here");
    expect(again.outcome.thread.tainted).toBe(false);
  });

  test("finds one that left the prompt long ago, but none of another thread", async () => {
    let receipt = "";
    function* script() {
      yield calling("page", { n: 1 });
      for (let n = 0; n < 130; n += 1) yield { ...calling("look", {}), speak: `look ${n}` };
      yield () => recalling(receipt);
      yield () => recalling(receipt);
    }
    const often = { ...look, manifest: { ...look.manifest, proves: false } };
    const budget = { turns: 1_000, tokens: null, usd: null, seconds: null };
    const rt = createTestRuntime(script(), [page, often, recall], { config: { ...DEFAULT_CONFIG, budget } });
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    receipt = unwrap(await thread.turn()).outcome.turn?.receipts[0]?.id ?? "";
    for (let n = 0; n < 130; n += 1) unwrap(await thread.turn());
    expect(rt.model.requests.at(-1)?.messages[2]?.content).not.toContain("short text from outside");
    expect(await observed(thread)).toContain("short text from outside");
    const other = await createTestThread(rt, { goal: "y", mode: "direct" });
    expect(await observed(other)).toContain("This thread has no observation with the receipt");
  });

  test("refuses an invalid receipt id before searching", async () => {
    const rt = createTestRuntime([calling("recall", { receipt_id: "%" })], [recall]);
    const thread = await createTestThread(rt, { goal: "x", mode: "direct" });
    expect(await observed(thread)).toContain("receipt_id: must be a receipt id");
    expect(problemCode(await rt.store.getBlob(thread.at, "none"))).toBe("blob_not_found");
  });
});
