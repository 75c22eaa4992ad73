// Tests every route with every set of scopes: who is refused, and that nothing that gives approvals works without
// `confirm`.
import { describe, expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createApp, ROUTES, type Route } from "../../../src/http/app.ts";
import { type ApiScope, SCOPES } from "../../../src/http/edge/caller.ts";
import { aboutRoutes } from "../../../src/http/routes/about.ts";
import { confirmRoutes } from "../../../src/http/routes/confirm-link.ts";
import { webhookRoutes } from "../../../src/http/routes/webhooks.ts";
import { verifyExport, writeExport } from "../../../src/schema/export.ts";
import type { ConfirmationGate } from "../../../src/schema/gate.ts";
import { ok } from "../../../src/schema/problem.ts";
import { exportThread } from "../../../src/threads/export-thread.ts";
import { importThread } from "../../../src/threads/import-thread.ts";
import { createTimetable } from "../../support/calendars.ts";
import { callTool, plan } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";
import { aKeyRow, apiKeyFor, testSettings } from "../../support/server.ts";
import { createTestEndpoint } from "../../support/test-endpoint.ts";
import { createWriteTool, look } from "../../support/tools.ts";

const HOST_ROUTES: readonly Route[] = [
  ...webhookRoutes(createTestEndpoint()),
  ...confirmRoutes({ secret: "s".repeat(64), base: "" }),
  ...createTimetable().routes,
  ...aboutRoutes({ model: "m", demo: false, data: "" }),
];
const ALL = [...ROUTES, ...HOST_ROUTES];

const SUBSETS = Array.from({ length: 2 ** SCOPES.length - 1 }, (_, bits) =>
  SCOPES.filter((_scope, n) => ((bits + 1) >> n) & 1),
);
const nameOf = (scopes: readonly ApiScope[]): string => scopes.join("-");

