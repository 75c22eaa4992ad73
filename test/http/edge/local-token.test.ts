import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createApp } from "../../../src/http/app.ts";
import { createLocalToken } from "../../../src/http/edge/local-token.ts";
import { callTool } from "../../support/decisions.ts";
import { createTestRuntime } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";
import { createWriteTool } from "../../support/tools.ts";

const HOST = "127.0.0.1:8787";

async function aServerWithToken() {
  const local = createLocalToken({ random: () => randomBytes(32).toString("base64url"), hash: nodeHash });
  const rt = createTestRuntime([callTool("write", { line: "a" }, "confirm")], [createWriteTool([])]);
  const app = createApp(testSettings(rt, { settings: { authenticate: local.authenticate } }), local.routes);
  const request = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await app.request(path, {
      method,
      headers: { host: HOST, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, answer: text === "" ? {} : JSON.parse(text) };
  };
  const created = await request("POST", "/v1/threads", { goal: "Write a line", mode: "direct" });
  const turns = `/v1/threads/${created.answer.thread.id}/turns`;
  const { gate } = (await request("POST", turns, {})).answer.thread;
  const approve = (headers: Record<string, string> = {}) =>
    request(
      "POST",
      turns,
      { input: { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } },
      headers,
    );
  return { local, request, approve };
}

const cookieOf = (headers: Headers): string => headers.get("set-cookie")?.split(";")[0] ?? "";

describe("without the token", () => {
  test.each([
    ["no header", {}],
    ["another key", { authorization: `Bearer pawl_local_${"a".repeat(43)}` }],
    ["a cookie of nobody", { cookie: `pawl_session_8787=${"a".repeat(43)}` }],
  ])("%s approves nothing", async (_, headers) => {
    const { approve, local } = await aServerWithToken();
    expect(await approve(headers)).toMatchObject({ status: 401, answer: { code: "token_required" } });
    expect((await approve({ authorization: `Bearer ${local.token}` })).status).toBe(200);
  });

  test("nothing that approves or administers is allowed", async () => {
    const { request } = await aServerWithToken();
    const refused = { status: 401, answer: { code: "token_required" } };
    expect(await request("PATCH", "/v1/tools/write", { enabled: false })).toMatchObject(refused);
    expect(await request("POST", "/v1/threads", { goal: "x", auto_approve: ["write"] })).toMatchObject(refused);
    expect(await request("POST", "/v1/session/link")).toMatchObject(refused);
    expect(await request("GET", "/v1/hooks")).toMatchObject(refused);
  });

  test("reading, creating and advancing are allowed", async () => {
    const { request } = await aServerWithToken();
    expect((await request("GET", "/v1/gates")).answer.gates).toHaveLength(1);
    expect((await request("POST", "/v1/threads", { goal: "x" })).status).toBe(201);
  });
});

describe("the link", () => {
  test("is exchanged once for a cookie that scripts cannot read and other sites do not send", async () => {
    const { local, request, approve } = await aServerWithToken();
    const token = local.issueLinkCode();
    const opened = await request("POST", "/v1/session", { token });
    expect(opened.status).toBe(204);
    const set = opened.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^pawl_session_8787=[\w-]{43}; /);
    expect(set).toMatch(/; HttpOnly/);
    expect(set).toMatch(/; SameSite=Strict/);
    expect(set).not.toContain(token);
    expect(await request("POST", "/v1/session", { token })).toMatchObject({
      status: 401,
      answer: { code: "token_required" },
    });
    expect((await approve({ cookie: `theme=dark; ${cookieOf(opened.headers)}` })).status).toBe(200);
  });

  test("is not a key, and the token of the terminal is not a link code", async () => {
    const { local, request, approve } = await aServerWithToken();
    const code = local.issueLinkCode();
    expect((await approve({ authorization: `Bearer ${code}` })).status).toBe(401);
    expect((await request("POST", "/v1/session", { token: local.token })).status).toBe(401);
  });

  test("a page of another origin cannot use the cookie of the reader", async () => {
    const { local, request, approve } = await aServerWithToken();
    const { headers } = await request("POST", "/v1/session", { token: local.issueLinkCode() });
    const cookie = cookieOf(headers);
    expect(await approve({ cookie, origin: "http://127.0.0.1:9999" })).toMatchObject({
      status: 403,
      answer: { code: "origin_refused" },
    });
    expect((await approve({ cookie, origin: `http://${HOST}` })).status).toBe(200);
  });

  test("a closed session opens nothing", async () => {
    const { local, request, approve } = await aServerWithToken();
    const { headers } = await request("POST", "/v1/session", { token: local.issueLinkCode() });
    const cookie = cookieOf(headers);
    expect((await request("DELETE", "/v1/session", undefined, { cookie })).status).toBe(204);
    expect((await approve({ cookie })).status).toBe(401);
  });

  test("whoever has the token can make another link", async () => {
    const { local, request } = await aServerWithToken();
    const made = await request("POST", "/v1/session/link", {}, { authorization: `Bearer ${local.token}` });
    expect(made.status).toBe(201);
    expect((await request("POST", "/v1/session", { token: made.answer.token })).status).toBe(204);
  });
});
