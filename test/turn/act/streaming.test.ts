import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ProcessOperations } from "../../../src/ports/operations.ts";
import type { LiveEvent } from "../../../src/schema/event.ts";
import type { OperationId } from "../../../src/schema/ids.ts";
import { fail, ok } from "../../../src/schema/problem.ts";
import { bash } from "../../../src/toolkits/shell/bash.ts";
import { type Chunk, defineTool, type Tool } from "../../../src/tools/define-tool.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { createMemoryOperationLog } from "../../support/memory-operation-log.ts";
import { virtualOperations } from "../../support/run-builtin.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

const calling = (name: string) => ({ action: "continue", speak: "On it.", tool_call: { name, arguments: {} } });
const streaming = (chunks: readonly Chunk[], over: Record<string, unknown> = {}): Tool =>
  defineTool(
    { name: "drip", description: "Drips.", input: z.object({}), streaming: true, ...over },
    async function* () {
      for (const chunk of chunks) yield chunk;
    },
  );
type Progress = Extract<LiveEvent, { type: "tool.progress" }>;
const progressEvents = (events: readonly LiveEvent[]): Progress[] =>
  events.filter((event) => event.type === "tool.progress");

async function play(tool: Tool, over: Parameters<typeof createTestRuntime>[2] = {}) {
  const log = createMemoryOperationLog();
  const rt = createTestRuntime([calling(tool.manifest.name)], [tool], { operation_log: log, ...over });
  const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
  const turned = unwrap(await thread.turn());
  const entry = turned.records.at(-1)?.entry;
  if (!entry) throw new Error("no record");
  const read = (after = -1, limit = 100) => log.read(thread.at, entry.operation?.id as OperationId, { after, limit });
  return { rt, thread, turned, entry, log, read };
}