/** Creates what exists before the request, as a caller who may do everything. */
async function aPlace() {
  // A reply that is not a plan is corrected twice, so the model may be asked three times.
  const replies = Array.from({ length: 3 }, () => callTool("write", { line: "a" }));
  const rt = createTestRuntime(replies, [look, createWriteTool([])]);
  const rows = [aKeyRow("root", "local"), ...SUBSETS.map((scopes) => aKeyRow(nameOf(scopes), "local", scopes))];
  const app = createApp(testSettings(rt, { keys: () => rows }), HOST_ROUTES);
  const send = async (key: string, method: string, path: string, body?: unknown): Promise<Response> => {
    const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
    return app.request(path, {
      method,
      headers: { authorization: `Bearer ${apiKeyFor(key)}`, ...(body === undefined ? {} : { "content-type": type }) },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  };
  const make = async (path: string, body: unknown): Promise<Record<string, { id: string }>> => {
    const made = await send("root", "POST", path, body);
    if (made.status !== 201) throw new Error(`${path}: ${made.status} ${await made.text()}`);
    return (await made.json()) as Record<string, { id: string }>;
  };
  return { rt, send, make };
}
type Place = Awaited<ReturnType<typeof aPlace>>;

const WHEN = { kind: "interval", every_s: 60 };
const AUTO = { kind: "thread", create: { goal: "Go", auto_approve: ["write"] } };
const PLAIN = { kind: "thread", create: { goal: "Go" } };
const HOOK = { name: "desk", url: "https://example.com/", events: ["gate.opened"] };
const INBOUND = { name: "in", what: { kind: "thread", create: { goal: "Go" } } };

const threadIn = async ({ make }: Place): Promise<string> =>
  (await make("/v1/threads", { goal: "Go", mode: "direct" })).thread?.id ?? "";
const scheduleIn = async ({ make }: Place, what: object): Promise<string> =>
  (await make("/v1/schedules", { name: "s", when: WHEN, what, enabled: false })).schedule?.id ?? "";
const webhookIn = async ({ make }: Place, links: boolean): Promise<string> =>
  (await make("/v1/webhooks", { ...HOOK, links })).webhook?.id ?? "";
const hookIn = async ({ make }: Place): Promise<string> => (await make("/v1/hooks", INBOUND)).hook?.id ?? "";
/** A client tool that is trusted more than by default, which removes an approval. */
const TRUSTED = [{ name: "t", description: "t", input: { type: "object" }, outward: false }];
const TRUSTING = { name: "in", what: { kind: "thread", create: { goal: "Go", client_tools: TRUSTED } } };
const trustingIn = async ({ make }: Place): Promise<string> => (await make("/v1/hooks", TRUSTING)).hook?.id ?? "";
const inboundRequests = (base: string): Readonly<Record<string, readonly Request[]>> => ({
  [`post ${base}`]: [
    { title: "an inbound webhook", to: async () => [base, INBOUND] },
    { title: "one with a trusted tool", approves: true, to: async () => [base, TRUSTING] },
  ],
  [`patch ${base}/:hook`]: [
    { title: "an inbound webhook", to: async (p) => [`${base}/${await hookIn(p)}`, { name: "x" }] },
    {
      title: "adding a trusted tool",
      approves: true,
      to: async (p) => [`${base}/${await hookIn(p)}`, { what: TRUSTING.what }],
    },
    {
      title: "switching on one with a trusted tool",
      approves: true,
      to: async (p) => [`${base}/${await trustingIn(p)}`, { enabled: true }],
    },
    {
      title: "switching off one with a trusted tool",
      to: async (p) => [`${base}/${await trustingIn(p)}`, { enabled: false }],
    },
  ],
  [`delete ${base}/:hook`]: [{ title: "an inbound webhook", to: async (p) => [`${base}/${await hookIn(p)}`] }],
  [`post ${base}/:hook/rotate`]: [
    { title: "an inbound webhook", to: async (p) => [`${base}/${await hookIn(p)}/rotate`, {}] },
    {
      title: "one with a trusted tool",
      approves: true,
      to: async (p) => [`${base}/${await trustingIn(p)}/rotate`, {}],
    },
  ],
});

/** Creates a thread that waits for an approval, and the request that answers it. */
async function gatedIn(place: Place, answer: object): Promise<readonly [path: string, body: object]> {
  const path = `/v1/threads/${await threadIn(place)}/turns`;
  const advanced = (await (await place.send("root", "POST", path, {})).json()) as { thread: { gate: object } };
  const { id, digest } = advanced.thread.gate as { id: string; digest: string };
  return [path, { input: { gate_id: id, ...(digest ? { digest } : {}), ...answer } }];
}

async function fileOf(kind: "plain" | "auto" | "approved" | "tools" | "gated"): Promise<string> {
  const rt = createTestRuntime(
    [kind === "gated" ? callTool("write", { line: "a" }) : plan("Look")],
    [look, createWriteTool([])],
  );
  const input = {
    goal: "Go",
    ...(kind === "gated" ? { mode: "direct" as const } : {}),
    ...(kind === "auto" ? { auto_approve: ["write"] } : {}),
    ...(kind === "tools" ? { client_tools: TRUSTED } : {}),
  };
  const thread = await createTestThread(rt, input);
  if (kind === "gated") unwrap(await thread.turn());
  if (kind === "approved") {
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    if (gate?.kind !== "plan") throw new Error("there is no plan to approve");
    unwrap(await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }));
  }
  return unwrap(await exportThread(rt, thread.at));
}

/** Returns a file in which somebody changed the open gate, with matching hashes. */
async function forgedFile(forge: (gate: ConfirmationGate) => object): Promise<string> {
  const { sha256 } = nodeHash;
  const { header, records, blobs } = unwrap(verifyExport(await fileOf("gated"), sha256));
  const rows = records.map(({ hash: _, ...row }) => {
    const state = JSON.parse(row.state) as { gate: ConfirmationGate | null };
    return state.gate ? { ...row, state: JSON.stringify({ ...state, gate: forge(state.gate) }) } : row;
  });
  return writeExport({ thread: header.thread, exported_at: header.exported_at, rows, blobs }, sha256);
}

