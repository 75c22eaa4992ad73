import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { ScriptEntry } from "../../../src/adapters/model-scripted.ts";
import type { LiveEvent } from "../../../src/schema/event.ts";
import { ask, callTool, done, nextStep, plan } from "../../support/decisions.ts";
import { createTestClock, problemCode, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, startTestServer, type TestServer, type TestServerOptions } from "../../support/server.ts";
import { createWriteTool, look } from "../../support/tools.ts";

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});
async function start(facts: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(facts);
  servers.push(server);
  return server;
}
const SCRIPT = (): ScriptEntry[] => [
  plan("Look", "Look again"),
  callTool("look", { at: "a" }),
  nextStep,
  callTool("look", { at: "b" }),
  done,
  "All done.",
];
const seqOf = (event: LiveEvent): number | null => ("seq" in event ? event.seq : null);
const aThread = async (server: TestServer, input: object = { plan_approval: "auto" }): Promise<string> =>
  unwrap(await server.client().create({ goal: "Tidy up", ...input })).thread.id;

/** Reads events until the wanted one, then disconnects. */
async function readUntil(events: AsyncGenerator<LiveEvent>, last: (event: LiveEvent) => boolean): Promise<LiveEvent[]> {
  const seen: LiveEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (last(event)) break;
  }
  return seen;
}

