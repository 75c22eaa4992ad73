import { expect, test } from "vitest";
import { createApp, ROUTES } from "../../../src/http/app.ts";
import { webhookRoutes } from "../../../src/http/routes/webhooks.ts";
import { createTestRuntime } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";
import { createTestEndpoint } from "../../support/test-endpoint.ts";

const HOST = webhookRoutes(createTestEndpoint());
const headers = { host: "127.0.0.1:8787", "content-type": "application/json", "idempotency-key": "once" };
/** A body that each of these routes takes; none for the others. */
const BODIES: Readonly<Record<string, object>> = {
  "/v1/threads": { goal: "Go" },
  "/v1/schedules": {
    name: "s",
    when: { kind: "interval", every_s: 60 },
    what: { kind: "thread", create: { goal: "Go" } },
  },
  "/v1/webhooks": { name: "desk", url: "https://example.com/", events: [] },
  "/v1/inbound-webhooks": { name: "in", what: { kind: "thread", create: { goal: "Go" } } },
  "/v1/hooks": { name: "in", what: { kind: "thread", create: { goal: "Go" } } },
  "/v1/threads/:id/fork": { turn: 0 },
};
const posts = [...ROUTES, ...HOST].filter(({ method, scope }) => method === "post" && scope !== null);

type Document = { paths: Record<string, { post?: { parameters: { name: string }[] } }> };

/** Whether the description of the API promises that a key counts there. */
async function isKeyed(app: ReturnType<typeof createApp>, path: string): Promise<boolean> {
  const document = (await (await app.request("/openapi.json", { headers })).json()) as Document;
  const post = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.post;
  return post?.parameters.some(({ name }) => name === "Idempotency-Key") ?? false;
}

test.each(posts.map(({ path }) => path))("POST %s either counts an Idempotency-Key or refuses it", async (path) => {
  const app = createApp(testSettings(createTestRuntime([])), HOST);
  const made = await app.request("/v1/threads", {
    method: "POST",
    headers: { ...headers, "idempotency-key": "first" },
  });
  const thread = made.headers.get("location")?.split("/").at(-1) ?? "";
  const at = path.replace(":id", thread).replaceAll(/:\w+/g, "x");
  const send = async () => {
    const answer = await app.request(at, { method: "POST", headers, body: JSON.stringify(BODIES[path] ?? {}) });
    return { status: answer.status, replayed: answer.headers.get("idempotency-replayed"), text: await answer.text() };
  };
  const first = await send();
  const again = await send();
  if (await isKeyed(app, path)) {
    // A turn that stored nothing binds no key: nothing was made twice either.
    if (first.status < 300) expect(again).toMatchObject({ text: first.text, replayed: "true" });
    else expect(again.status).toBe(first.status);
    return;
  }
  for (const { status, text } of [first, again])
    expect([status, text]).toEqual([400, expect.stringContaining("Idempotency-Key")]);
});

test.each([
  ["empty", "", 400],
  ["as long as allowed", "k".repeat(255), 201],
  ["one character longer", "k".repeat(256), 400],
])("an Idempotency-Key that is %s", async (_what, key, status) => {
  const app = createApp(testSettings(createTestRuntime([])), HOST);
  const made = await app.request("/v1/threads", { method: "POST", headers: { ...headers, "idempotency-key": key } });
  expect(made.status).toBe(status);
});
