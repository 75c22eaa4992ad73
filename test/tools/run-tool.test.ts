import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { fail } from "../../src/schema/problem.ts";
import { captureText, createCapture, HEAD_BYTES, TAIL_BYTES } from "../../src/tools/capture.ts";
import { type Chunk, defineTool, type Handler, type Tool, type ToolContext } from "../../src/tools/define-tool.ts";
import { pieceFilter } from "../../src/tools/hooks.ts";
import { createRedactor, redactionHooks } from "../../src/tools/redaction/redact.ts";
import { type RunPorts, runTool } from "../../src/tools/run-tool.ts";
import type { Piece } from "../../src/tools/stream-collector.ts";
import { createTestClock } from "../support/runtime.ts";
import { aContext } from "../support/tool-context.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function bench(over: Partial<RunPorts> = {}) {
  const pieces: Piece[] = [];
  const clock = createTestClock();
  const ports: RunPorts = {
    clock,
    hash: nodeHash,
    filter: pieceFilter([], "tool"),
    onPiece: (piece) => void pieces.push(piece),
    ...over,
  };
  return { pieces, clock, run: (tool: Tool, context: ToolContext = aContext()) => runTool(tool, {}, context, ports) };
}

const plain = (run: Handler<Record<string, never>, string>, over: Record<string, unknown> = {}): Tool =>
  defineTool({ name: "tool", description: "x", input: z.object({}), ...over }, run);
const streaming = (run: () => AsyncIterable<Chunk, unknown>, over: Record<string, unknown> = {}): Tool =>
  plain(run as never, { streaming: true, ...over });

describe("a plain tool", () => {
  test("gives its text, or its data as text and as data", async () => {
    const { run } = bench();
    expect(await run(plain(() => "seen"))).toMatchObject({ how: "done", success: true, text: "seen", raw: null });
    const output = z.object({ n: z.number() });
    const data = await run(plain(() => ({ n: 4 }) as never, { output, render: ({ n }: { n: number }) => `n is ${n}` }));
    expect(data).toMatchObject({ text: "n is 4", raw: { n: 4 } });
  });

  test("data that cannot be stored are left out, and a rendering that fails is a failure of the tool", async () => {
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    const { run } = bench();
    const render = () => "drawn";
    expect(await run(plain(() => ring as never, { output: z.any(), render }))).toMatchObject({
      text: "drawn",
      raw: null,
    });
    expect(await run(plain(() => ({ n: 1n }) as never, { output: z.any(), render }))).toMatchObject({ raw: null });
    expect(await run(plain(() => ring as never, { output: z.any() }))).toMatchObject({ how: "threw", success: false });
  });

  test("a result that breaks the declared shape is an error, not a result", async () => {
    const ran = await bench().run(plain(() => ({ n: "four" }) as never, { output: z.object({ n: z.number() }) }));
    expect(ran).toMatchObject({ how: "bad_output", success: false, raw: null });
    expect(ran.text).toContain("broke its own output schema at n");
  });

  test("a store that did not answer leaves open whether the call took effect", async () => {
    const unanswered = plain(() => fail("store_unavailable", "The store did not answer."));
    expect(await bench().run(unanswered)).toMatchObject({ how: "unknown", success: false });
  });

  test("a refusal returns its own message, a throw only the message of the error", async () => {
    const { run } = bench();
    expect(await run(plain(() => fail("tool_refused", "Not today.")))).toMatchObject({
      how: "refused",
      text: "Not today.",
    });
    const cause = new Error("cause: s3cret");
    const ran = await run(
      plain(() => {
        throw new Error("no disk", { cause });
      }),
    );
    expect(ran).toMatchObject({ how: "threw", success: false, text: "tool failed: no disk" });
  });

  test("that is too slow is aborted, and its later result is ignored", async () => {
    const { run, clock } = bench();
    let stopped = false;
    const running = run(
      plain(
        (_input, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener("abort", () => {
              stopped = true;
              resolve("late");
            }),
          ),
        { timeout_ms: 500 },
      ),
    );
    await Promise.resolve();
    clock.advance(500);
    expect(await running).toMatchObject({ how: "timeout", success: false, text: "tool did not finish within 500 ms." });
    expect(stopped).toBe(true);
  });

  test("one that returns a stream is refused, and none of it runs", async () => {
    let begun = false;
    const { run, pieces } = bench();
    const ran = await run(
      plain(async function* () {
        begun = true;
        yield "one";
      }),
    );
    expect(ran).toMatchObject({ how: "not_streaming", success: false, text: "tool does not stream." });
    expect(begun).toBe(false);
    expect(pieces).toEqual([]);
  });
});

