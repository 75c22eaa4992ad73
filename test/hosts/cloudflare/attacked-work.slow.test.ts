// Attacks work without requests on Cloudflare, in the real runtime: alarms that fire several times or late, objects that
// stop in the middle of an approval or an import, and confirmation links that are forged, repeated or outdated.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createConfirmLink, createDirectLink } from "../../../src/jobs/webhooks/confirm-links.ts";
import type { Gate } from "../../../src/schema/gate.ts";
import { TenantId, ThreadId } from "../../../src/schema/ids.ts";
import type { CreateInput } from "../../../src/schema/input.ts";
import type { Webhook } from "../../../src/schema/jobs/webhook.ts";
import { createTestCloudflare, type TestCloudflare } from "../../support/cloudflare.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";
import { type Receiver, startReceiver } from "../../support/webhook-receiver.ts";

const NAME = "pawl-attacked";
const ROTATED = "pawl-rotated";
const GOAL = "Move the essay outline to Thursday of week 2";
const SECRET = "a secret of more than thirty-two letters";
const LINKS = { secret: SECRET, base: "https://pawl.example.com" };
const DAY = 86_400_000;
const TENANTS = ["acme", "borg", "sleepy"] as const;
type Tenant = (typeof TENANTS)[number];

let workers: TestCloudflare;
let receiver: Receiver;
const client = (tenant: Tenant): Client => workers.client(NAME, apiKeyFor(tenant));

beforeAll(async () => {
  receiver = await startReceiver();
  const main = "test/hosts/cloudflare/faulty-host.ts";
  const vars = {
    PAWL_CONFIG: JSON.stringify({
      limits: { turn_deadline_ms: 5_000, settle_grace_ms: 0 },
      jobs: { lease_ms: 1_000 },
      fetch: { allow: [`127.0.0.1:${receiver.port}`] },
      public_url: LINKS.base,
      log: { level: "error" },
    }),
    PAWL_API_KEYS: TENANTS.map((tenant) => `tester:${tenant}:${apiKeyFor(tenant)}`).join(","),
  };
  workers = createTestCloudflare({
    [NAME]: { main, vars: { ...vars, PAWL_SECRET: SECRET } },
    [ROTATED]: { main, vars: { ...vars, PAWL_SECRET: "the secret that came after the rotation" } },
  });
  await workers.harness.listen();
}, 240_000);
afterAll(async () => {
  await workers?.harness.close();
  await receiver?.close();
});

/** Sends requests that exist only for tests. */
async function behind(what: string, tenant: Tenant, thread: string, args: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ tenant, thread, method: "", args });
  return (await workers.fetch(NAME, `/test/${what}`, { method: "POST", body })).json();
}
const alarms = (tenant: Tenant, thread: string) => behind("alarms", tenant, thread, [1, 2, 3, 4, 5, 6]);
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const threadOf = async (tenant: Tenant, id: string) => unwrap(await client(tenant).get(id)).thread;
const effectsOf = async (tenant: Tenant, id: string): Promise<number> =>
  unwrap(await client(tenant).call<{ effects: unknown[] }>("GET", `/v1/threads/${id}/calendar`)).effects.length;

/** Creates a thread that waits for the approval of a write. */
async function openGate(tenant: Tenant): Promise<{ readonly id: string; readonly gate: Gate }> {
  const { thread } = unwrap(await client(tenant).create({ goal: GOAL, mode: "direct" }));
  const { gate } = unwrap(await client(tenant).advanceUntilPause(thread.id)).thread;
  if (gate?.kind !== "confirmation") throw new Error("the call waits for approval");
  return { id: thread.id, gate: gate as unknown as Gate };
}

async function press(url: string | undefined, name = NAME): Promise<number> {
  const { pathname } = new URL(url ?? "");
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return (await workers.fetch(name, pathname, { method: "POST", headers, body: "decision=approve" })).status;
}

describe("alarms", () => {
  test("that fire several times at once, and again when the work is done, repeat neither a turn, a write nor a webhook", async () => {
    const body = { name: "desk", url: receiver.url, events: ["run.delivered"] };
    unwrap(await client("acme").call("POST", "/v1/webhooks", body));
    const create: CreateInput = { goal: GOAL, mode: "direct", run: "background", auto_approve: ["move"] };
    const { thread } = unwrap(await client("acme").create(create));
    await vi.waitFor(
      async () => {
        await alarms("acme", thread.id);
        expect(await threadOf("acme", thread.id)).toMatchObject({ state: "rest", outcome: "completed" });
      },
      { timeout: 60_000 },
    );
    await receiver.waitFor("run.delivered");
    const { version } = await threadOf("acme", thread.id);
    for (let n = 0; n < 3; n++) await alarms("acme", thread.id);
    expect(await threadOf("acme", thread.id)).toMatchObject({ version });
    expect(await effectsOf("acme", thread.id)).toBe(1);
    expect(receiver.events.filter(({ data }) => data.thread === thread.id)).toHaveLength(1);
  });

  test("that come late and together start a schedule's thread once", async () => {
    const what = { kind: "thread", create: { goal: "Look around", mode: "direct" } };
    const due_at = Date.now() + 1_500;
    const when = { kind: "once", at: new Date(due_at).toISOString() };
    type Made = { schedule: { id: string; runs: number } };
    const made = await client("sleepy").call<Made>("POST", "/v1/schedules", { name: "late", when, what });
    const { id } = unwrap(made).schedule;
    const lost = async () => (await workers.fetch(NAME, "/test/lost", { method: "POST" })).json();
    // The object's own alarm is lost, and the next ones come after the due time.
    await vi.waitFor(async () => expect(await lost()).toContain(`sleepy/${id}`), { timeout: 30_000, interval: 100 });
    await soon(due_at + 1_000 - Date.now());
    await Promise.all([alarms("sleepy", id), alarms("sleepy", id)]);
    await alarms("sleepy", id);
    expect(unwrap(await client("sleepy").call<Made>("GET", `/v1/schedules/${id}`)).schedule).toMatchObject({ runs: 1 });
    const { threads } = unwrap(await client("sleepy").list());
    expect(threads.filter(({ goal }) => goal === what.create.goal)).toHaveLength(1);
  });
});

