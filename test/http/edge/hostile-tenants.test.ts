import { beforeAll, describe, expect, test } from "vitest";
import { parseKeys } from "../../../src/hosts/shared/keys-file.ts";
import { createApp, ROUTES } from "../../../src/http/app.ts";
import { ApiKeyRecord } from "../../../src/http/edge/api-keys.ts";
import { SCOPES } from "../../../src/http/edge/caller.ts";
import { TenantId, ThreadId } from "../../../src/schema/ids.ts";
import { ask, callTool } from "../../support/decisions.ts";
import { codeOfRefusal } from "../../support/refusal.ts";
import { createTestRuntime, problemCode, type TestRuntime } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";
import { createWriteTool, look } from "../../support/tools.ts";

const SECRET = "the merger with Initech";
const LARGE = `${"confidential ".repeat(600)}end`;
const rows = [
  aKeyRow("ada", "acme"),
  aKeyRow("eve", "other"),
  aKeyRow("old", "acme", SCOPES, "2020-01-01T00:00:00.000Z"),
  ...SCOPES.map((scope) => aKeyRow(`only-${scope}`, "acme", [scope])),
];
let rt: TestRuntime;
let app: ReturnType<typeof createApp>;
let own: string;

type Sent = {
  readonly status: number;
  readonly text: string;
  readonly replayed: string | null;
  readonly asks: string | null;
};
async function send(name: string | null, method: string, path: string, body?: object, key?: string): Promise<Sent> {
  const response = await app.request(path, {
    method,
    headers: {
      ...(name ? { authorization: `Bearer ${apiKeyFor(name)}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
      ...(key ? { "idempotency-key": key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return {
    status: response.status,
    text: await response.text(),
    replayed: response.headers.get("idempotency-replayed"),
    asks: response.headers.get("www-authenticate"),
  };
}
const parse = ({ text }: Sent) => JSON.parse(text);
const codeOf = (sent: Sent) => codeOfRefusal(parse(sent));

beforeAll(async () => {
  rt = createTestRuntime([ask("Which one?"), callTool("write", { line: LARGE })], [look, createWriteTool([])]);
  app = createApp(testSettings(rt, { keys: () => rows }));
  own = parse(await send("ada", "POST", "/v1/threads", { goal: SECRET, mode: "direct", metadata: { of: SECRET } }))
    .thread.id;
  await send("ada", "POST", `/v1/threads/${own}/turns`);
});

/** Returns the address of a route for a thread with an existing turn. */
const at = (path: string, id: string): string =>
  path.replace(":id", id).replace(":n", "1").replace(":name", "look").replace(":code", "gate_open");
/** Returns a body that the route accepts. */
const bodyFor = (method: string, path: string): object | undefined => {
  if (method === "PATCH") return path.endsWith("/threads/:id") ? { title: "x" } : { enabled: true };
  if (path.endsWith("/fork")) return { turn: 0 };
  if (path.endsWith("/poke")) return { text: "x" };
  return method === "POST" ? {} : undefined;
};
const guarded = ROUTES.filter(({ scope }) => scope !== null).map(
  ({ method, path, scope }) => [method.toUpperCase(), path, scope ?? "read"] as const,
);
describe("every route that needs a caller", () => {
  test("there are some", () => {
    expect(guarded.length).toBeGreaterThan(15);
  });

  test.each(guarded)("%s %s refuses requests without a key and with an expired one", async (method, path) => {
    for (const name of [null, "old", "unknown"]) {
      const sent = await send(name, method, at(path, own), bodyFor(method, path));
      expect(`${name} ${sent.status} ${codeOf(sent)} ${sent.asks}`).toBe(`${name} 401 unauthorized Bearer`);
      expect(sent.text).not.toContain(SECRET);
    }
  });

  test.each(guarded)("%s %s refuses requests without its scope %s", async (method, path, scope) => {
    for (const other of SCOPES.filter((one) => one !== scope)) {
      const sent = await send(`only-${other}`, method, at(path, own), bodyFor(method, path));
      expect(`${other} ${sent.status} ${codeOf(sent)}`).toBe(`${other} 403 forbidden`);
      expect(sent.text).not.toContain(SECRET);
    }
  });

  test("leaves the owner's data unchanged", async () => {
    const { thread, metadata } = parse(await send("ada", "GET", `/v1/threads/${own}`));
    expect([thread.version, thread.goal, metadata]).toEqual([1, SECRET, { of: SECRET }]);
  });

  test.each(["/v1/threads", "/v1/gates"])("GET %s shows another tenant nothing", async (path) => {
    expect((await send("ada", "GET", path)).text).toContain(SECRET);
    expect(Object.values(parse(await send("eve", "GET", path)))).toEqual([[], null]);
  });
});

describe("ids that try to address something else", () => {
  test.each([
    "%2e%2e/acme/t1",
    "..%2facme%2ft1",
    "..%5cacme%5ct1",
    "%252e%252e%252facme",
    "other%23META",
    "x%23META",
    "acme%3Athr_1",
    "acme:thr_1",
    "%00",
    "thr_%00",
    "*",
    "%25",
    "'%20OR%201=1--",
    "__proto__",
    "constructor",
  ])("%s finds nothing", async (id) => {
    for (const name of ["ada", "eve"]) {
      const sent = await send(name, "GET", `/v1/threads/${id}/turns`);
      expect([sent.status, sent.text.includes(SECRET)]).toEqual([404, false]);
    }
  });

  test.each(["%23other", "%00", "%20", "%2F", "x", "%2e", "?%00"])(
    "an id with %s behind it is another one",
    async (tail) => {
      const found = await send("ada", "GET", `/v1/threads/${own}${tail}`);
      // Text after a question mark is not part of the id.
      expect(found.status).toBe(tail.startsWith("?") ? 200 : 404);
    },
  );

  test("an id in capitals is another one", async () => {
    expect((await send("ada", "GET", `/v1/threads/${own.toUpperCase()}`)).status).toBe(404);
  });
});

describe("what belongs to one tenant and is used by another", () => {
  test("the key of a create request creates a separate thread", async () => {
    const first = parse(await send("ada", "POST", "/v1/threads", { goal: SECRET }, "same-key"));
    const second = await send("eve", "POST", "/v1/threads", { goal: SECRET }, "same-key");
    expect([second.status, second.replayed]).toEqual([201, null]);
    expect(parse(second).thread.id).not.toBe(first.thread.id);
    const third = await send("eve", "POST", "/v1/threads", { goal: "something else" }, "another-key");
    expect(third.replayed).toBeNull();
  });

  test("the key of a turn repeats nothing", async () => {
    await send(
      "ada",
      "POST",
      `/v1/threads/${own}/turns`,
      { input: { type: "message", text: "the first" } },
      "turn-key",
    );
    const again = await send(
      "eve",
      "POST",
      `/v1/threads/${own}/turns`,
      { input: { type: "message", text: "the first" } },
      "turn-key",
    );
    expect([again.status, again.replayed]).toEqual([404, null]);
  });

  test("a cursor reads only the caller's own list, even if it was edited", async () => {
    for (let i = 0; i < 3; i++) await send("ada", "POST", "/v1/threads", { goal: SECRET });
    const { cursor } = parse(await send("ada", "GET", "/v1/threads?limit=1"));
    const foreign = await send("eve", "GET", `/v1/threads?cursor=${cursor}`);
    expect([foreign.status, foreign.text.includes(own)]).toEqual([200, false]);
    const edit = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const edited = edit(["2999-01-01T00:00:00.000Z", own, ""]);
    const all = parse(await send("eve", "GET", `/v1/threads?cursor=${edited}`));
    for (const thread of all.threads) expect(thread.id).not.toBe(own);
    for (const parts of [["2999-01-01T00:00:00.000Z", "x' OR 1=1", ""], ["now", own, ""], [own], {}, null, "x"])
      expect((await send("eve", "GET", `/v1/threads?cursor=${edit(parts)}`)).status).toBe(400);
  });

  test("a gate cannot be answered", async () => {
    const { thread } = parse(await send("ada", "GET", `/v1/threads/${own}`));
    const gate = thread.gate;
    const input = { type: "confirm", gate_id: gate.id, digest: gate.digest ?? "0", decision: "approve" };
    const mine = parse(await send("eve", "POST", "/v1/threads", { goal: "mine", mode: "direct" })).thread.id;
    expect((await send("eve", "POST", `/v1/threads/${own}/turns`, { input })).status).toBe(404);
    expect(parse(await send("eve", "POST", `/v1/threads/${mine}/turns`, { input })).code).toBe("gate_closed");
  });

  test("a blob is found by its hash nowhere but in its own thread", async () => {
    const { thread } = parse(await send("ada", "GET", `/v1/threads/${own}`));
    const hash = thread.gate.call.arguments_blob as string;
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const mine = ThreadId.parse(parse(await send("eve", "POST", "/v1/threads", {})).thread.id);
    const [acme, other] = [TenantId.parse("acme"), TenantId.parse("other")];
    const looks = [
      { tenant: other, thread: ThreadId.parse(own) },
      { tenant: other, thread: mine },
      { tenant: acme, thread: mine },
    ];
    for (const place of looks) expect(problemCode(await rt.store.getBlob(place, hash))).toMatch(/not_found$/);
    for (const path of [`/v1/blobs/${hash}`, `/v1/threads/${mine}/blobs/${hash}`, `/v1/receipts/${hash}`])
      expect((await send("eve", "GET", path)).status).toBe(404);
  });
});

test.each(["a:b", "a/b", "a#b", "a b", "A", "", "a\u0000b", "..", "é", "a".repeat(64)])(
  "%j is no name of a tenant, so no store's key can be built with it",
  (tenant) => {
    expect(TenantId.safeParse(tenant).success).toBe(false);
    expect(ApiKeyRecord.safeParse({ ...rows[0], tenant }).success).toBe(false);
    if (!/[:,]/.test(tenant)) expect(parseKeys(`ada:${tenant}:read:${apiKeyFor("ada")}`).ok).toBe(false);
  },
);
