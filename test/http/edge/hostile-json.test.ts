import { beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../../src/http/app.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime, type TestRuntime } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";
import { look } from "../../support/tools.ts";

let rt: TestRuntime;
let app: ReturnType<typeof createApp>;
beforeEach(() => {
  rt = createTestRuntime([callTool("look", { at: "desk" })], [look]);
  app = createApp(testSettings(rt));
});

const JSON_TYPE = { "content-type": "application/json" };
async function post(path: string, body: BodyInit, headers: Record<string, string> = JSON_TYPE) {
  const response = await app.request(path, { method: "POST", headers: { host: "localhost", ...headers }, body });
  const answer = (await response.json()) as { code?: string; message?: string; thread?: { id: string } };
  return { status: response.status, code: answer.code, message: answer.message, thread: answer.thread };
}
const create = (body: BodyInit, headers?: Record<string, string>) => post("/v1/threads", body, headers);
const isEmpty = async (): Promise<boolean> => {
  const response = await app.request("/v1/threads", { headers: { host: "localhost" } });
  return ((await response.json()) as { threads: unknown[] }).threads.length === 0;
};

const utf16 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "utf16le"));
const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);

test.each([
  ['{"gaol":"a"}', "gaol: there is no such field."],
  ['{"goal":"a","budget":{"turn":1}}', "budget.turn: there is no such field."],
])("an unknown field is named with its path: %s", async (body, message) => {
  expect(await create(body)).toMatchObject({ status: 400, code: "request_invalid", message });
  expect(await isEmpty()).toBe(true);
});

describe("a body that is not one plain JSON object", () => {
  test.each<[string, BodyInit]>([
    ["100,000 open brackets", "[".repeat(100_000)],
    ["50,000 objects in each other", '{"a":'.repeat(50_000)],
    ["objects nested by one too many", `{"metadata":${'{"a":'.repeat(64)}1${"}".repeat(64)}}`],
    ["the same key twice", '{"goal":"a","goal":"b"}'],
    ["the same key twice, once escaped", '{"goal":"a","go\\u0061l":"b"}'],
    ["a number too large to be one", '{"budget":{"turns":1e400}}'],
    ["an integer that loses its last digit", '{"budget":{"tokens":9007199254740993}}'],
    ["half a surrogate pair", '{"goal":"\\ud800"}'],
    ["a byte order mark", "\ufeff{}"],
    ["UTF-16", utf16('{"goal":"a"}')],
    ["UTF-16 with its mark", utf16('\ufeff{"goal":"a"}')],
    ["bytes that are no text", bytes(0x7b, 0xff, 0xfe, 0x7d)],
    ["an overlong encoding", bytes(0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d)],
    ["two objects", "{}{}"],
    ["a trailing comma", '{"goal":"a",}'],
    ["a comment", '{"goal":"a"}//'],
    ["NaN", '{"budget":{"usd":NaN}}'],
    ["a single quote", "{'goal':'a'}"],
    ["ten thousand keys and one", `{"metadata":{${Array.from({ length: 10_000 }, (_, i) => `"k${i}":1`).join(",")}}}`],
    ["a zero byte in between", '{"goal":"a"\u0000}'],
    ["a control character in a string", '{"goal":"a\u0001"}'],
  ])("%s is refused and stores nothing", async (_, body) => {
    expect(await create(body)).toMatchObject({ status: 400, code: "body_invalid" });
    expect(await isEmpty()).toBe(true);
  });

  test.each([
    ["{", "body"],
    ['{"goal":"a",}', "body"],
    ['{"reply":1,"reply":2}', "reply"],
    ['{"budget":{"usd":NaN}}', "budget.usd"],
  ])("the problem of %s names the field %s", async (body, field) => {
    const response = await app.request("/v1/threads", {
      method: "POST",
      headers: { host: "localhost", ...JSON_TYPE },
      body,
    });
    expect(await response.json()).toMatchObject({ field, message: expect.stringContaining(`${field}: `) });
  });

  test.each<[string, BodyInit]>([
    ["a list", "[]"],
    ["a string", '"goal"'],
    ["null", "null"],
    ["a number", "1"],
    ["a field nobody knows", '{"goal":"a","thread_id":"thr_1"}'],
    ["a prototype", '{"__proto__":{"goal":"a"}}'],
    ["a constructor", '{"constructor":{"prototype":{"goal":"a"}}}'],
    ["a field of another type", '{"goal":1}'],
    ["a blank goal", '{"goal":" \\n "}'],
    ["a negative budget", '{"budget":{"turns":-1}}'],
    ["a budget with a fraction of a turn", '{"budget":{"turns":1.5}}'],
    ["the agent of a prototype", '{"agent":"__proto__"}'],
    ["the agent constructor", '{"agent":"constructor"}'],
    ["the parent of somebody else", '{"goal":"a","parent":"thr_00000000000000000000000000"}'],
  ])("%s is refused and stores nothing", async (_, body) => {
    expect(await create(body)).toMatchObject({ status: 400, code: "request_invalid" });
    expect(await isEmpty()).toBe(true);
  });
});

