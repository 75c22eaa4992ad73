import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callTool } from "../../support/decisions.ts";
import { rawRequest, sendRaw } from "../../support/raw-http.ts";
import { problemCode, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, startTestServer, type TestServer } from "../../support/server.ts";
import { look } from "../../support/tools.ts";

const ADA = apiKeyFor("ada");
const AS_ADA = `authorization: Bearer ${ADA}`;
const ROWS = () => [
  aKeyRow("ada", "acme"),
  aKeyRow("old", "acme", ["read"], "2020-01-01T00:00:00.000Z"),
  aKeyRow("eve", "other"),
];
let rows = ROWS();
let server: TestServer;

function* looks() {
  for (let n = 0; ; n++) yield callTool("look", { at: `place ${n}` });
}

beforeAll(async () => {
  server = await startTestServer({ keys: () => rows, script: looks(), tools: [look] });
});
beforeEach(() => {
  rows = ROWS();
});
afterAll(async () => {
  await server.stop();
});

const ask = (headers: readonly string[], line = "GET /v1/threads", body = "") =>
  sendRaw(server.port, [rawRequest(line, ["host: 127.0.0.1", ...headers], body)]);
const asAda = () => server.client(ADA);
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = (header: object, payload: object, signature = "c2ln"): string =>
  `${base64url(header)}.${base64url(payload)}.${signature}`;
const WHO = { sub: "ada", tenant: "acme", scopes: ["admin"] };

test("a valid key is accepted, which makes the refusals below meaningful", async () => {
  expect((await ask([AS_ADA])).status).toBe(200);
  expect((await ask([AS_ADA.replace("Bearer", "bearer")])).status).toBe(200);
});

describe("who calls", () => {
  test.each([
    ["nobody", []],
    ["two keys", [AS_ADA, AS_ADA]],
    ["a key and another one", [AS_ADA, `authorization: Bearer ${apiKeyFor("eve")}`]],
    ["two schemes", [AS_ADA, "authorization: Basic YTpi"]],
    ["two schemes in one line", [`authorization: Basic YTpi, Bearer ${ADA}`]],
    ["a list of keys", [`authorization: Bearer ${ADA},${apiKeyFor("eve")}`]],
    ["a list of keys with a blank", [`authorization: Bearer ${ADA}, Bearer ${apiKeyFor("eve")}`]],
    ["another scheme", [`authorization: Basic ${Buffer.from(`ada:${ADA}`).toString("base64")}`]],
    ["a key without a scheme", [`authorization: ${ADA}`]],
    ["two blanks before the key", [`authorization: Bearer  ${ADA}`]],
    ["a tab before the key", [`authorization: Bearer\t${ADA}`]],
    ["something behind the key", [`authorization: Bearer ${ADA} x`]],
    ["a key in quotes", [`authorization: Bearer "${ADA}"`]],
    ["an empty key", ["authorization: Bearer "]],
    ["a key in capitals", [`authorization: Bearer ${ADA.toUpperCase()}`]],
    ["a key with another last character", [`authorization: Bearer ${ADA.slice(0, -1)}1`]],
    ["a key with another first character", [`authorization: Bearer pawl_b${ADA.slice(6)}`]],
    ["a key that lacks its last character", [`authorization: Bearer ${ADA.slice(0, -1)}`]],
    ["a key with a zero too many", [`authorization: Bearer ${ADA}0`]],
    ["an expired key", [`authorization: Bearer ${apiKeyFor("old")}`]],
    ["the hash of a key", [`authorization: Bearer ${aKeyRow("ada", "acme").sha256}`]],
    ["a key in another header", [`x-api-key: ${ADA}`]],
    ["a key as a cookie", [`cookie: authorization=Bearer ${ADA}`]],
    ["a token signed by nothing", [`authorization: Bearer ${token({ alg: "none" }, WHO, "")}`]],
    ["a token signed with a public key", [`authorization: Bearer ${token({ alg: "HS256" }, WHO)}`]],
    ["a token whose key is a path", [`authorization: Bearer ${token({ alg: "HS256", kid: "../../dev/null" }, WHO)}`]],
    ["a token whose key is a query", [`authorization: Bearer ${token({ alg: "HS256", kid: "' OR 1=1 --" }, WHO)}`]],
    [
      "a token whose keys are elsewhere",
      [`authorization: Bearer ${token({ alg: "RS256", jku: "http://evil.test/k" }, WHO)}`],
    ],
    ["a token that ends as text", [`authorization: Bearer ${token({ alg: "HS256" }, { ...WHO, exp: "9999999999" })}`]],
    ["a token that never ends", [`authorization: Bearer ${token({ alg: "HS256" }, WHO)}`]],
    ["a token that begins later", [`authorization: Bearer ${token({ alg: "HS256" }, { ...WHO, nbf: 9_999_999_999 })}`]],
  ])("%s is not known", async (_, headers) => {
    const answer = await ask(headers);
    expect(`${answer.status} ${answer.code}`).toBe("401 unauthorized");
    expect(answer.text).toMatch(/www-authenticate: Bearer/i);
    expect(answer.text).not.toContain(ADA);
  });

  test.each([
    ["a zero byte", `authorization: Bearer ${ADA}\u0000`],
    ["a line break", `authorization: Bearer ${ADA}\nx`],
    ["a carriage return", `authorization: Bearer ${ADA}\rx`],
  ])("a key with %s behind it is no header", async (_, header) => {
    expect((await ask([header])).status).toBe(400);
  });

  test("a key in the URL opens nothing", async () => {
    for (const query of [`key=${ADA}`, `access_token=${ADA}`, `authorization=Bearer%20${ADA}`, `ticket=${ADA}`])
      expect((await ask([], `GET /v1/threads?${query}`)).status).toBe(401);
  });

  test("a key is refused as soon as it is removed, and keys of other tenants stay valid", async () => {
    const thread = unwrap(await asAda().create({})).thread.id;
    rows = rows.filter((row) => row.tenant !== "acme");
    expect(problemCode(await asAda().get(thread))).toBe("unauthorized");
    unwrap(await server.client(apiKeyFor("eve")).list());
  });

  test("a key whose tenant was renamed sees nothing of the old one", async () => {
    const thread = unwrap(await asAda().create({})).thread.id;
    rows = [aKeyRow("ada", "acme-2")];
    expect(problemCode(await asAda().get(thread))).toBe("thread_not_found");
    expect(unwrap(await asAda().list()).threads).toEqual([]);
  });
});