const aguiRun = (more: object) => ({
  threadId: "chat",
  runId: "run",
  messages: [{ id: "m", role: "user", content: "Go" }],
  ...more,
});

const chat = (message: object) => ({ id: "chat", messages: [{ id: "m", ...message }], trigger: "submit-message" });

type Request = {
  readonly title: string;
  /** True if the request also gives an approval. */
  readonly approves?: true;
  readonly to: (place: Place) => Promise<readonly [path: string, body?: unknown]>;
};

/** The requests for each route that changes something, one for each way in which it could give an approval. */
const REQUESTS: Readonly<Record<string, readonly Request[]>> = {
  "post /openai/v1/responses": [
    { title: "a message", to: async () => ["/openai/v1/responses", { input: "Go" }] },
    {
      title: "an approval",
      approves: true,
      to: async (p) => {
        const [path, body] = await gatedIn(p, {});
        const { gate_id } = (body as { input: { gate_id: string } }).input;
        const input = [{ type: "mcp_approval_response", approval_request_id: `mcpr_${gate_id}`, approve: true }];
        return ["/openai/v1/responses", { conversation: path.split("/")[3], input }];
      },
    },
  ],
  "post /openai/v1/responses/:id/cancel": [
    {
      title: "a response",
      to: async (p) => [`/openai/v1/responses/resp_${(await threadIn(p)).slice(4)}_1/cancel`, undefined],
    },
  ],
  "post /openai/v1/conversations": [{ title: "a conversation", to: async () => ["/openai/v1/conversations", {}] }],
  "delete /openai/v1/conversations/:id": [
    { title: "a conversation", to: async (p) => [`/openai/v1/conversations/${await threadIn(p)}`] },
  ],
  "post /openai/v1/conversations/:id": [
    { title: "a conversation", to: async (p) => [`/openai/v1/conversations/${await threadIn(p)}`, { metadata: {} }] },
  ],
  "post /openai/v1/conversations/:id/items": [
    { title: "an item", to: async (p) => [`/openai/v1/conversations/${await threadIn(p)}/items`, { items: [] }] },
  ],
  "delete /openai/v1/conversations/:id/items/:item": [
    { title: "an item", to: async (p) => [`/openai/v1/conversations/${await threadIn(p)}/items/in_1`] },
  ],
  "delete /openai/v1/responses/:id": [
    { title: "a response", to: async (p) => [`/openai/v1/responses/resp_${(await threadIn(p)).slice(4)}_1`] },
  ],
  "post /openai/v1/chat/completions": [
    {
      title: "a message",
      to: async () => ["/openai/v1/chat/completions", { stream: true, messages: [{ role: "user", content: "Go" }] }],
    },
  ],
  "post /v1/gates/:gate/link": [
    {
      title: "a link",
      to: async (p) => {
        const [, body] = await gatedIn(p, {});
        return [`/v1/gates/${(body as { input: { gate_id: string } }).input.gate_id}/link`, {}];
      },
    },
  ],
  "post /mcp": [
    {
      title: "a list of tools",
      to: async () => ["/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
    },
  ],
  "post /a2a": [
    {
      title: "a list of tasks",
      to: async () => ["/a2a", { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} }],
    },
  ],
  "post /ai/chat": [
    { title: "a message", to: async () => ["/ai/chat", chat({ role: "user", parts: [{ type: "text", text: "Go" }] })] },
    {
      title: "an approval",
      approves: true,
      to: async (p) => {
        const [path, body] = await gatedIn(p, {});
        const { gate_id: id } = (body as { input: { gate_id: string } }).input;
        const part = { type: "dynamic-tool", state: "approval-responded", approval: { id, approved: true } };
        return ["/ai/chat", { ...chat({ role: "assistant", parts: [part] }), id: path.split("/")[3] }];
      },
    },
  ],
  "post /agui": [
    { title: "a message", to: async () => ["/agui", aguiRun({})] },
    {
      title: "an approval",
      approves: true,
      to: async (p) => {
        const [path, body] = await gatedIn(p, {});
        const { gate_id } = (body as { input: { gate_id: string } }).input;
        const resume = [{ interruptId: gate_id, status: "resolved", payload: { approved: true } }];
        return ["/agui", aguiRun({ threadId: path.split("/")[3], resume })];
      },
    },
    {
      title: "a trusted tool of the client",
      approves: true,
      to: async () => [
        "/agui",
        aguiRun({ tools: [{ name: "t", description: "t", parameters: { "x-pawl": { outward: false } } }] }),
      ],
    },
  ],
  "post /v1/threads": [
    { title: "a thread", to: async () => ["/v1/threads", { goal: "Go" }] },
    { title: "auto_approve", approves: true, to: async () => ["/v1/threads", AUTO.create] },
    {
      title: "a trusted tool of the client",
      approves: true,
      to: async () => ["/v1/threads", { goal: "Go", client_tools: TRUSTED }],
    },
  ],
  "delete /v1/threads/:id": [{ title: "a thread", to: async (p) => [`/v1/threads/${await threadIn(p)}`] }],
  "patch /v1/threads/:id": [
    { title: "a title", to: async (p) => [`/v1/threads/${await threadIn(p)}`, { title: "x" }] },
  ],
  "post /v1/threads/:id/turns": [
    {
      title: "a message",
      to: (p) => gatedIn(p, { type: "message", text: "x", gate_id: undefined, digest: undefined }),
    },
    { title: "approve", approves: true, to: (p) => gatedIn(p, { type: "confirm", decision: "approve" }) },
    { title: "reject", approves: true, to: (p) => gatedIn(p, { type: "confirm", decision: "reject" }) },
    {
      title: "resolve",
      approves: true,
      to: (p) => gatedIn(p, { type: "resolve", outcome: "happened", digest: undefined }),
    },
  ],
  "post /v1/workflows": [{ title: "a workflow", to: async () => ["/v1/workflows", {}] }],
  "post /v1/threads/:id/poke": [
    { title: "a thread", to: async (p) => [`/v1/threads/${await threadIn(p)}/poke`, { text: "x" }] },
  ],
  "post /v1/threads/:id/fork": [
    // The copy has the permissions of a thread that the same key may already advance.
    { title: "a thread", to: async (p) => [`/v1/threads/${await threadIn(p)}/fork`, { turn: 0 }] },
  ],
  "post /v1/import": [
    { title: "a file", to: async () => ["/v1/import", await fileOf("plain")] },
    { title: "a file with auto_approve", approves: true, to: async () => ["/v1/import", await fileOf("auto")] },
    { title: "a file with a trusted tool", approves: true, to: async () => ["/v1/import", await fileOf("tools")] },
    { title: "a file with a gate", to: async () => ["/v1/import", await fileOf("gated")] },
    {
      title: "a file with a gate that shows another call",
      approves: true,
      to: async () => ["/v1/import", await forgedFile((gate) => ({ ...gate, shown: '{\n  "line": "harmless"\n}' }))],
    },
    { title: "a file with an approved plan", approves: true, to: async () => ["/v1/import", await fileOf("approved")] },
  ],
  "post /v1/threads/:id/run": [{ title: "a run", to: async (p) => [`/v1/threads/${await threadIn(p)}/run`] }],
  "post /v1/threads/:id/pause": [{ title: "a run", to: async (p) => [`/v1/threads/${await threadIn(p)}/pause`] }],
  "post /v1/threads/:id/resume": [{ title: "a run", to: async (p) => [`/v1/threads/${await threadIn(p)}/resume`] }],
  "post /v1/threads/:id/calendar": [
    { title: "a file", to: async (p) => [`/v1/threads/${await threadIn(p)}/calendar`, {}] },
  ],
  "patch /v1/tools/:name": [{ title: "a tool", to: async () => ["/v1/tools/look", { enabled: true }] }],
  "patch /v1/agents/:id/tools/:name": [
    { title: "a tool", to: async () => ["/v1/agents/default/tools/look", { enabled: true }] },
  ],
  "post /v1/schedules": [
    { title: "a schedule", to: async () => ["/v1/schedules", { name: "s", when: WHEN, what: PLAIN }] },
    {
      title: "auto_approve",
      approves: true,
      to: async () => ["/v1/schedules", { name: "s", when: WHEN, what: AUTO }],
    },
  ],
  "patch /v1/schedules/:schedule": [
    {
      title: "adding a trusted tool of the client",
      approves: true,
      to: async (p) => [
        `/v1/schedules/${await scheduleIn(p, PLAIN)}`,
        { what: { kind: "thread", create: { goal: "Go", client_tools: TRUSTED } } },
      ],
    },
    { title: "a name", to: async (p) => [`/v1/schedules/${await scheduleIn(p, PLAIN)}`, { name: "t" }] },
    {
      title: "adding auto_approve",
      approves: true,
      to: async (p) => [`/v1/schedules/${await scheduleIn(p, PLAIN)}`, { what: AUTO }],
    },
    ...[{ enabled: true }, { when: { kind: "interval", every_s: 10 } }, { enabled: false, name: "t" }].map(
      (change): Request => ({
        title: `${Object.keys(change)} of one with auto_approve`,
        approves: true,
        to: async (p) => [`/v1/schedules/${await scheduleIn(p, AUTO)}`, change],
      }),
    ),
    {
      title: "switching off one with auto_approve",
      to: async (p) => [`/v1/schedules/${await scheduleIn(p, AUTO)}`, { enabled: false }],
    },
    {
      title: "taking auto_approve away",
      to: async (p) => [`/v1/schedules/${await scheduleIn(p, AUTO)}`, { what: PLAIN }],
    },
  ],
  "delete /v1/schedules/:schedule": [
    { title: "one with auto_approve", to: async (p) => [`/v1/schedules/${await scheduleIn(p, AUTO)}`] },
  ],
  ...inboundRequests("/v1/inbound-webhooks"),
  ...inboundRequests("/v1/hooks"),
  "post /v1/inbound-webhooks/:hook/events/:event/redeliver": [
    {
      title: "an event",
      to: async (p) => [`/v1/inbound-webhooks/${await hookIn(p)}/events/evt_1/redeliver`],
    },
    {
      title: "an event of one with a trusted tool",
      approves: true,
      to: async (p) => [`/v1/inbound-webhooks/${await trustingIn(p)}/events/evt_1/redeliver`],
    },
  ],
  "post /v1/tickets": [{ title: "a ticket", to: async () => ["/v1/tickets", {}] }],
  "post /v1/webhooks": [
    { title: "without links", to: async () => ["/v1/webhooks", HOOK] },
    { title: "with links", approves: true, to: async () => ["/v1/webhooks", { ...HOOK, links: true }] },
  ],
  "patch /v1/webhooks/:webhook": [
    {
      title: "the address of one without links",
      to: async (p) => [`/v1/webhooks/${await webhookIn(p, false)}`, { url: "https://evil.test/" }],
    },
    {
      title: "turning links on",
      approves: true,
      to: async (p) => [`/v1/webhooks/${await webhookIn(p, false)}`, { links: true }],
    },
    ...[
      { url: "https://evil.test/" },
      { enabled: true },
      { events: ["gate.opened"] },
      { name: "other" },
      { url: "https://evil.test/", enabled: false },
    ].map(
      (change): Request => ({
        title: `${Object.keys(change)} of one with links`,
        approves: true,
        to: async (p) => [`/v1/webhooks/${await webhookIn(p, true)}`, change],
      }),
    ),
    { title: "turning links off", to: async (p) => [`/v1/webhooks/${await webhookIn(p, true)}`, { links: false }] },
    {
      title: "switching off one with links",
      to: async (p) => [`/v1/webhooks/${await webhookIn(p, true)}`, { enabled: false }],
    },
  ],
  "delete /v1/webhooks/:webhook": [
    { title: "one with links", to: async (p) => [`/v1/webhooks/${await webhookIn(p, true)}`] },
  ],
  "post /v1/webhooks/:webhook/rotate": [
    { title: "without links", to: async (p) => [`/v1/webhooks/${await webhookIn(p, false)}/rotate`, {}] },
    { title: "with links", approves: true, to: async (p) => [`/v1/webhooks/${await webhookIn(p, true)}/rotate`, {}] },
  ],
  "post /v1/webhooks/:webhook/redeliver": [
    {
      title: "without links",
      to: async (p) => [`/v1/webhooks/${await webhookIn(p, false)}/redeliver`, { delivery: "dlv_1" }],
    },
    {
      title: "with links",
      approves: true,
      to: async (p) => [`/v1/webhooks/${await webhookIn(p, true)}/redeliver`, { delivery: "dlv_1" }],
    },
  ],
};

