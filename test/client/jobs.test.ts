// Tests the client's methods for jobs. Each reaches its route, and every response matches the OpenAPI document.
import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { ROUTES } from "../../src/http/app.ts";
import { webhookRoutes } from "../../src/http/routes/webhooks.ts";
import { signedHeaders } from "../../src/jobs/webhooks/sign.ts";
import { callTool, done } from "../support/decisions.ts";
import { createJobsApp } from "../support/jobs-app.ts";
import { type Document, violations } from "../support/json-schema.ts";
import { unwrap } from "../support/runtime.ts";
import { apiKeyFor } from "../support/server.ts";
import { look } from "../support/tools.ts";

const BASE = "http://pawl.test";
const JOBS = /^\/v1\/(schedules|webhooks|inbound-webhooks|hooks)|\/(run|pause|resume)$/;
const jobRoutes = [...ROUTES, ...webhookRoutes({ check: async () => ({ ok: true, value: undefined }) })]
  .filter(({ path }) => JOBS.test(path))
  .map(({ method, path }) => ({ name: `${method.toUpperCase()} ${path}`, method, path }));

type Described = Document & {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }> }>
  >;
};

/** Creates a client on the app itself. It records the route of each request and every mismatch with the document. */
async function aWatchedClient() {
  const bench = createJobsApp({
    script: [callTool("look", { at: "a" }), done, "Seen.", done, "Again."],
    tools: [look],
  });
  const document = (await (await bench.app.request("/openapi.json")).json()) as Described;
  const reached = new Set<string>();
  const flaws: string[] = [];
  const fetcher: typeof fetch = async (input, init) => {
    const path = String(input).replace(BASE, "");
    const [pathname = path] = path.split("?");
    const method = (init?.method ?? "GET").toLowerCase();
    const response = await bench.app.request(path, init ?? {});
    const route = jobRoutes.find((one) => one.method === method && patternOf(one.path).test(pathname));
    if (!route) return response;
    reached.add(route.name);
    const documented = document.paths[route.path.replace(/:(\w+)/g, "{$1}")]?.[method]?.responses[response.status];
    const schema = documented?.content?.["application/json"]?.schema;
    if (!documented) flaws.push(`${route.name} answers ${response.status}`);
    if (schema) flaws.push(...violations(document, schema, await response.clone().json()));
    return response;
  };
  const client = createClient(BASE, apiKeyFor("ann"), fetcher);
  return { ...bench, client, reached, flaws };
}

/**
 * Returns the pattern of a path that contains the id of an inbound webhook or its token, which have different prefixes.
 */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/:(hook|schedule|webhook)/g, "(hok|sch|whk|hkt)_[^/]+").replace(/:\w+/g, "[^/]+")}$`);

test("every route around jobs has a method, and answers as the document says", async () => {
  const { client, rt, work, reached, flaws, request } = await aWatchedClient();

  const { schedule } = unwrap(
    await client.schedules.create(
      {
        name: "nightly",
        when: { kind: "cron", expression: "0 3 * * *", time_zone: "UTC" },
        what: { kind: "thread", create: { goal: "Tidy up", mode: "direct" } },
      },
      { key: "s-1" },
    ),
  );
  expect(unwrap(await client.schedules.get(schedule.id)).schedule).toEqual(schedule);
  const { times } = unwrap(await client.schedules.preview(schedule.when));
  expect([times.length, times[0]]).toEqual([5, schedule.next_at]);
  for (const when of [{ kind: "cron", expression: "x", time_zone: "UTC" } as const, 7 as never])
    expect(await client.schedules.preview(when)).toMatchObject({ ok: false, problem: { code: "request_invalid" } });
  const changed = unwrap(await client.schedules.change(schedule.id, { enabled: false })).schedule;
  expect(changed).toMatchObject({ enabled: false, next_at: null });
  expect(unwrap(await client.schedules.list()).schedules).toEqual([changed]);
  unwrap(await client.schedules.remove(schedule.id));

  const subscribed = unwrap(
    await client.webhooks.create({ name: "desk", url: "https://example.com/hook", events: ["run.delivered"] }),
  );
  expect(subscribed.secret).toMatch(/^whsec_/);
  const { id: webhook } = subscribed.webhook;
  unwrap(await client.webhooks.change(webhook, { events: ["run.delivered", "turn.committed"] }));
  expect(unwrap(await client.webhooks.rotate(webhook, 60)).webhook.secrets).toHaveLength(2);
  expect(unwrap(await client.webhooks.get(webhook)).webhook.name).toBe("desk");

  const { thread } = unwrap(await client.create({ goal: "Look", mode: "direct" }));
  expect(unwrap(await client.run(thread.id)).thread.background).toMatchObject({ status: "on" });
  expect(unwrap(await client.backgroundRun(thread.id))).toMatchObject({ background: { status: "on" }, attempts: 0 });
  expect(unwrap(await client.pause(thread.id)).thread.background).toMatchObject({ status: "paused" });
  unwrap(await client.resume(thread.id));
  expect(unwrap(await client.message(thread.id, "And the shelf.", { if_busy: "enqueue" }))).toEqual({
    queued: true,
    position: 1,
  });
  await work();
  await work();
  const { deliveries } = unwrap(await client.webhooks.deliveries(webhook));
  expect(deliveries.map(({ status }) => status)).toContain("delivered");
  const again = deliveries[0]?.id ?? "";
  expect(unwrap(await client.webhooks.redeliver(webhook, again))).toEqual({ delivery: again });
  expect(unwrap(await client.webhooks.list()).webhooks).toHaveLength(1);
  unwrap(await client.webhooks.remove(webhook));

  for (const inbound of [client.inboundWebhooks, client.hooks]) {
    const created = unwrap(
      await inbound.create({ name: "payments", what: { kind: "message", thread: thread.id, text: "Paid." } }),
    );
    const body = JSON.stringify({ amount: 7 });
    const secrets = [{ secret: created.secret, created_at: "", expires_at: null }];
    const headers = { ...signedHeaders(secrets, "evt-1", rt.clock.now(), body), "content-type": "application/json" };
    expect((await request(created.path, { method: "POST", headers, body })).status).toBe(202);
    if (inbound === client.inboundWebhooks) {
      const [event] = unwrap(await inbound.events(created.hook.id)).events;
      expect(event).toMatchObject({ event: "evt-1", thread: thread.id, problem: null });
      expect(unwrap(await inbound.redeliver(created.hook.id, event?.id ?? ""))).toEqual({ thread: thread.id });
    }
    unwrap(await inbound.change(created.hook.id, { enabled: false }));
    unwrap(await inbound.rotate(created.hook.id));
    expect(unwrap(await inbound.get(created.hook.id)).hook).toMatchObject({ name: "payments", enabled: false });
    expect(unwrap(await inbound.list()).hooks).toHaveLength(1);
    unwrap(await inbound.remove(created.hook.id));
  }

  expect(flaws).toEqual([]);
  // Other systems send events, with a signature instead of a key.
  const missing = jobRoutes.map(({ name }) => name).filter((name) => !reached.has(name));
  expect(missing).toEqual(["POST /v1/inbound-webhooks/:hook", "POST /v1/hooks/:hook"]);
});