describe("a streaming tool", () => {
  test("what it yields is streamed and becomes the result; stages are only streamed", async () => {
    const { run, pieces } = bench();
    const ran = await run(
      streaming(async function* () {
        yield { stage: "reading" };
        yield "one ";
        yield { stage: "writing", text: "half way" };
        yield "two";
      }),
    );
    expect(pieces).toEqual([
      { kind: "stage", stage: "reading", text: "" },
      { kind: "chunk", stage: null, text: "one " },
      { kind: "stage", stage: "writing", text: "half way" },
      { kind: "chunk", stage: null, text: "two" },
    ]);
    expect(ran).toMatchObject({ how: "done", text: "one two", totals: { size: 7, sha256: sha256("one two") } });
  });

  test("what it returns follows what it yielded", async () => {
    const ran = await bench().run(
      streaming(
        async function* () {
          yield "line\n";
          return { code: 0 };
        },
        { output: z.object({ code: z.number() }), render: ({ code }: { code: number }) => `exit ${code}` },
      ),
    );
    expect(ran).toMatchObject({ success: true, text: "line\n\nexit 0", raw: { code: 0 } });
  });

  test.each([
    [
      "throws",
      async function* (): AsyncGenerator<string> {
        yield "so far";
        throw new Error("broken pipe");
      },
      "so far\ntool failed: broken pipe",
    ],
    [
      "refuses",
      async function* (): AsyncGenerator<string, unknown> {
        yield "so far";
        return fail("tool_refused", "exit code 1");
      },
      "so far\nexit code 1",
    ],
  ] as const)("one that %s in the middle keeps what it has said", async (_how, stream, text) => {
    expect(await bench().run(streaming(stream as never))).toMatchObject({ success: false, text });
  });

  test("a slow listener slows down the producer", async () => {
    const order: string[] = [];
    let release = (): void => undefined;
    const { run } = bench({
      onPiece: (piece) => {
        order.push(`heard ${piece.text}`);
        return new Promise((resolve) => {
          release = resolve;
        });
      },
    });
    const running = run(
      streaming(async function* () {
        for (const n of ["1", "2", "3"]) {
          order.push(`made ${n}`);
          yield n;
        }
      }),
    );
    for (let n = 0; n < 3; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(order).toHaveLength(2 * (n + 1));
      release();
    }
    await running;
    expect(order).toEqual(["made 1", "heard 1", "made 2", "heard 2", "made 3", "heard 3"]);
  });

  test("that is too slow keeps its output, and the generator is ended and cleans up", async () => {
    let cleaned = false;
    const { run, clock, pieces } = bench();
    const running = run(
      defineTool(
        { name: "tool", description: "x", input: z.object({}), streaming: true, timeout_ms: 500 },
        async function* (_input, { signal }) {
          try {
            yield "begun";
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
            yield "too late";
            yield "never asked for";
          } finally {
            cleaned = true;
          }
        },
      ),
    );
    while (pieces.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    clock.advance(500);
    expect(await running).toMatchObject({ how: "timeout", text: "begun\ntool did not finish within 500 ms." });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cleaned).toBe(true);
    expect(pieces.map((piece) => piece.text)).toEqual(["begun"]);
  });

  test("halves of a character that come in two pieces are put together", async () => {
    const { run, pieces } = bench();
    const ran = await run(
      streaming(async function* () {
        yield "a\ud83c";
        yield "\udf89b";
      }),
    );
    expect(ran.text).toBe("a🎉b");
    expect(pieces.map((piece) => piece.text)).toEqual(["a", "🎉b"]);
  });

  test("a secret that comes in two pieces reaches neither listener nor result", async () => {
    const hooks = redactionHooks(createRedactor(["correct horse battery"]));
    const { run, pieces } = bench({ filter: pieceFilter(hooks, "tool") });
    const ran = await run(
      streaming(async function* () {
        yield "key: correct ho";
        yield "rse battery\ndone";
      }),
    );
    expect(pieces.map((piece) => piece.text).join("")).toBe("key: [redacted]\ndone");
    expect(ran.text).toBe("key: [redacted]\ndone");
    expect(ran.totals).toEqual({ size: 20, sha256: sha256("key: [redacted]\ndone") });
  });

  test("a secret across the cut between what is kept and what is not leaves no half of itself", async () => {
    const secret = "correct horse battery staple";
    const filter = pieceFilter(redactionHooks(createRedactor([secret])), "tool");
    for (const shift of [4, 14, 24]) {
      const { run } = bench({ filter });
      const ran = await run(
        streaming(async function* () {
          yield "x".repeat(HEAD_BYTES - shift);
          yield secret;
          yield "y".repeat(500_000);
          yield secret;
          yield "z".repeat(TAIL_BYTES - shift);
        }),
      );
      for (const part of ["correct", "horse", "battery", "staple"]) expect(ran.text).not.toContain(part);
    }
  });
});

describe("what is kept of a long output", () => {
  test("is all of it up to the limit; beyond it, head and tail with a note about the gap", () => {
    const whole = "a".repeat(HEAD_BYTES + TAIL_BYTES);
    expect(captureText(nodeHash, whole).text).toBe(whole);
    const longer = captureText(nodeHash, `${"a".repeat(HEAD_BYTES)}${"b".repeat(300)}${"c".repeat(TAIL_BYTES)}`);
    expect(longer.text).toBe(
      `${"a".repeat(HEAD_BYTES)}\n… 300 of ${HEAD_BYTES + TAIL_BYTES + 300} bytes left out …\n${"c".repeat(TAIL_BYTES)}`,
    );
    expect(longer.size).toBe(HEAD_BYTES + TAIL_BYTES + 300);
  });

  test.each([1, 7, 1_000, 70_000, 400_000])("is the same in pieces of %i characters as in one piece", (size) => {
    const text = Array.from({ length: 120_000 }, (_, n) => "aé世🎉"[n % 5] ?? "-").join("") + "x".repeat(300_000);
    const capture = createCapture(nodeHash);
    const letters = [...text];
    for (let at = 0; at < letters.length; at += size) capture.add(letters.slice(at, at + size).join(""));
    const kept = capture.result();
    expect(kept).toEqual(captureText(nodeHash, text));
    expect(kept.sha256).toBe(sha256(text));
    expect(kept.text).not.toContain("\ufffd");
  });
});
