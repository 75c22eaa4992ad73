import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { LiveClient, ServerFrame } from "../../../src/client/live.ts";
import { ask, callTool } from "../../support/decisions.ts";
import { createTestClock, unwrap } from "../../support/runtime.ts";
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

type FrameOf<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;
/** Returns the next frame of a kind and skips those before it. */
async function frame<T extends ServerFrame["type"]>(live: LiveClient, type: T): Promise<FrameOf<T>> {
  for (;;) {
    const { value, done } = await live.frames.next();
    if (done) throw new Error(`the socket ended before ${type}`);
    if (value.type === type) return value as FrameOf<T>;
  }
}

/** Creates a thread with an open question, or with a write that waits for its approval. */
async function aGate(kind: "question" | "confirmation", facts: TestServerOptions = {}, key?: string) {
  const ledger: string[] = [];
  const script = [
    kind === "question" ? ask("Which line?") : callTool("write", { line: "a" }),
    callTool("look", { at: "after" }),
  ];
  const server = await start({ script, tools: [look, createWriteTool(ledger)], ...facts });
  const client = server.client(key);
  const { thread } = unwrap(await client.create({ goal: "Tidy up", mode: "direct" }));
  const { gate } = unwrap(await client.advance(thread.id)).thread;
  if (!gate) throw new Error("no gate");
  const digest = "digest" in gate ? gate.digest : "";
  return { server, client, thread: thread.id, gate, digest, ledger };
}

const socketOf = (server: TestServer, path: string, headers: Record<string, string> = {}): WebSocket =>
  new WebSocket(`${server.url.replace("http", "ws")}${path}`, { headers });
