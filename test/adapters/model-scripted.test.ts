import { describe, expect, test } from "vitest";
import { createScriptedModel, type ScriptEntry } from "../../src/adapters/model-scripted.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { ModelRequest } from "../../src/ports/model.ts";

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: "execute",
  messages: [
    { role: "system", content: "rules" },
    { role: "user", content: "step 2 of 3: book the room" },
  ],
  schema: null,
  max_output_tokens: 100,
  signal: new AbortController().signal,
  deadline: 10_000,
  ...more,
});

/** Returns a clock whose time passes only by sleeping. */
const sleepingClock = (): Clock => {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
};

describe("a scripted model", () => {
  test("replays strings, decisions and functions in order", async () => {
    const model = createScriptedModel([
      "plain",
      { action: "done", goal_check: "ok" },
      (asked) => `purpose ${asked.purpose}`,
      () => ({ action: "continue" }),
      { reply: "wrapped" },
    ]);
    const texts: unknown[] = [];
    for (let i = 0; i < 5; i += 1) {
      const reply = await model.reply(request());
      texts.push(reply.ok && reply.value.text);
    }
    expect(texts).toEqual([
      "plain",
      '{"action":"done","goal_check":"ok"}',
      "purpose execute",
      '{"action":"continue"}',
      "wrapped",
    ]);
    expect(model.calls).toBe(5);
    expect(model.requests).toHaveLength(5);
    model.assertSpent();
  });

  test("counts tokens deterministically by length", async () => {
    const usages = await Promise.all(
      [1, 2].map(async () => {
        const reply = await createScriptedModel(["12345"]).reply(request());
        return reply.ok && reply.value.usage;
      }),
    );
    expect(usages).toEqual([
      { input_tokens: 8, output_tokens: 2 },
      { input_tokens: 8, output_tokens: 2 },
    ]);
  });

  test("streams the reply in chunks that do not split characters", async () => {
    const chunks: string[] = [];
    const model = createScriptedModel(["ab😀cd"], { chunk_chars: 3 });
    await model.reply(request({ onText: (delta) => chunks.push(delta) }));
    expect(chunks).toEqual(["ab😀", "cd"]);
  });

  test("fails as scripted", async () => {
    const model = createScriptedModel([{ fail: "model_unavailable", details: { retry_after_s: 3 } }, "then fine"]);
    expect(await model.reply(request())).toMatchObject({
      ok: false,
      problem: { code: "model_unavailable", status: 503, details: { retry_after_s: 3 } },
    });
    expect(await model.reply(request())).toMatchObject({ ok: true });
  });

  test("waits for the scripted delay and replies within the same request", async () => {
    const clock = sleepingClock();
    const model = createScriptedModel([{ delay: 4_000 }, "late"], { clock });
    expect(await model.reply(request())).toMatchObject({ ok: true, value: { text: "late" } });
    expect(clock.now()).toBe(4_000);
    expect(model.calls).toBe(1);
  });

  test("a delay past the deadline, or an abort, gives turn_deadline", async () => {
    const clock = sleepingClock();
    const model = createScriptedModel([{ delay: 60_000 }, "never"], { clock });
    expect(await model.reply(request())).toMatchObject({ ok: false, problem: { code: "turn_deadline" } });
    expect(clock.now()).toBe(10_000);

    const aborted = createScriptedModel(["never"]).reply(request({ signal: AbortSignal.abort() }));
    expect(await aborted).toMatchObject({ ok: false, problem: { code: "turn_deadline" } });
  });

  test("an infinite script can come from a generator", async () => {
    function* endless(): Generator<ScriptEntry> {
      for (let i = 0; ; i += 1) yield `reply ${i}`;
    }
    const model = createScriptedModel(endless());
    for (let i = 0; i < 500; i += 1) await model.reply(request());
    expect(await model.reply(request())).toMatchObject({ ok: true, value: { text: "reply 500" } });
  });
});

describe("a request that the script does not expect", () => {
  test("passes if expectations are met", async () => {
    const model = createScriptedModel([
      { expect: { purpose: "execute", contains: "book the room" }, reply: "a" },
      { expect: { contains: /step \d of 3/g }, reply: "b" },
      { expect: { contains: "rules" }, reply: "c" },
    ]);
    for (const text of ["a", "b", "c"]) expect(await model.reply(request())).toMatchObject({ value: { text } });
  });

  test.each([
    ["another purpose", { purpose: "plan" }, "expects the purpose plan"],
    ["a missing text", { contains: "cancel the room" }, "cancel the room"],
    ["a pattern that is not there", { contains: /step 9/ }, "step 9"],
  ] as const)(
    "throws for %s, naming the request, the expectation and the last message",
    async (_title, expected, named) => {
      const model = createScriptedModel(["first", { expect: expected, reply: "second" }]);
      await model.reply(request());
      const error = await model.reply(request()).then(String, (thrown: Error) => thrown.message);
      expect(error).toContain("request 2 (execute)");
      expect(error).toContain(named);
      expect(error).toContain("step 2 of 3: book the room");
    },
  );

  test("throws when the script has run out", async () => {
    const model = createScriptedModel(["only one"]);
    await model.reply(request());
    await expect(model.reply(request())).rejects.toThrow(/request 2 .*no entry left/);
  });

  test("is reported again at the end, even if the error was caught", async () => {
    const model = createScriptedModel([{ expect: { purpose: "plan" }, reply: "a" }, "b"]);
    await model.reply(request()).catch(() => undefined);
    await expect(model.reply(request())).rejects.toThrow(/request 1 /);
    expect(() => model.assertSpent()).toThrow(/expects the purpose plan/);
  });

  test("unused entries are reported at the end", () => {
    expect(() => createScriptedModel([{ action: "done" }]).assertSpent()).toThrow(/still has.*done/);
  });

  test("an invalid script is refused", async () => {
    await expect(createScriptedModel([{ delay: 1 }]).reply(request())).rejects.toThrow(/options\.clock/);
    await expect(createScriptedModel([{ expect: { purpose: "plan" } }]).reply(request())).rejects.toThrow(
      /needs a reply/,
    );
  });
});