describe("a streaming call", () => {
  test("sends four events in order for three chunks, the last one marks the end", async () => {
    const { thread } = await play(streaming(["one ", "two ", "three"]));
    expect(progressEvents(thread.events).map(({ kind, n, text }) => [kind, n, text])).toEqual([
      ["chunk", 0, "one "],
      ["chunk", 1, "two "],
      ["chunk", 2, "three"],
      ["done", 3, ""],
    ]);
  });

  test("uses one operation id in all events, the record and the log; another call has another id", async () => {
    const tool = streaming(["x"]);
    const rt = createTestRuntime(
      [calling("drip"), calling("drip")],
      [{ ...tool, manifest: { ...tool.manifest, proves: false } }],
    );
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const ids: string[] = [];
    for (let turn = 1; turn <= 2; turn += 1) {
      const { records } = unwrap(await thread.turn());
      const events = thread.events.filter((event) => event.type.startsWith("tool.") && event.turn === turn);
      expect(events.map((event) => event.type)).toEqual([
        "tool.started",
        "tool.progress",
        "tool.progress",
        "tool.completed",
      ]);
      const own = new Set(events.map((event) => ("operation_id" in event ? event.operation_id : null)));
      expect(own).toEqual(new Set([records[0]?.entry.operation?.id]));
      ids.push(...[...own].map(String));
    }
    expect(new Set(ids).size).toBe(2);
  });

  test("sends three events with order and time for three stages, and stores them in the record", async () => {
    const clock = { advance: (_ms: number): void => undefined };
    const tool = defineTool(
      { name: "drip", description: "x", input: z.object({}), streaming: true },
      async function* () {
        for (const stage of ["extract", "detect", "review"]) {
          clock.advance(100);
          yield { stage, text: `${stage} begins` };
        }
        yield "done";
      },
    );
    const rt = createTestRuntime([calling("drip")], [tool]);
    clock.advance = (ms) => rt.clock.advance(ms);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const began = rt.clock.now();
    const { records } = unwrap(await thread.turn());
    const stages = progressEvents(thread.events).filter((event) => event.kind === "stage");
    expect(stages.map(({ n, stage, at }) => [n, stage, Date.parse(at) - began])).toEqual([
      [0, "extract", 100],
      [1, "detect", 200],
      [2, "review", 300],
    ]);
    expect(records[0]?.entry.operation).toMatchObject({
      chunks: 1,
      stages: [
        { n: 0, stage: "extract", ms: 100 },
        { n: 1, stage: "detect", ms: 200 },
        { n: 2, stage: "review", ms: 300 },
      ],
      ms: 300,
    });
    expect(records[0]?.entry.observation?.text).toBe("done");
  });

  test("has a complete log in the order of its events; the summary in the record is bounded", async () => {
    const chunks = Array.from({ length: 500 }, (_, n): Chunk => (n % 2 ? `chunk ${n}\n` : { stage: `stage ${n}` }));
    const { thread, entry, read } = await play(streaming(chunks));
    const live = progressEvents(thread.events).map(({ n, at, kind, stage, text }) => ({ n, at, kind, stage, text }));
    const pages = [unwrap(await read(-1, 300)), unwrap(await read(299, 300))];
    expect(pages.flatMap((page) => page.lines)).toEqual(live);
    expect(pages.map((page) => page.after)).toEqual([299, null]);
    expect(live).toHaveLength(501);
    expect(entry.operation?.stages).toHaveLength(16);
    expect(entry.operation?.stages[0]?.stage).toBe("stage 0");
    expect(entry.operation?.stages.at(-1)?.stage).toBe("stage 498");
    expect(JSON.stringify(entry.operation).length).toBeLessThan(1_500);
  });

  test("is slowed down by a slow listener", async () => {
    const order: string[] = [];
    const tool = defineTool(
      { name: "drip", description: "x", input: z.object({}), streaming: true },
      async function* () {
        for (const n of ["1", "2", "3"]) {
          order.push(`made ${n}`);
          yield n;
        }
      },
    );
    const rt = createTestRuntime([calling("drip")], [tool]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const emit = async (event: LiveEvent): Promise<void> => {
      if (event.type !== "tool.progress" || event.kind !== "chunk") return;
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`heard ${event.text}`);
    };
    unwrap(await thread.turn(null, { emit }));
    expect(order).toEqual(["made 1", "heard 1", "made 2", "heard 2", "made 3", "heard 3"]);
  });

  test("sends every line of a child process as an event of the same operation", async () => {
    const lines = ["frames: 12\n", "found: 3\n"];
    const run: ProcessOperations["run"] = async ({ onOutput }) => {
      for (const text of lines) await onOutput?.({ stream: "stdout", bytes: new TextEncoder().encode(text) });
      const output = { head: new Uint8Array(), tail: new Uint8Array(), omitted: 0, size: 0, sha256: "" };
      return ok({ end: { kind: "exited", code: 0 }, output, duration_ms: 1, survivors: 0 });
    };
    const shell = bash((context) => ({ ...virtualOperations(context), process: { shell: "bash", run } }));
    const call = { action: "continue", speak: "On it.", tool_call: { name: "bash", arguments: { command: "ls" } } };
    const rt = createTestRuntime([call], [shell], { config: { ...DEFAULT_CONFIG, parts: ["process"] } });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const { records } = unwrap(await thread.turn());
    const id = records.at(-1)?.entry.operation?.id;
    expect(progressEvents(thread.events).map(({ operation_id, kind, text }) => [operation_id, kind, text])).toEqual([
      [id, "chunk", lines[0]],
      [id, "chunk", lines[1]],
      [id, "done", ""],
    ]);
  });

  test("is not stopped by a log that cannot be written", async () => {
    const full = { ...createMemoryOperationLog(), append: async () => fail("store_unavailable", "disk full") };
    const { entry, thread } = await play(streaming(["one", "two"]), { operation_log: full });
    expect(entry.observation?.text).toBe("onetwo");
    expect(progressEvents(thread.events)).toHaveLength(3);
  });
});