describe("the events of a thread", () => {
  test("are numbered without a gap, and a page can begin anywhere", async () => {
    const server = await start({ script: SCRIPT(), tools: [look] });
    const thread = await aThread(server);
    unwrap(await server.client().advanceUntilPause(thread));
    const page = async (after: number) =>
      unwrap(
        await server
          .client()
          .call<{ events: LiveEvent[]; after: number }>("GET", `/v1/threads/${thread}/events?after=${after}`),
      );
    const all = (await page(-1)).events;
    expect(all.map(seqOf)).toEqual(all.map((_, i) => i));
    expect(all.at(-1)?.type).toBe("turn.committed");
    for (const after of [0, 3, all.length - 1, 1000]) {
      expect((await page(after)).events).toEqual(all.slice(after + 1));
    }
  });

  test("are streamed while they happen, live ones in order, each durable one once", async () => {
    const server = await start({ script: SCRIPT(), tools: [look] });
    const thread = await aThread(server);
    const signal = new AbortController();
    const reading = readUntil(
      server.client().events(thread, { signal: signal.signal }),
      (event) => event.type === "run.delivered",
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    unwrap(await server.client().advanceUntilPause(thread));
    const seen = await reading;
    signal.abort();
    const durable = seen.filter((event) => seqOf(event) !== null);
    expect(durable.map(seqOf)).toEqual(durable.map((_, i) => i));
    expect(seen.map((event) => event.type)).toContain("speak.delta");
    const at = (type: string, turn: number) =>
      seen.findIndex((event) => event.type === type && "turn" in event && event.turn === turn);
    for (const turn of [2, 3, 4, 5]) expect(at("turn.started", turn)).toBeGreaterThan(at("turn.committed", turn - 1));
  });

  test("continue exactly where a stream broke off, and the header overrides the URL", async () => {
    const server = await start({ script: SCRIPT(), tools: [look] });
    const thread = await aThread(server);
    unwrap(await server.client().advanceUntilPause(thread, null, { max_turns: 3 }));
    const first = await readUntil(server.client().events(thread), (event) => seqOf(event) === 4);
    unwrap(await server.client().advanceUntilPause(thread));
    const url = `${server.url}/v1/threads/${thread}/events?after=1`;
    const stop = new AbortController();
    const response = await fetch(url, {
      headers: { accept: "text/event-stream", "last-event-id": "4" },
      signal: stop.signal,
    });
    const { readEvents } = await import("../../../src/client/server-sent-events.ts");
    const ids: string[] = [];
    for await (const event of readEvents(response)) {
      ids.push(event.id ?? "");
      if (event.type === "run.delivered") break;
    }
    stop.abort();
    expect(first.map(seqOf)).toEqual([0, 1, 2, 3, 4]);
    expect(ids).toEqual(ids.map((_, i) => String(5 + i)));
  });

  test.each(["x", "-1", "1.5", "1 2", "9".repeat(16)])("do not go on after %s", async (id) => {
    const server = await start({});
    const thread = await aThread(server, {});
    const response = await fetch(`${server.url}/v1/threads/${thread}/events`, { headers: { "last-event-id": id } });
    expect([response.status, (await response.json()).code]).toEqual([400, "header_invalid"]);
  });

  test("are pushed to a waiting reader: none waits for the next poll", async () => {
    function* looks() {
      for (let n = 0; ; n++) yield callTool("look", { at: `place ${n}` });
    }
    // This clock never polls, so the test would wait forever for a lost notification.
    const server = await start({ script: looks(), tools: [look], runtime: { clock: createTestClock() } });
    const thread = await aThread(server, { mode: "direct" });
    const events = server.client().events(thread);
    const seen: number[] = [];
    for (let n = 1; n <= 25; n++) {
      unwrap(await server.client().advance(thread));
      while (!seen.includes(n)) {
        const { value } = await events.next();
        if (value?.type === "turn.committed") seen.push(value.turn);
      }
    }
    await events.return(undefined);
    expect(seen).toEqual(Array.from({ length: 26 }, (_, n) => n));
  });

  test("end when the key is revoked", async () => {
    let keys = [aKeyRow("ada", "acme")];
    const server = await start({ keys: () => keys });
    const client = server.client(apiKeyFor("ada"));
    const thread = unwrap(await client.create({})).thread.id;
    const events = client.events(thread);
    expect((await events.next()).value).toMatchObject({ type: "thread.created" });
    await events.next();
    keys = [];
    for await (const _ of events) expect.unreachable();
    expect(problemCode(await client.get(thread))).toBe("unauthorized");
  });

  test("end when the thread is deleted", async () => {
    const server = await start({});
    const thread = await aThread(server, {});
    const events = server.client().events(thread);
    await events.next();
    unwrap(await server.client().remove(thread));
    const rest: LiveEvent[] = [];
    for await (const event of events) rest.push(event);
    expect(rest.filter((event) => event.type !== "turn.committed")).toEqual([]);
  });
});

describe("a turn that is streamed while it runs", () => {
  test("ends with the response that a plain request gets", async () => {
    const server = await start({ script: [callTool("look", { at: "a" })], tools: [look] });
    const thread = await aThread(server, { mode: "direct" });
    const types: string[] = [];
    let response: unknown;
    for await (const event of server.client().stream(thread, null, { key: "one" })) {
      types.push(event.type);
      if (event.type === "response") response = event.data;
    }
    expect(types[0]).toBe("turn.started");
    expect(types.at(-1)).toBe("response");
    expect(types).toContain("tool.started");
    expect(unwrap(await server.client().advance(thread, null, { key: "one" }))).toEqual(response);
  });

  test("sends a problem as its last event", async () => {
    const server = await start({ script: [ask("Which?")] });
    const thread = await aThread(server, { mode: "direct" });
    unwrap(await server.client().advance(thread));
    const events = [];
    for await (const event of server.client().stream(thread)) events.push(event);
    expect(events).toMatchObject([{ type: "problem", data: { code: "gate_open", status: 409 } }]);
  });

  test.each([
    ["gate_open", 409, (thread: string) => thread],
    ["thread_not_found", 404, () => `thr_${"0".repeat(26)}`],
  ])("that is refused with %s before anything happened has the status %d", async (code, status, named) => {
    const server = await start({ script: [ask("Which?")] });
    const thread = await aThread(server, { mode: "direct" });
    unwrap(await server.client().advance(thread));
    const response = await fetch(`${server.url}/v1/threads/${named(thread)}/turns`, {
      method: "POST",
      headers: { accept: "text/event-stream" },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code, status });
  });

  test("that fails after it was announced reports the failure in the stream", async () => {
    const server = await start({ script: ["no decision", "none", "nor now"] });
    const thread = await aThread(server, { mode: "direct" });
    const types: string[] = [];
    for await (const event of server.client().stream(thread)) types.push(event.type);
    expect(types[0]).toBe("turn.started");
    expect(types.slice(-2)).toEqual(["problem", "response"]);
  });

  test("is committed once, wherever the reader disconnects", async () => {
    const ledger: string[] = [];
    const writes = Array.from({ length: 20 }, (_, i) => callTool("write", { line: `line ${i} ${"long ".repeat(20)}` }));
    const server = await start({ script: writes, tools: [createWriteTool(ledger, { confirm: false })] });
    for (let offset = 0; offset < 20; offset++) {
      const thread = await aThread(server, { mode: "direct" });
      await cutAfter(server.port, thread, `key-${offset}`, offset * 150);
      const again = unwrap(await server.client().advance(thread, null, { key: `key-${offset}` }));
      expect(again).toMatchObject({
        thread: { turn: 1, version: 2 },
        turn: { number: 1, receipts: [{}, { success: true }] },
      });
    }
    expect(ledger).toHaveLength(20);
  });
});

/** Sends a turn that streams, reads this many bytes of the response, and closes the connection. */
function cutAfter(port: number, thread: string, key: string, bytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const request = [
      `POST /v1/threads/${thread}/turns HTTP/1.1`,
      "host: 127.0.0.1",
      "accept: text/event-stream",
      `idempotency-key: ${key}`,
      "content-length: 0",
    ];
    let read = 0;
    const look = (chunk: Buffer): void => {
      read += chunk.length;
      if (read >= bytes) socket.destroy();
    };
    socket
      .on("data", look)
      .on("close", () => resolve())
      .on("error", reject);
    socket.write(`${request.join("\r\n")}\r\n\r\n`, () => {
      if (bytes === 0) socket.destroy();
    });
    setTimeout(() => socket.destroy(), 2000).unref();
  });
}
