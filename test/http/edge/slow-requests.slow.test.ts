import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawRequest, sendRaw } from "../../support/raw-http.ts";
import { unwrap } from "../../support/runtime.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const TIMEOUT_MS = 600;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { limits: { max_turns: 20, request_timeout_ms: TIMEOUT_MS } } });
});
afterAll(async () => {
  await server.stop();
});

function* drip(text: string, every_ms: number): Generator<string | number> {
  for (const char of text) {
    yield char;
    yield every_ms;
  }
}
const post = (length: number) =>
  rawRequest("POST /v1/threads", ["host: 127.0.0.1", "content-type: application/json", `content-length: ${length}`]);
const threads = async (): Promise<number> => unwrap(await server.client().list()).threads.length;

describe("a request that trickles in", () => {
  test("times out in its body, with a problem, and stores nothing", async () => {
    const body = '{"goal":"a very slow wish that nobody waits for"}';
    const answer = await sendRaw(server.port, [post(body.length), ...drip(body, 100)]);
    expect([answer.status, answer.code, answer.closed]).toEqual([408, "request_timeout", true]);
    expect(answer.text).toMatch(/content-type: application\/problem\+json/i);
    expect(await threads()).toBe(0);
  });

  test("times out in its body when nothing more arrives", async () => {
    const answer = await sendRaw(server.port, [post(100), '{"goal":']);
    expect([answer.status, answer.code, answer.closed]).toEqual([408, "request_timeout", true]);
  });

  test("times out in its headers", async () => {
    const answer = await sendRaw(server.port, drip(`GET /v1/threads HTTP/1.1\r\nx-long: ${"a".repeat(100)}`, 50));
    expect([answer.status, answer.code, answer.closed]).toEqual([408, "request_timeout", true]);
  });

  test("times out when it never begins", async () => {
    const answer = await sendRaw(server.port, ["GET "]);
    expect([answer.status, answer.closed]).toEqual([408, true]);
  });

  test("does not block other requests", async () => {
    const slow = Array.from({ length: 50 }, () => sendRaw(server.port, [post(100), '{"goal":']));
    const made = unwrap(await server.client().create({ goal: "quick" }));
    expect(made.thread.version).toBe(0);
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(408);
  });

  test("is read when it is slow but in time", async () => {
    const body = '{"goal":"b"}';
    const answer = await sendRaw(server.port, [post(body.length), 100, body]);
    expect(answer.status).toBe(201);
  });
});

test("a stream and a turn may last longer than a request may take to arrive", async () => {
  const thread = unwrap(await server.client().create({})).thread.id;
  const stop = new AbortController();
  const url = `${server.url}/v1/threads/${thread}/events`;
  const response = await fetch(url, { headers: { accept: "text/event-stream" }, signal: stop.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 3 * TIMEOUT_MS + 1000));
  unwrap(await server.client().remove(thread));
  const rest: string[] = [];
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    rest.push(new TextDecoder().decode(part.value));
  }
  // The connection ended cleanly: the server closed it, and nothing was cut off.
  expect(rest.join("")).not.toContain("problem");
});