const guarded = ALL.flatMap(({ method, path, scope }) => (scope === null ? [] : [{ method, path, scope }]));
const looking = guarded.filter(({ method }) => method === "get");
const changing = guarded.filter(({ method }) => method !== "get");

test("every route that changes something is listed here with its requests, and no other", () => {
  const listed = changing.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(REQUESTS).toSorted()).toEqual(listed.toSorted());
});

/** Returns the sets of scopes that are refused, and those that should be. */
async function refusals(needs: readonly ApiScope[], method: string, to: Request["to"]): Promise<[string[], string[]]> {
  const refused: string[] = [];
  let place = await aPlace();
  let [path, body] = await to(place);
  for (const scopes of SUBSETS) {
    const { status } = await place.send(nameOf(scopes), method.toUpperCase(), path, body);
    expect([status, path]).not.toEqual([500, path]);
    if (status === 403) refused.push(nameOf(scopes));
    if (status === 403 || method === "get") continue;
    // The request has changed something, so a new place is created for the next one.
    place = await aPlace();
    [path, body] = await to(place);
  }
  const wrong = SUBSETS.filter((scopes) => !needs.every((scope) => scopes.includes(scope)));
  return [refused, wrong.map(nameOf)];
}

describe("reading", () => {
  test.each(looking)("$method $path needs $scope and nothing else", async ({ method, path, scope }) => {
    const [refused, wrong] = await refusals([scope], method, async () => [path.replaceAll(/:\w+/g, "x")]);
    expect(refused).toEqual(wrong);
  });
});