describe("a body that is too large", () => {
  test("is refused by its size, one byte over the limit", async () => {
    const filled = (size: number): string => `{"goal":"a"}${" ".repeat(size - 12)}`;
    expect(await create(filled(1_048_577))).toMatchObject({ status: 413, code: "body_too_large" });
    expect(await create(filled(1_048_576))).toMatchObject({ status: 201 });
  });

  test("is refused by its declared length", async () => {
    const headers = { ...JSON_TYPE, "content-length": "52428800" };
    expect(await create("{}", headers)).toMatchObject({ status: 413, code: "body_too_large" });
  });

  test.each(["metadata", "tools", "auto_approve"])("thousands of keys are refused in %s", async (field) => {
    const names = Array.from({ length: 15_000 }, (_, i) => `"k${i}"`);
    const value =
      field === "auto_approve" ? `[${names.join(",")}]` : `{${names.map((name) => `${name}:true`).join(",")}}`;
    const refused = await create(`{"${field}":${value}}`);
    expect([400, 413]).toContain(refused.status);
    expect(await isEmpty()).toBe(true);
  });

  test("names of tools that would fill the state are refused", async () => {
    const long = "x".repeat(20_000);
    expect((await create(`{"auto_approve":["${long}"]}`)).status).toBe(400);
    expect((await create(`{"tools":{"${long}":true}}`)).status).toBe(400);
    expect(await isEmpty()).toBe(true);
  });

  test("texts above 16 KB are refused wherever they come in", async () => {
    const long = "x".repeat(16_385);
    expect(await create(JSON.stringify({ goal: long }))).toMatchObject({ status: 413, code: "input_too_large" });
    const { thread } = await create("{}");
    const turn = (input: object) => post(`/v1/threads/${thread?.id}/turns`, JSON.stringify({ input }));
    const gate_id = `gat_${"0".repeat(26)}`;
    expect(await turn({ type: "message", text: long })).toMatchObject({ status: 413, code: "input_too_large" });
    expect(await turn({ type: "answer", gate_id, text: long })).toMatchObject({ status: 413 });
    expect(await turn({ type: "confirm", gate_id, digest: "x", decision: "reject", reason: long })).toMatchObject({
      status: 413,
    });
    expect(await turn({ type: "resolve", gate_id, outcome: "abort", note: long })).toMatchObject({ status: 413 });
    expect(await create(JSON.stringify({ metadata: { a: "x".repeat(2048) } }))).toMatchObject({ status: 413 });
  });

  test("compressed bodies are not decompressed", async () => {
    const { gzipSync } = await import("node:zlib");
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const refused = await create(new Uint8Array(bomb), { ...JSON_TYPE, "content-encoding": "gzip" });
    expect(refused).toMatchObject({ status: 415, code: "content_type_unsupported" });
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])(
    "and of another type, %j, is not read",
    async (type) => {
      expect(await create('{"goal":"a"}', { "content-type": type })).toMatchObject({ status: 415 });
    },
  );
});

describe("names of prototypes", () => {
  const SOIL = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';

  test("in metadata change nothing but what is stored", async () => {
    const made = await create(`{"goal":"a","metadata":${SOIL}}`);
    expect(made.status).toBe(201);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const response = await app.request(`/v1/threads/${made.thread?.id}`, { headers: { host: "localhost" } });
    const { metadata } = (await response.json()) as { metadata: Record<string, unknown> };
    expect(Object.hasOwn(metadata, "polluted")).toBe(false);
    expect(JSON.stringify(metadata)).toBe(SOIL);
    expect(metadata.constructor).toEqual({ prototype: { polluted: 1 } });
  });

  test("in edited arguments are data, and no tool is called with them", async () => {
    const { thread } = await create('{"goal":"a","mode":"direct"}');
    const input = `{"type":"confirm","gate_id":"gat_${"0".repeat(26)}","digest":"x","decision":"approve","edited_arguments":${SOIL}}`;
    expect(await post(`/v1/threads/${thread?.id}/turns`, `{"input":${input}}`)).toMatchObject({
      status: 409,
      code: "gate_closed",
    });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each([
    "?__proto__=1",
    "?constructor[prototype][polluted]=1",
    "?state=__proto__",
    "?limit=__proto__",
    "?cursor=__proto__",
  ])("in the address %s change nothing", async (query) => {
    const response = await app.request(`/v1/threads${query}`, { headers: { host: "localhost" } });
    expect([200, 400]).toContain(response.status);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

test("a blank message is refused and stores nothing", async () => {
  const { thread } = await create("{}");
  const input = { type: "message", text: " \n " };
  const refused = await post(`/v1/threads/${thread?.id}/turns`, JSON.stringify({ input }));
  expect(refused).toMatchObject({ status: 400, code: "request_invalid" });
});

test("an invalid version is refused", async () => {
  const { thread } = await create('{"goal":"a","mode":"direct"}');
  for (const version of ["9007199254740993", "1e3", "-1", "0x1", '"1', "1,2", "*", 'W/"1"', ""]) {
    const refused = await post(`/v1/threads/${thread?.id}/turns`, "{}", { ...JSON_TYPE, "if-match": version });
    expect(`${version} ${refused.status} ${refused.code}`).toBe(`${version} 400 header_invalid`);
  }
});