describe("an object that stops", () => {
  test("at any moment of an approval runs the call once, and the caller learns of it", async () => {
    for (const after_ms of [0, 5, 15, 30, 60, 120]) {
      const { id, gate } = await openGate("acme");
      const { gate: gate_id, digest } = { gate: gate.id, digest: (gate as { digest: string }).digest };
      const input = { type: "confirm", gate_id, digest, decision: "approve" } as const;
      const approve = () => client("acme").advance(id, input as never, { key: `approve-${after_ms}` });
      const [first] = await Promise.all([approve(), soon(after_ms).then(() => behind("crash", "acme", id))]);
      let answer = first;
      for (let n = 0; n < 60 && !answer.ok; n++) {
        await soon(200);
        answer = await approve();
      }
      expect(unwrap(answer).thread.id, `stopped after ${after_ms} ms`).toBe(id);
      unwrap(await client("acme").advanceUntilPause(id));
      expect(await threadOf("acme", id)).toMatchObject({ state: "rest", outcome: "completed" });
      expect(await effectsOf("acme", id)).toBe(1);
    }
  });

  test("at any moment of an import leaves a thread with its calendar, or nothing, and the file can be sent again", async () => {
    const { id, gate } = await openGate("borg");
    const { digest } = gate as { digest: string };
    const input = { type: "confirm", gate_id: gate.id, digest, decision: "approve" } as const;
    unwrap(await client("borg").advance(id, input as never));
    unwrap(await client("borg").advanceUntilPause(id));
    const authorization = `Bearer ${apiKeyFor("borg")}`;
    const file = await (await workers.fetch(NAME, `/v1/threads/${id}/export`, { headers: { authorization } })).text();
    const calendar = async () => {
      const response = await workers.fetch(NAME, `/v1/threads/${id}/calendar`, { headers: { authorization } });
      const { version: _, ...shown } = (await response.json()) as Record<string, unknown>;
      return shown;
    };
    const before = await calendar();
    const headers = { authorization, "content-type": "application/x-ndjson" };
    const send = async () => (await workers.fetch(NAME, "/v1/import", { method: "POST", headers, body: file })).status;
    for (const after_ms of [0, 2, 5, 10, 20, 40]) {
      unwrap(await client("borg").call("DELETE", `/v1/threads/${id}`));
      await Promise.allSettled([send(), soon(after_ms).then(() => behind("crash", "borg", id))]);
      const found = await client("borg").get(id);
      if (found.ok) expect(await calendar(), `stopped after ${after_ms} ms`).toEqual(before);
      expect([201, 409]).toContain(await send());
      expect(await calendar(), `sent again after ${after_ms} ms`).toEqual(before);
    }
  });
});

describe("a confirmation link", () => {
  const at = (tenant: Tenant, id: string) => ({ tenant: TenantId.parse(tenant), thread: ThreadId.parse(id) });
  const tester = { name: "tester" };

  test("works once, whoever presses it at the same time, and nowhere after the secret was rotated", async () => {
    const { id, gate } = await openGate("acme");
    const made = await client("acme").call<{ url: string }>("POST", `/v1/gates/${gate.id}/link`, {});
    const { url } = unwrap(made);
    expect(await press(url, ROTATED)).toBe(403);
    const pressed = await Promise.all(Array.from({ length: 8 }, () => press(url)));
    expect(pressed.filter((status) => status === 200)).toHaveLength(1);
    expect(await press(url)).toBe(409);
    expect(await effectsOf("acme", id)).toBe(1);
  });

  test("of an outdated, future, foreign or unknown issuer approves nothing, even with a valid signature", async () => {
    const { id, gate } = await openGate("acme");
    const now = Date.now();
    const direct = (tenant: Tenant, when: number, caller = tester) =>
      createDirectLink(LINKS, at(tenant, id), gate, { caller, now: when })?.url;
    const ofWebhook = (webhook: string) =>
      createConfirmLink(LINKS, at("acme", id), { id: webhook } as Webhook, gate) ?? undefined;
    const body = { name: "other", url: receiver.url, events: ["gate.opened"] };
    type Made = { webhook: { id: string } };
    const [without, removed] = [
      unwrap(await client("acme").call<Made>("POST", "/v1/webhooks", body)).webhook.id,
      unwrap(await client("acme").call<Made>("POST", "/v1/webhooks", { ...body, name: "gone", links: true })).webhook
        .id,
    ];
    unwrap(await client("acme").call("DELETE", `/v1/webhooks/${removed}`));
    const forged = [
      direct("acme", now - DAY),
      direct("acme", now + DAY),
      direct("borg", now),
      direct("acme", now, { name: "nobody" }),
      ofWebhook(without),
      ofWebhook(removed),
      ofWebhook("whk_unknown"),
    ];
    for (const [n, url] of forged.entries()) expect([403, 404], `link ${n}`).toContain(await press(url));
    expect(await effectsOf("acme", id)).toBe(0);
    expect(await press(direct("acme", now))).toBe(200);
    expect(await effectsOf("acme", id)).toBe(1);
  });
});
