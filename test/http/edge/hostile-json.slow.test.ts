import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawRequest, sendRaw } from "../../support/raw-http.ts";
import { unwrap } from "../../support/runtime.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const MB = 1_048_576;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.stop();
});

const HEADERS = ["host: 127.0.0.1", "content-type: application/json"];
const post = (headers: readonly string[], body = "") => rawRequest("POST /v1/threads", [...HEADERS, ...headers], body);
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
function* times<T>(count: number, part: T): Generator<T> {
  for (let i = 0; i < count; i++) yield part;
}
const alive = async (): Promise<boolean> => (await fetch(`${server.url}/healthz`)).ok;
const threads = async (): Promise<number> => unwrap(await server.client().list({ limit: 200 })).threads.length;

/** Expects a refused body to leave nothing behind and the server to continue. */
async function refused(parts: Iterable<string | Uint8Array | number>, status: number, code: string) {
  const before = await threads();
  const answer = await sendRaw(server.port, parts);
  expect(`${answer.status} ${answer.code}`).toBe(`${status} ${code}`);
  expect(answer.text).toMatch(/content-type: application\/problem\+json/i);
  expect([await alive(), await threads()]).toEqual([true, before]);
  return answer;
}

describe("a body over the wire", () => {
  test("of 50 MB is refused before it is sent", async () => {
    const answer = await refused([post([`content-length: ${50 * MB}`])], 413, "body_too_large");
    expect(answer.sent).toBeLessThan(MB);
  });

  test("of 50 MB in pieces without a length is refused when it is over the limit, and not read to its end", async () => {
    const piece = chunk(" ".repeat(65_536));
    const answer = await refused(
      [post(["transfer-encoding: chunked"]), ...times(800, piece), chunk("")],
      413,
      "body_too_large",
    );
    expect(answer.closed).toBe(true);
  });

  test("that is longer than its length ends the connection, because the rest is not a request", async () => {
    const made = await sendRaw(server.port, [
      [`POST /v1/threads HTTP/1.1`, ...HEADERS, "content-length: 2", "", "{}"].join("\r\n"),
      "x".repeat(50_000),
    ]);
    expect(made.text.match(/HTTP\/1\.1 \d{3}/g)?.at(-1)).toBe("HTTP/1.1 400");
    expect([made.closed, await alive()]).toEqual([true, true]);
  });

  test("that is shorter than its length stores nothing", async () => {
    const before = await threads();
    const answer = await sendRaw(server.port, [post(["content-length: 1000"], '{"goal":"half')], 1000);
    expect([answer.status, await threads(), await alive()]).toEqual([0, before, true]);
  });

  test("of a gigabyte of blanks is cut off after a small part of it", async () => {
    const piece = chunk(" ".repeat(MB - 100));
    const used = process.memoryUsage().rss;
    const answer = await refused([post(["transfer-encoding: chunked"]), ...times(1024, piece)], 413, "body_too_large");
    expect(answer.closed).toBe(true);
    expect(answer.sent).toBeLessThan(200 * MB);
    expect(process.memoryUsage().rss - used).toBeLessThan(300 * MB);
  });

  test("of a million keys is refused", async () => {
    const keys = Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":1`).join(",");
    const body = `{"metadata":{${keys}}}`;
    await refused([post([`content-length: ${body.length}`]), body], 413, "body_too_large");
  });

  test("with both a length and chunks is not read at all", async () => {
    const both = ["content-length: 2", "transfer-encoding: chunked"];
    await refused([post(both, `${chunk("{}")}0\r\n\r\n`)], 400, "header_invalid");
    await refused([post(both.toReversed(), `${chunk("{}")}0\r\n\r\n`)], 400, "header_invalid");
  });

  test.each([
    ["two lengths", ["content-length: 2", "content-length: 3"]],
    ["a length that is none", ["content-length: two"]],
    ["a negative length", ["content-length: -2"]],
    ["an encoding nobody knows", ["transfer-encoding: gzip, chunked"]],
    ["a folded header", ["x-a: b", " c: d", "content-length: 2"]],
    ["a header without a name", [": b", "content-length: 2"]],
  ])("with %s is refused", async (_, headers) => {
    const answer = await sendRaw(server.port, [post(headers, "{}")]);
    expect([400, 415, 501]).toContain(answer.status);
    expect(await alive()).toBe(true);
  });

  test("with an invalid chunk size is refused", async () => {
    const answer = await sendRaw(server.port, [post(["transfer-encoding: chunked"], "zz\r\n{}\r\n0\r\n\r\n")]);
    expect([answer.status, await alive()]).toEqual([400, true]);
  });
});

describe("headers over the wire", () => {
  test("a key of 30 MB is refused after the first kilobytes", async () => {
    const piece = "k".repeat(65_536);
    const answer = await refused(
      [`POST /v1/threads HTTP/1.1\r\nhost: 127.0.0.1\r\nidempotency-key: `, ...times(480, piece), "\r\n\r\n"],
      431,
      "headers_too_large",
    );
    expect(answer.closed).toBe(true);
  });

  test("a thousand headers are refused", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `x-${i}: ${i}`);
    const answer = await sendRaw(server.port, [post([...many, "content-length: 2"], "{}")]);
    expect([answer.status, await alive()]).toEqual([431, true]);
  });

  test.each([
    ["a zero byte", "a\u0000b"],
    ["a line break", "a\nb: c\r"],
    ["a lone carriage return", "a\rb"],
  ])("%s in a key is refused", async (_, value) => {
    const answer = await sendRaw(server.port, [post([`idempotency-key: ${value}`, "content-length: 2"], "{}")]);
    expect([answer.status, await alive()]).toEqual([400, true]);
  });
});