describe.each(changing)("$method $path", ({ method, path, scope }) => {
  const requests = REQUESTS[`${method} ${path}`] ?? [];
  test.each(requests)("$title", async ({ approves, to }) => {
    const [refused, wrong] = await refusals(approves ? [scope, "confirm"] : [scope], method, to);
    expect(refused).toEqual(wrong);
  });
});

test("a refused change leaves the webhook as it was", async () => {
  const place = await aPlace();
  const path = `/v1/webhooks/${await webhookIn(place, true)}`;
  await place.send("admin", "PATCH", path, { url: "https://evil.test/" });
  await place.send("admin", "POST", `${path}/rotate`, {});
  const { webhook } = (await (await place.send("root", "GET", path)).json()) as Record<string, unknown>;
  expect(webhook).toMatchObject({ url: HOOK.url, secrets: [{ expires_at: null }] });
});

test("every state in an imported file is asked about, for a fork can go back to any of them", async () => {
  const file = await fileOf("approved");
  const seen: boolean[] = [];
  unwrap(
    await importThread(createTestRuntime([], [look]), aKeyRow("root", "local").tenant, file, (state) => {
      seen.push(state.plan_approved);
      return ok(undefined);
    }),
  );
  expect(seen.length).toBeGreaterThan(2);
  expect([seen[0], seen.at(-1)]).toEqual([false, true]);
});
