import { describe, expect, test } from "vitest";
import { createFastClock } from "../support/fast-clock.ts";
import { DECISION, KEY, useOpenAiStub } from "../support/openai-fixture.ts";

const bench = useOpenAiStub();

/** Returns a listener that behaves like a client: it shows text and discards it on request. */
const listen = () => {
  const received = { text: "", discarded: [] as string[] };
  return Object.assign(received, {
    onText: (delta: string) => {
      received.text += delta;
    },
    onDiscard: (reason: string) => {
      received.text = "";
      received.discarded.push(reason);
    },
  });
};

describe("a reply", () => {
  test("is returned completely with usage, and is streamed", async () => {
    bench.stub.queue({ kind: "text", text: DECISION, reasoning: "let me think" });
    const listener = listen();
    const reply = await bench.model().reply(bench.request(listener));
    expect(reply).toEqual({
      ok: true,
      value: { text: DECISION, model: "stub-model", usage: { input_tokens: 11, output_tokens: 7 } },
    });
    expect(listener.text).toBe(DECISION);
    expect(listener.discarded).toEqual([]);
  });

  test("is requested with the schema, the smaller output limit and the key", async () => {
    bench.stub.queue({ kind: "text", text: DECISION });
    await bench.model().reply(bench.request());
    const [sent] = bench.stub.requests;
    expect(sent?.path).toBe("/v1/chat/completions");
    expect(sent?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(sent?.body).toMatchObject({
      model: "stub-1",
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 500,
      response_format: { type: "json_schema", json_schema: { name: "decision", strict: false } },
    });
    expect(sent?.body.messages).toEqual(bench.request().messages);
  });

  test("has no usage if the provider does not report it", async () => {
    bench.stub.queue({ kind: "text", text: DECISION, usage: null });
    expect(await bench.model().reply(bench.request())).toMatchObject({
      ok: true,
      value: { text: DECISION, usage: null },
    });
  });

  test("truncated by its own limit is returned unchanged", async () => {
    bench.stub.queue({ kind: "text", text: '{"action":"do', finish: "length" });
    expect(await bench.model().reply(bench.request())).toMatchObject({ ok: true, value: { text: '{"action":"do' } });
    expect(bench.stub.requests).toHaveLength(1);
  });

  test("that ignores the schema is returned unchanged", async () => {
    bench.stub.queue({ kind: "text", text: "I would rather write a poem." });
    expect(await bench.model().reply(bench.request())).toMatchObject({
      ok: true,
      value: { text: "I would rather write a poem." },
    });
  });

  test("that is a refusal is returned as text", async () => {
    bench.stub.queue({ kind: "refusal", text: "I cannot help with that." });
    expect(await bench.model().reply(bench.request())).toMatchObject({
      ok: true,
      value: { text: "I cannot help with that." },
    });
  });

  test("may be a single body although a stream was requested", async () => {
    const listener = listen();
    bench.stub.queue({
      kind: "body",
      body: {
        model: "plain",
        choices: [{ message: { content: DECISION }, finish_reason: "stop" }],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      },
    });
    expect(await bench.model().reply(bench.request(listener))).toEqual({
      ok: true,
      value: { text: DECISION, model: "plain", usage: { input_tokens: 3, output_tokens: 2 } },
    });
    expect(listener.text).toBe(DECISION);
  });

  test("that streams slowly is not treated as idle", async () => {
    // There are eleven chunks, four seconds apart. Together they take longer than the idle timeout, but no single gap
    // does.
    bench.clock = createFastClock(20);
    bench.stub.queue({ kind: "text", text: DECISION, delay_ms: 200 });
    const reply = await bench.model({ idle_timeout_ms: 30_000 }).reply(bench.request());
    expect(reply).toMatchObject({ ok: true, value: { text: DECISION } });
    expect(bench.stub.requests).toHaveLength(1);
  });

  test("is awaited while keep-alive comments arrive", async () => {
    bench.clock = createFastClock(20);
    bench.stub.queue({ kind: "text", text: "{}", keep_alives: 10, delay_ms: 200 });
    const reply = await bench.model({ idle_timeout_ms: 30_000 }).reply(bench.request());
    expect(reply).toMatchObject({ ok: true, value: { text: "{}" } });
    expect(bench.stub.requests).toHaveLength(1);
  });

  test("that is finished is accepted even if the connection stays open", async () => {
    bench.stub.queue({ kind: "text", text: DECISION, usage: null, stays_open: true });
    expect(await bench.model().reply(bench.request())).toMatchObject({ ok: true, value: { text: DECISION } });
    expect(bench.stub.requests).toHaveLength(1);
  });

  test("needs no key if the server requires none", async () => {
    bench.stub.queue({ kind: "text", text: DECISION });
    await bench.model({ api_key: null }).reply(bench.request());
    expect(bench.stub.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("a provider that fails temporarily", () => {
  test("with 429 is retried after the seconds it specifies", async () => {
    const busy = { kind: "status", status: 429, headers: { "retry-after": "7" } } as const;
    bench.stub.queue(busy, busy, { kind: "text", text: DECISION });
    expect(await bench.model().reply(bench.request())).toMatchObject({ ok: true, value: { text: DECISION } });
    expect(bench.stub.requests).toHaveLength(3);
    expect(bench.clock.slept.filter((ms) => ms === 7_000)).toHaveLength(2);
  });

  test("with 429 is retried at the date it specifies", async () => {
    const at = new Date(bench.clock.now() + 60_000).toUTCString();
    bench.stub.queue({ kind: "status", status: 429, headers: { "retry-after": at } }, { kind: "text", text: DECISION });
    expect(await bench.model().reply(bench.request())).toMatchObject({ ok: true });
    const waits = bench.clock.slept.filter((ms) => ms > 10_000 && ms <= 60_000);
    expect(waits).toHaveLength(1);
  });

  test("with permanent 429 fails after three attempts, with a retry time", async () => {
    bench.stub.setDefault({ kind: "status", status: 429, headers: { "retry-after": "12" } });
    const reply = await bench.model().reply(bench.request());
    expect(reply).toMatchObject({
      ok: false,
      problem: { code: "model_unavailable", details: { retry_after_s: 12, tries: 3, provider: "stub", model: "main" } },
    });
    expect(bench.stub.requests).toHaveLength(3);
  });

  test("is not waited for beyond the deadline", async () => {
    bench.stub.setDefault({ kind: "status", status: 429, headers: { "retry-after": "300" } });
    const reply = await bench.model().reply(bench.request({ deadline: bench.clock.now() + 200_000 }));
    expect(reply).toMatchObject({
      ok: false,
      problem: { code: "model_unavailable", details: { retry_after_s: 300, tries: 1 } },
    });
    expect(bench.stub.requests).toHaveLength(1);
    expect(bench.clock.slept).not.toContain(300_000);
  });

  test.each([
    ["500", { kind: "status", status: 500 }],
    ["503 with an HTML page", { kind: "html", status: 503 }],
    ["529", { kind: "status", status: 529 }],
    ["an HTML page with 200", { kind: "html" }],
    ["no choices", { kind: "empty_choices" }],
    ["a body without choices", { kind: "body", body: { choices: [] } }],
    ["an error inside a 200 body", { kind: "body", body: { error: { message: "upstream is busy", code: 502 } } }],
    ["an error inside the stream", { kind: "error_event", error: { message: "overloaded", type: "server_error" } }],
    ["a stream that is not JSON", { kind: "garbage" }],
    ["a connection reset", { kind: "reset" }],
    ["a reply that ends unfinished", { kind: "unfinished", text: '{"action":"done"}' }],
    ["a cut connection", { kind: "cut", text: '{"action":"done"}' }],
  ] as const)("with %s is retried, and permanently gives model_unavailable", async (_title, bad) => {
    bench.stub.queue(bad, { kind: "text", text: DECISION });
    expect(await bench.model().reply(bench.request())).toMatchObject({ ok: true, value: { text: DECISION } });
    expect(bench.stub.requests).toHaveLength(2);

    bench.stub.setDefault(bad);
    expect(await bench.model().reply(bench.request())).toMatchObject({
      ok: false,
      problem: { code: "model_unavailable", retry: "later", details: { tries: 3, retry_after_s: 5 } },
    });
    expect(bench.stub.requests).toHaveLength(5);
  });

  test.each([
    ["after some text", { kind: "silence", text: '{"action":' }],
    ["after the headers", { kind: "silence" }],
    ["before the headers", { kind: "hang" }],
  ] as const)("that becomes idle %s is disconnected and retried", async (_title, bad) => {
    bench.stub.queue(bad, { kind: "text", text: DECISION });
    const reply = await bench.model({ idle_timeout_ms: 60_000 }).reply(bench.request());
    expect(reply).toMatchObject({ ok: true, value: { text: DECISION } });
    expect(bench.stub.requests).toHaveLength(2);
    await expect.poll(() => bench.stub.dropped()).toBe(1);
  });

  test("that is unreachable gives model_unavailable", async () => {
    const model = bench.model();
    await bench.stub.close();
    const reply = await model.reply(bench.request());
    expect(reply).toMatchObject({ ok: false, problem: { code: "model_unavailable" } });
    expect(!reply.ok && reply.problem.message).toContain("ECONNREFUSED");
  });

  test.each([
    ["cut", { kind: "cut", text: '{"speak":"half' }],
    ["unfinished", { kind: "unfinished", text: '{"speak":"half' }],
    ["garbled", { kind: "garbage", text: '{"speak":"half' }],
    ["stalled", { kind: "silence", text: '{"speak":"half' }],
    ["broken by an error", { kind: "error_event", text: '{"speak":"half', error: { message: "oh" } }],
  ] as const)("after text of a %s stream takes that text back", async (_title, bad) => {
    bench.stub.queue(bad, { kind: "text", text: DECISION });
    const listener = listen();
    const model = bench.model({ idle_timeout_ms: 60_000 });
    expect(await model.reply(bench.request(listener))).toMatchObject({ ok: true });
    expect(listener.discarded).toHaveLength(1);
    expect(listener.text).toBe(DECISION);
  });

  test("discards nothing if nothing was streamed", async () => {
    bench.stub.queue({ kind: "status", status: 500 }, { kind: "text", text: DECISION });
    const listener = listen();
    await bench.model().reply(bench.request(listener));
    expect(listener.discarded).toEqual([]);
  });
});

describe("time and cancellation", () => {
  test("a deadline during a reply gives turn_deadline, and the text is discarded", async () => {
    bench.stub.setDefault({ kind: "silence", text: '{"action":' });
    const listener = listen();
    const reply = await bench
      .model({ idle_timeout_ms: 900_000 })
      .reply(bench.request({ ...listener, deadline: bench.clock.now() + 100_000 }));
    expect(reply).toMatchObject({ ok: false, problem: { code: "turn_deadline", details: { cause: "deadline" } } });
    expect(listener.text).toBe("");
    expect(listener.discarded).toHaveLength(1);
  });

  test("an expired deadline sends no request", async () => {
    const reply = await bench.model().reply(bench.request({ deadline: bench.clock.now() - 1 }));
    expect(reply).toMatchObject({ ok: false, problem: { code: "turn_deadline" } });
    expect(bench.stub.requests).toHaveLength(0);
  });

  test("an abort during a reply closes the connection", async () => {
    bench.stub.setDefault({ kind: "silence", text: '{"action":' });
    const stop = new AbortController();
    const reply = await bench.model().reply(bench.request({ signal: stop.signal, onText: () => stop.abort() }));
    expect(reply).toMatchObject({ ok: false, problem: { code: "turn_deadline", details: { cause: "abort" } } });
    expect(bench.stub.requests).toHaveLength(1);
    await expect.poll(() => bench.stub.dropped()).toBe(1);
  });

  test("an abort between two attempts ends the wait", async () => {
    const stop = new AbortController();
    bench.stub.setDefault(() => {
      setTimeout(() => stop.abort(), 50);
      return { kind: "status", status: 429, headers: { "retry-after": "3000" } };
    });
    const reply = await bench
      .model()
      .reply(bench.request({ signal: stop.signal, deadline: bench.clock.now() + 86_000_000 }));
    expect(reply).toMatchObject({ ok: false, problem: { code: "turn_deadline", details: { cause: "abort" } } });
    expect(bench.stub.requests).toHaveLength(1);
  });
});