describe("headers that claim something", () => {
  test.each([
    "x-tenant-id: other",
    "x-tenant: other",
    "x-pawl-tenant: other",
    "x-forwarded-user: eve",
    "x-user: admin",
  ])("%s is not believed", async (header) => {
    const thread = unwrap(await asAda().create({})).thread.id;
    expect((await ask([AS_ADA, header], `GET /v1/threads/${thread}`)).status).toBe(200);
    const eve = `authorization: Bearer ${apiKeyFor("eve")}`;
    expect((await ask([eve, header.replace("other", "acme")], `GET /v1/threads/${thread}`)).status).toBe(404);
  });

  test.each(["x-http-method-override: DELETE", "x-method-override: DELETE", "x-http-method: DELETE"])(
    "%s deletes nothing",
    async (header) => {
      const thread = unwrap(await asAda().create({})).thread.id;
      for (const line of [`POST /v1/threads/${thread}`, `GET /v1/threads/${thread}?_method=DELETE`])
        expect([200, 405]).toContain((await ask([AS_ADA, header, "content-length: 0"], line)).status);
      unwrap(await asAda().get(thread));
    },
  );

  test("a foreign Host appears in no response", async () => {
    const headers = [AS_ADA, "content-type: application/json", "content-length: 2", "x-forwarded-host: evil.test"];
    const lines = ["POST /v1/threads", "GET /nowhere", "GET /openapi.json", "GET /docs"];
    for (const line of lines) {
      const answer = await sendRaw(server.port, [rawRequest(line, ["host: evil.test", ...headers], "{}")]);
      expect(answer.status).toBeGreaterThan(0);
      expect(answer.text).not.toContain("evil.test");
    }
    const made = await sendRaw(server.port, [rawRequest("POST /v1/threads", ["host: evil.test", ...headers], "{}")]);
    expect(made.text).toMatch(/location: \/v1\/threads\/thr_/i);
  });

  test.each(["host: a b", "host: evil.test/path", "host: user@evil.test", "host: evil.test:99999999"])(
    "an address that is none, %j, is refused",
    async (host) => {
      const answer = await sendRaw(server.port, [rawRequest("GET /v1/threads", [host, AS_ADA])]);
      expect(`${answer.status} ${answer.code}`).toBe("400 header_invalid");
    },
  );

  test("a traceparent of 5 KB is refused, and an invalid one is ignored", async () => {
    const long = await ask([AS_ADA, `traceparent: 00-${"a".repeat(5000)}`]);
    expect(`${long.status} ${long.code}`).toBe("400 header_invalid");
    expect((await ask([AS_ADA, "traceparent: nonsense"])).status).toBe(200);
  });

  test("an incoming x-request-id is not used", async () => {
    const answer = await ask([AS_ADA, "x-request-id: chosen-by-the-caller"]);
    expect(answer.text).toMatch(/x-request-id: req_[0-9a-z]{26}/);
    expect(`${answer.text}${server.logLines.join("")}`).not.toContain("chosen-by-the-caller");
  });
});

describe("marks of a call", () => {
  const turn = async (headers: readonly string[]) => {
    const thread = unwrap(await asAda().create({ goal: "Look", mode: "direct" })).thread.id;
    const answer = await ask([AS_ADA, "content-length: 0", ...headers], `POST /v1/threads/${thread}/turns`);
    return { answer, version: unwrap(await asAda().get(thread)).thread.version };
  };

  test.each([
    ["a key of 256 characters", [`idempotency-key: ${"k".repeat(256)}`]],
    ["a key of 300 characters", [`idempotency-key: ${"k".repeat(300)}`]],
    ["an emoji", ["idempotency-key: 🔑"]],
    ["letters beyond ASCII", ["idempotency-key: clé"]],
    ["two keys in one", ["idempotency-key: a,b"]],
    ["a key twice", ["idempotency-key: a", "idempotency-key: a"]],
    ["a key with a blank", ["idempotency-key: a b"]],
    ["an empty key", ["idempotency-key: "]],
    ["any version", ["if-match: *"]],
    ["a weak version", ['if-match: W/"0"']],
    ["a list of versions", ['if-match: "0", "1"']],
    ["two versions", ['if-match: "0"', 'if-match: "0"']],
    ["a version with a sign", ["if-match: +0"]],
  ])("%s is refused and nothing happens", async (_, headers) => {
    const { answer, version } = await turn(headers);
    expect(`${answer.status} ${answer.code} ${version}`).toBe("400 header_invalid 0");
  });

  test("a key of the maximum length is allowed", async () => {
    const { answer, version } = await turn([`idempotency-key: ${"k".repeat(255)}`]);
    expect([answer.status, version]).toEqual([200, 1]);
  });
});