describe("a call without streaming", () => {
  test("fails if the handler returns a stream, and nothing of it runs", async () => {
    let begun = false;
    const tool = defineTool({ name: "plain", description: "x", input: z.object({}) }, async function* () {
      begun = true;
      yield "one";
    });
    const { turned, thread } = await play(tool);
    expect(turned.outcome.turn?.receipts).toMatchObject([{ success: false }]);
    expect(turned.outcome.turn?.observation?.text).toBe("plain does not stream.");
    expect(begun).toBe(false);
    expect(progressEvents(thread.events)).toEqual([]);
  });

  test("has an operation in its record and no log; one that reports progress has both", async () => {
    const quiet = await play(defineTool({ name: "quiet", description: "x", input: z.object({}) }, () => "seen"));
    expect(quiet.entry.operation).toMatchObject({ chunks: 0, stages: [] });
    expect(await quiet.read()).toMatchObject({ ok: false, problem: { code: "operation_not_found" } });
    const telling = await play(
      defineTool({ name: "telling", description: "x", input: z.object({}) }, async (_input, { progress }) => {
        await progress("half way", "work");
        return "seen";
      }),
    );
    expect(unwrap(await telling.read()).lines.map(({ kind, stage, text }) => [kind, stage, text])).toEqual([
      ["stage", "work", "half way"],
      ["done", null, ""],
    ]);
    expect(telling.entry.observation?.text).toBe("seen");
  });

  test("ignores what the tool reports after its timeout", async () => {
    let late = async (): Promise<void> => undefined;
    const tool = defineTool(
      { name: "slow", description: "x", input: z.object({}), timeout_ms: 100 },
      async (_input, { progress, signal }) => {
        late = async () => void (await progress("still here"));
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        return "too late";
      },
    );
    const rt = createTestRuntime([calling("slow")], [tool]);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const turning = thread.turn();
    while (!thread.events.some((event) => event.type === "tool.started"))
      await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    rt.clock.advance(100);
    const turned = unwrap(await turning);
    await late();
    expect(progressEvents(thread.events)).toEqual([]);
    expect(turned.outcome.turn?.observation?.text).toContain("did not finish within 100 ms");
  });
});

describe("a long output", () => {
  test("is stored in a blob, shortened in the record, with size and hash of the complete text in the receipt", async () => {
    const piece = "x".repeat(65_536);
    const { entry, rt, thread } = await play(streaming(Array.from({ length: 16 }, () => piece)));
    expect(entry.receipts).toMatchObject([{ size: 1_048_576, sha256: rt.hash.sha256(piece.repeat(16)) }]);
    expect(entry.observation?.text.length).toBeLessThan(9_000);
    const blob = unwrap(await rt.store.getBlob(thread.at, entry.observation?.blob ?? ""));
    expect(blob.length).toBeLessThan(330_000);
    expect(blob).toMatch(/\n… 720896 of 1048576 bytes left out …\n/);
  });

  test("above the limit of its manifest is shortened in the prompt and complete in the blob", async () => {
    const tool = defineTool(
      { name: "wordy", description: "x", input: z.object({}), max_output_chars: 1_000 },
      () => `${"word ".repeat(1_000)}end`,
    );
    const { entry, rt, thread } = await play(tool);
    expect(entry.observation?.text.length).toBeLessThan(1_100);
    expect(unwrap(await rt.store.getBlob(thread.at, entry.observation?.blob ?? ""))).toHaveLength(5_003);
  });
});

test("the data of a result is stored next to its text, and the model reads only the text", async () => {
  const tool = defineTool(
    {
      name: "count",
      description: "x",
      input: z.object({}),
      output: z.object({ apples: z.number() }),
      render: ({ apples }) => `${apples} apples`,
    },
    () => ({ apples: 4 }),
  );
  const rt = createTestRuntime([calling("count"), { action: "abort", abort: { user_message: "x" } }], [tool]);
  const thread = await createTestThread(rt, { goal: "Count", mode: "direct" });
  const counted = unwrap(await thread.turn());
  expect(counted.outcome.turn?.observation).toMatchObject({ text: "4 apples", raw: { apples: 4 } });
  unwrap(await thread.turn());
  const window = rt.model.requests.at(-1)?.messages[2]?.content ?? "";
  expect(window).toContain("4 apples");
  expect(window).not.toContain('"apples":4');
});
