import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/adapters/clock-system.ts";
import { createApp, ROUTES } from "../../../src/http/app.ts";
import { confirmRoutes } from "../../../src/http/routes/confirm-link.ts";
import { webhookRoutes } from "../../../src/http/routes/webhooks.ts";
import { toolkitRoutes } from "../../../src/http/toolkit-route.ts";
import { calendar } from "../../../src/toolkits/calendar/toolkit.ts";
import { channels } from "../../../src/toolkits/channels/toolkit.ts";
import { memory } from "../../../src/toolkits/memory/toolkit.ts";
import { timetable } from "../../../src/toolkits/timetable/toolkit.ts";
import { plugToolkits } from "../../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { plan } from "../../support/decisions.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";
import { createTestEndpoint } from "../../support/test-endpoint.ts";
import { BAD, visits, WRITTEN } from "../../support/workflow.ts";

const parts = { clock: systemClock, documents: createMemoryDocuments(), channels: {} } as never;
const HOST = [
  ...webhookRoutes(createTestEndpoint()),
  ...confirmRoutes({ secret: "s".repeat(64), base: "" }),
  ...toolkitRoutes(unwrap(plugToolkits(createToolbox([]), [calendar, timetable, memory, channels], parts)).routes),
];
const headers = { host: "127.0.0.1:8787", "content-type": "application/json" };
const pair = readFileSync(new URL("../../fixtures/workflows/pair.yaml", import.meta.url), "utf8");

type Send = (path: string, body: unknown, more?: object) => Promise<{ status: number; body: Record<string, unknown> }>;
type Keyed = {
  readonly body: object;
  /** A different body, for which the same key must be refused. */
  readonly other: object;
  /** Creates what the route works on and returns the thread. */
  readonly before?: (send: Send) => Promise<string>;
};

const idOf = ({ body }: { body: Record<string, unknown> }): string => (body.thread as { id: string }).id;
const aRun = async (send: Send) => {
  const id = idOf(await send("/v1/threads", { goal: "Go" }));
  await send(`/v1/threads/${id}/run`, {});
  return id;
};
const SCHEDULE = {
  name: "s",
  when: { kind: "interval", every_s: 60 },
  what: { kind: "thread", create: { goal: "Go" } },
};

/** A successful request for each route that supports a key. */
const KEYED: Readonly<Record<string, Keyed>> = {
  "/v1/threads": { body: { goal: "Go" }, other: { goal: "Stop" } },
  "/v1/threads/:id/turns": {
    body: { input: { type: "message", text: "Go" } },
    other: { input: { type: "message", text: "Stop" } },
  },
  "/v1/threads/:id/run": { body: {}, other: {} },
  "/v1/threads/:id/pause": { body: {}, other: {}, before: aRun },
  "/v1/threads/:id/resume": { body: {}, other: {}, before: aRun },
  "/v1/threads/:id/poke": {
    body: { text: "Shorter." },
    other: { text: "Longer." },
    async before(send) {
      await send("/v1/workflows", pair, { "content-type": "application/yaml" });
      const id = idOf(await send("/v1/threads", { workflow: "pair", prompt: "Rain.", budget: { turns: 1000 } }));
      await send(`/v1/threads/${id}/turns?until=step`, {});
      return id;
    },
  },
  "/v1/schedules": { body: SCHEDULE, other: { ...SCHEDULE, name: "t" } },
  "/v1/calendars": {
    body: { name: "Work", time_zone: "Europe/Berlin" },
    other: { name: "Home", time_zone: "Europe/Berlin" },
  },
  "/openai/v1/responses": { body: { input: "Go" }, other: { input: "Stop" } },
  "/openai/v1/chat/completions": {
    body: { messages: [{ role: "user", content: "Go" }] },
    other: { messages: [{ role: "user", content: "Stop" }] },
  },
};

function aServer(script: readonly unknown[]) {
  const app = createApp(testSettings(createTestRuntime(script as never)), HOST);
  const request = async (path: string, body: unknown, more: object = {}) =>
    app.request(path, {
      method: "POST",
      headers: { ...headers, ...more },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const send: Send = async (path, body, more) => {
    const answer = await request(path, body, more);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { app, request, send };
}

const posts = [...ROUTES, ...HOST].filter(({ method }) => method === "post");
const isKeyed = ({ openapi }: (typeof posts)[number]) => openapi?.headers?.includes("Idempotency-Key") ?? false;

test("every POST that supports a key is tested below, and no other", () => {
  expect(posts.filter(isKeyed).map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(KEYED)));
  expect(posts.filter(isKeyed)).toHaveLength(Object.keys(KEYED).length);
});

test.each(Object.entries(KEYED))("POST %s makes one thing for one key", async (path, { body, other, before }) => {
  const { app, request, send } = aServer(
    path.endsWith("/poke") ? [...visits(WRITTEN, BAD)] : [plan("Look"), plan("Look")],
  );
  const thread = before ? await before(send) : idOf(await send("/v1/threads", {}));
  const at = path.replace(":id", thread);
  const key = { "idempotency-key": "once" };
  const first = await request(at, body, key);
  const text = await first.text();
  expect([first.status < 300, text]).toEqual([true, text]);
  const again = await request(at, body, key);
  // OpenAI's protocol has no such header.
  const replayed = path.startsWith("/openai/") ? null : "true";
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([first.status, replayed]);
  expect(await again.text()).toBe(text);
  // Records contain only hashes of the key.
  expect(await (await app.request(`/v1/threads/${thread}/turns`, { headers })).text()).not.toContain('"once"');
  if (JSON.stringify(other) === JSON.stringify(body)) return;
  expect((await request(at, other, key)).status).toBe(422);
});

test.each(posts.filter((route) => !isKeyed(route)).map(({ path }) => path))("POST %s refuses a key", async (path) => {
  const { request } = aServer([]);
  const refused = await request(path.replaceAll(/:\w+/g, "x"), {}, { "idempotency-key": "once" });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("Idempotency-Key")]);
});

test.each(Object.keys(KEYED).flatMap((path) => ["", "k".repeat(256), "a,b", "a b"].map((key) => [path, key])))(
  "POST %s refuses the key %j",
  async (path, key) => {
    const { request } = aServer([]);
    const refused = await request(path.replaceAll(/:\w+/g, "x"), KEYED[path]?.body, { "idempotency-key": key });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("Idempotency-Key")]);
  },
);

test("a key of the maximum length is accepted", async () => {
  const { request } = aServer([]);
  expect((await request("/v1/threads", {}, { "idempotency-key": "k".repeat(255) })).status).toBe(201);
});