const refusalOf = (socket: WebSocket): Promise<{ status: number; body: { code: string } }> =>
  new Promise((resolve) => {
    socket.on("error", () => undefined);
    socket.on("unexpected-response", (_, response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
  });
const closeOf = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.on("close", resolve));
const opened = (socket: WebSocket): Promise<void> => new Promise((resolve) => socket.on("open", resolve));

describe("the socket of a thread", () => {
  test("sends the same events as the stream, from any requested position", async () => {
    const { client, thread } = await aGate("question");
    const page = unwrap(await client.call<{ events: unknown[] }>("GET", `/v1/threads/${thread}/events`));
    for (const after of [-1, 1]) {
      const live = unwrap(await client.live(thread, { after }));
      const seen = [];
      while (seen.length < page.events.length - after - 1) seen.push((await live.frames.next()).value);
      expect(seen).toEqual(page.events.slice(after + 1));
      live.close();
    }
  });

  test("accepts an answer to a question, and the turn continues", async () => {
    const { client, thread, gate } = await aGate("question");
    const live = unwrap(await client.live(thread));
    live.send({ type: "clarify_response", requestId: gate.id, answer: "the second" });
    const { requestId, response } = await frame(live, "response");
    expect(requestId).toBe(gate.id);
    expect(response).toMatchObject({
      thread: { gate: null, turn: 2 },
      turn: { receipts: [{ source: "user_reply" }, { name: "look" }] },
    });
    expect(unwrap(await client.get(thread)).thread.version).toBe(2);
    live.close();
  });

  test.each([
    ["approves", "approve", 1],
    ["rejects", "reject", 0],
  ] as const)("%s a call, as a person with the key that asks", async (_, decision, writes) => {
    const { client, thread, gate, digest, ledger } = await aGate("confirmation");
    const live = unwrap(await client.live(thread));
    live.send({ type: "tool_confirmation_response", requestId: gate.id, digest, decision, reason: "because" });
    const { response } = await frame(live, "response");
    expect(response.thread.gate).toBeNull();
    expect(response.turn?.receipts.at(-1)).toMatchObject({ gate_id: gate.id, actor: "tester", success: writes === 1 });
    expect(ledger).toHaveLength(writes);
    live.close();
  });

  test("approves with other arguments", async () => {
    const { client, thread, gate, digest, ledger } = await aGate("confirmation");
    const live = unwrap(await client.live(thread));
    const edited_arguments = { line: "mine" };
    live.send({
      type: "tool_confirmation_response",
      requestId: gate.id,
      digest,
      decision: "approve",
      edited_arguments,
    });
    await frame(live, "response");
    expect(ledger).toEqual([expect.stringMatching(/:mine$/)]);
    live.close();
  });

  test("waits, and receives what was answered by POST", async () => {
    const { client, thread, gate, digest, ledger } = await aGate("confirmation");
    const live = unwrap(await client.live(thread));
    unwrap(await client.advance(thread, { type: "confirm", gate_id: gate.id, digest, decision: "approve" }));
    expect(await frame(live, "gate.closed")).toMatchObject({ gate_id: gate.id, how: "approved" });
    live.send({ type: "tool_confirmation_response", requestId: gate.id, digest, decision: "approve" });
    expect((await frame(live, "problem")).problem).toMatchObject({ code: "gate_closed", status: 409 });
    expect(ledger).toHaveLength(1);
    live.close();
  });

  test("answers, and a POST of the same comes too late", async () => {
    const { client, thread, gate, digest, ledger } = await aGate("confirmation");
    const live = unwrap(await client.live(thread));
    live.send({ type: "tool_confirmation_response", requestId: gate.id, digest, decision: "approve" });
    await frame(live, "response");
    const late = await client.advance(thread, { type: "confirm", gate_id: gate.id, digest, decision: "approve" });
    expect(late).toMatchObject({ ok: false, problem: { code: "gate_closed" } });
    expect(ledger).toHaveLength(1);
    live.close();
  });

  test("and a POST at the same moment: exactly one wins, every time", async () => {
    for (let round = 0; round < 20; round++) {
      const { client, thread, gate, digest, ledger } = await aGate("confirmation");
      const live = unwrap(await client.live(thread));
      live.send({ type: "tool_confirmation_response", requestId: gate.id, digest, decision: "approve" });
      const posted = await client.advance(thread, { type: "confirm", gate_id: gate.id, digest, decision: "approve" });
      let own: ServerFrame["type"] = "pong";
      while (own !== "response" && own !== "problem") own = (await live.frames.next()).value.type;
      expect([posted.ok, own === "response"].filter(Boolean)).toHaveLength(1);
      expect(ledger).toHaveLength(1);
      live.close();
    }
  });

  test("reports a wrong digest as a problem, and the gate stays open", async () => {
    const { client, thread, gate, ledger } = await aGate("confirmation");
    const live = unwrap(await client.live(thread));
    live.send({ type: "tool_confirmation_response", requestId: gate.id, digest: "0".repeat(64), decision: "approve" });
    const { requestId, problem } = await frame(live, "problem");
    expect([requestId, problem.code]).toEqual([gate.id, "digest_mismatch"]);
    expect(unwrap(await client.get(thread)).thread.gate?.id).toBe(gate.id);
    expect(ledger).toEqual([]);
    live.close();
  });

  test.each([
    ["not JSON", "{", "body_invalid"],
    ["two keys of one name", '{"type":"ping","type":"ping"}', "body_invalid"],
    ["a nest of brackets", "[".repeat(1000), "body_invalid"],
    ["a frame nobody knows", '{"type":"drop_tables"}', "request_invalid"],
    ["a field nobody knows", '{"type":"ping","extra":1}', "request_invalid"],
    ["an answer to nothing", '{"type":"clarify_response","requestId":"x","answer":"y"}', "gate_closed"],
    [
      "a yes without a digest",
      `{"type":"tool_confirmation_response","requestId":"gat_${"0".repeat(26)}","decision":"approve"}`,
      "request_invalid",
    ],
    [
      "an answer longer than 16 KB",
      JSON.stringify({ type: "clarify_response", requestId: `gat_${"0".repeat(26)}`, answer: "x".repeat(16_385) }),
      "input_too_large",
    ],
  ])("refuses %s and stays open", async (_, text, code) => {
    const { server, thread } = await aGate("question");
    const socket = socketOf(server, `/v1/threads/${thread}/live?after=1000`);
    const next = (): Promise<{ type: string; problem: { code: string } }> =>
      new Promise((resolve) => socket.once("message", (data) => resolve(JSON.parse(String(data)))));
    await opened(socket);
    const refused = next();
    socket.send(text);
    expect(await refused).toMatchObject({ type: "problem", problem: { code } });
    const pong = next();
    socket.send('{"type":"ping"}');
    expect(await pong).toEqual({ type: "pong" });
    socket.close();
  });

  test.each([
    ["bytes", Buffer.from([1, 2, 3]), 1003],
    ["a frame larger than a body may be", "x".repeat(1_048_577), 1009],
  ])("closes on %s", async (_, data, code) => {
    const { server, thread } = await aGate("question");
    const socket = socketOf(server, `/v1/threads/${thread}/live`);
    await opened(socket);
    const closed = closeOf(socket);
    socket.send(data);
    expect(await closed).toBe(code);
  });

  test("closes on a flood of answers while one is processed", async () => {
    const { server, thread, gate } = await aGate("question", {
      script: [ask("Which line?"), { delay: 1000 }, ask("And now?")],
    });
    const socket = socketOf(server, `/v1/threads/${thread}/live`);
    await opened(socket);
    const closed = closeOf(socket);
    for (let i = 0; i < 40; i++)
      socket.send(JSON.stringify({ type: "clarify_response", requestId: gate.id, answer: "a" }));
    expect(await closed).toBe(1013);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(unwrap(await server.client().get(thread)).thread.version).toBe(2);
  });

  test("closes when the server stops", async () => {
    const { server, thread } = await aGate("question");
    const socket = socketOf(server, `/v1/threads/${thread}/live`);
    await opened(socket);
    const closed = closeOf(socket);
    expect(await server.stop()).toBe(true);
    expect(await closed).toBe(1001);
  });

  test("disconnects a reader that answers no ping", async () => {
    const clock = createTestClock();
    const { server, thread } = await aGate("question", { runtime: { clock } });
    const deaf = new WebSocket(`${server.url.replace("http", "ws")}/v1/threads/${thread}/live`, { autoPong: false });
    const alive = socketOf(server, `/v1/threads/${thread}/live`);
    await Promise.all([opened(deaf), opened(alive)]);
    let pings = 0;
    alive.on("ping", () => {
      pings += 1;
    });
    const gone = closeOf(deaf);
    for (let second = 0; second < 40; second++) {
      clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await gone).toBe(1006);
    expect([pings, alive.readyState]).toEqual([2, WebSocket.OPEN]);
    alive.close();
  });
});

describe("who may open the socket", () => {
  const keys = () => [
    aKeyRow("ada", "acme"),
    aKeyRow("reader", "acme", ["read"]),
    aKeyRow("driver", "acme", ["read", "advance"]),
    aKeyRow("eve", "other"),
    aKeyRow("old", "acme", ["read"], "2020-01-01T00:00:00.000Z"),
  ];
  const as = (name: string) => ({ authorization: `Bearer ${apiKeyFor(name)}` });

  test("a caller with a key in the header", async () => {
    const { server, thread } = await aGate("question", { keys }, apiKeyFor("ada"));
    const socket = socketOf(server, `/v1/threads/${thread}/live`, as("ada"));
    await opened(socket);
    socket.close();
  });

  test.each([
    ["nobody", {}, 401, "unauthorized"],
    ["an unknown key", as("mallory"), 401, "unauthorized"],
    ["an expired key", as("old"), 401, "unauthorized"],
    ["a key twice", { authorization: `${as("ada").authorization}, ${as("ada").authorization}` }, 401, "unauthorized"],
    ["another tenant", as("eve"), 404, "thread_not_found"],
  ])("not %s, and the refusal says why", async (_, headers, status, code) => {
    const { server, thread } = await aGate("question", { keys }, apiKeyFor("ada"));
    const refused = await refusalOf(socketOf(server, `/v1/threads/${thread}/live`, headers));
    expect(refused).toMatchObject({ status, body: { code } });
  });

  test("a foreign page never opens one on a server without keys", async () => {
    const { server, thread } = await aGate("question");
    const refused = await refusalOf(socketOf(server, `/v1/threads/${thread}/live`, { origin: "https://evil.test" }));
    expect(refused).toMatchObject({ status: 403, body: { code: "origin_refused" } });
  });

  test("a plain request gets a problem that says it is a WebSocket", async () => {
    const { server, thread } = await aGate("question");
    const response = await fetch(`${server.url}/v1/threads/${thread}/live`);
    expect([response.status, response.headers.get("upgrade"), (await response.json()).code]).toEqual([
      426,
      "websocket",
      "upgrade_required",
    ]);
  });

  test("the scopes on the socket are those of POST", async () => {
    for (const [name, code] of [
      ["reader", "forbidden"],
      ["driver", "forbidden"],
    ] as const) {
      const { server, thread, gate, digest, ledger } = await aGate("confirmation", { keys }, apiKeyFor("ada"));
      const client = server.client(apiKeyFor(name));
      const live = unwrap(await client.live(thread));
      live.send({ type: "tool_confirmation_response", requestId: gate.id, digest, decision: "approve" });
      const { problem } = await frame(live, "problem");
      const posted = await client.advance(thread, { type: "confirm", gate_id: gate.id, digest, decision: "approve" });
      expect([problem.code, posted.ok ? "ok" : posted.problem.code]).toEqual([code, code]);
      expect(ledger).toEqual([]);
      live.close();
    }
    const { server, thread, gate } = await aGate("question", { keys }, apiKeyFor("ada"));
    const live = unwrap(await server.client(apiKeyFor("driver")).live(thread));
    live.send({ type: "clarify_response", requestId: gate.id, answer: "this" });
    expect((await frame(live, "response")).response.turn?.actor).toBe("driver");
    live.close();
  });

  test("a revoked key answers nothing more, and its socket is closed", async () => {
    let rows = keys();
    const { server, thread, gate } = await aGate("question", { keys: () => rows }, apiKeyFor("ada"));
    const live = unwrap(await server.client(apiKeyFor("ada")).live(thread));
    rows = rows.filter((row) => row.name !== "ada");
    live.send({ type: "clarify_response", requestId: gate.id, answer: "this" });
    expect((await frame(live, "problem")).problem.code).toBe("unauthorized");
    expect((await live.closed).code).toBe(4401);
    expect(unwrap(await server.client(apiKeyFor("driver")).get(thread)).thread.gate?.id).toBe(gate.id);
  });
});
