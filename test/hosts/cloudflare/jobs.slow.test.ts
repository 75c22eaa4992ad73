// Tests what a worker does without requests: webhooks and their links, inbound events, background runs and schedules.
// Alarms of objects drive all of it, in the real runtime, with a receiver and a model on this machine.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { verifySignature } from "../../../src/jobs/webhooks/sign.ts";
import type { Delivery } from "../../../src/ports/thread-store.ts";
import { createTestCloudflare, type TestCloudflare } from "../../support/cloudflare.ts";
import {
  type OpenAiStub,
  type StubBehavior,
  type StubEntry,
  type StubRequest,
  startOpenAiStub,
} from "../../support/openai-stub.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";
import { callTool, doneDecision } from "../../support/story.ts";
import { type ReceivedEvent, type Receiver, startReceiver } from "../../support/webhook-receiver.ts";

const TENANTS = ["acme", "forgetful", "away", "hanging", "sleepy", "doomed", "torn"] as const;
type Tenant = (typeof TENANTS)[number];
const NAME = "pawl-jobs";
const PUBLIC_URL = "https://pawl.example.com";
const abort = { action: "abort", abort: { user_message: "That was all." } };
let stub: OpenAiStub;
let receiver: Receiver;
let workers: TestCloudflare;
const client = (tenant: Tenant): Client => workers.client(NAME, apiKeyFor(tenant));

beforeAll(async () => {
  stub = await startOpenAiStub();
  stub.setDefault(answerTo);
  receiver = await startReceiver();
  const config = {
    providers: { stub: { base_url: stub.base_url } },
    models: { main: { provider: "stub", name: "stub-model", window: 32_768 } },
    agents: { default: { tools: "all" } },
    limits: { turn_deadline_ms: 5_000, settle_grace_ms: 0 },
    jobs: { lease_ms: 1_000 },
    fetch: { allow: [`127.0.0.1:${receiver.port}`] },
    public_url: PUBLIC_URL,
    log: { level: "error" },
  };
  workers = createTestCloudflare({
    [NAME]: {
      main: "test/hosts/cloudflare/faulty-host.ts",
      vars: {
        PAWL_CONFIG: JSON.stringify(config),
        PAWL_SECRET: "a secret of more than thirty-two letters",
        PAWL_API_KEYS: TENANTS.map((tenant) => `tester:${tenant}:${apiKeyFor(tenant)}`).join(","),
      },
    },
  });
  await workers.harness.listen();
}, 240_000);
afterAll(async () => {
  await workers?.harness.close();
  await receiver?.close();
  await stub?.close();
});
beforeEach(() => {
  receiver.unavailable = false;
  receiver.events.length = 0;
});

const says = (reply: unknown, delay_ms = 0) => ({
  kind: "text" as const,
  text: typeof reply === "string" ? reply : JSON.stringify(reply),
  delay_ms,
});
/** The replies to each goal in order, followed by `done`. Runs of other tests may still be active. */
const scripts = new Map<string, StubEntry[]>();
const asked = new Map<string, number>();
const script = (goal: string, ...entries: StubEntry[]): string => {
  scripts.set(goal, entries);
  asked.set(goal, 0);
  return goal;
};
function answerTo(request: StubRequest): StubBehavior {
  const goal = [...scripts.keys()].find((one) => JSON.stringify(request.body).includes(`this run: ${one}`)) ?? "";
  asked.set(goal, (asked.get(goal) ?? 0) + 1);
  const entry = scripts.get(goal)?.shift() ?? says(abort);
  return typeof entry === "function" ? entry(request) : entry;
}
const thinksOf = (goal: string) => seen(async () => asked.get(goal)).toBeAtLeast(1);
/** Checks repeatedly until the condition holds. */
const seen = <T>(look: () => Promise<T>) => {
  const so = (check: (seen: T) => void): Promise<void> =>
    vi.waitFor(async () => check(await look()), { timeout: 60_000, interval: 100 });
  return {
    toMatchObject: (wanted: object | object[]) => so((now) => expect(now).toMatchObject(wanted)),
    toEqual: (wanted: unknown) => so((now) => expect(now).toEqual(wanted)),
    toContain: (wanted: unknown) => so((now) => expect(now).toContain(wanted)),
    toBeAtLeast: (wanted: number) => so((now) => expect(now).toBeGreaterThanOrEqual(wanted)),
  };
};
const stateOf = (tenant: Tenant, id: string) => async () => unwrap(await client(tenant).get(id)).thread;

type Hooked = { readonly webhook: { readonly id: string }; readonly secret: string };
const subscribe = async (tenant: Tenant, name: string, more: object = {}): Promise<Hooked> =>
  unwrap(
    await client(tenant).call<Hooked>("POST", "/v1/webhooks", {
      name,
      url: receiver.url,
      events: ["gate.opened", "run.delivered", "run.aborted"],
      ...more,
    }),
  );
const unsubscribe = async (tenant: Tenant, { webhook }: Hooked): Promise<void> =>
  void unwrap(await client(tenant).call("DELETE", `/v1/webhooks/${webhook.id}`));

/** Sends requests that exist only for tests. */
async function behind<T>(what: string, body: object = {}): Promise<T> {
  const answer = await workers.fetch(NAME, `/test/${what}`, { method: "POST", body: JSON.stringify(body) });
  return (await answer.json()) as T;
}
const rowsOf = <T>(tenant: Tenant, thread: string, method: string, ...args: unknown[]): Promise<T> =>
  behind("rows", { tenant, thread, method, args });
const waitingIn = (tenant: Tenant, thread: string): Promise<readonly Delivery[]> =>
  rowsOf(tenant, thread, "deliveries", 100);

const signedWith = (secret: string, { headers, body }: ReceivedEvent): boolean => {
  const timestamp = headers["webhook-timestamp"];
  const given = { id: headers["webhook-id"], timestamp, signature: headers["webhook-signature"] };
  return verifySignature([{ secret, created_at: "", expires_at: null }], given, body, Number(timestamp) * 1000).ok;
};

describe("webhooks", () => {
  test("a gate is sent with a link, the link is opened and approved, and the end is sent too, each once", async () => {
    const hooked = await subscribe("acme", "desk", { links: true });
    const write = callTool("write_file", { path: "note.md", content: "yes" }, "confirm");
    const goal = script("Note it", says(write), says(doneDecision), says("Written."));
    const { thread } = unwrap(await client("acme").create({ goal, mode: "direct", run: "background" }));
    const asked = await receiver.waitFor("gate.opened");
    expect(signedWith(hooked.secret, asked)).toBe(true);
    expect(asked.data).toMatchObject({ thread: thread.id });
    const { confirm } = asked.data.links as { confirm: string };
    expect(confirm.startsWith(`${PUBLIC_URL}/confirm/`)).toBe(true);
    const { pathname } = new URL(confirm);
    const page = await workers.fetch(NAME, pathname);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("write_file")]);
    const pressed = await workers.fetch(NAME, pathname, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "decision=approve",
    });
    expect(pressed.status).toBe(200);
    const delivered = await receiver.waitFor("run.delivered");
    expect(delivered.data).toMatchObject({ thread: thread.id, evidence: "proven" });
    expect((await workers.fetch(NAME, pathname)).status).toBe(409);
    expect(receiver.events.map(({ type }) => type)).toEqual(["gate.opened", "run.delivered"]);
    await seen(async () => (await waitingIn("acme", thread.id)).map(({ id }) => id)).toEqual([]);
    await unsubscribe("acme", hooked);
  });

  test("an unreachable endpoint is retried, given up after a day, and receives the event when it is requested again", async () => {
    const hooked = await subscribe("acme", "away-desk");
    const path = `/v1/webhooks/${hooked.webhook.id}`;
    const log = async () =>
      unwrap(
        await client("acme").call<{ deliveries: { id: string; status: string; attempts: number }[] }>(
          "GET",
          `${path}/deliveries`,
        ),
      ).deliveries;
    receiver.unavailable = true;
    const { thread } = unwrap(await client("acme").create({ goal: "Look", mode: "direct" }));
    unwrap(await client("acme").advance(thread.id));
    await seen(log).toMatchObject([{ status: "retrying", attempts: 1 }]);
    const [row] = await waitingIn("acme", thread.id);
    expect(row?.due_at).toBeGreaterThan(Date.now());
    // The day in the row itself is moved: the first attempt was yesterday, and the next one is due now.
    const yesterday = { ...JSON.parse(row?.body ?? "{}"), since: Date.now() - 86_400_001 };
    await rowsOf("acme", thread.id, "putDelivery", { ...row, due_at: 0, body: JSON.stringify(yesterday) });
    await seen(log).toMatchObject([{ status: "dead", attempts: 2 }]);
    expect(await waitingIn("acme", thread.id)).toMatchObject([{ due_at: Number.MAX_SAFE_INTEGER }]);
    receiver.unavailable = false;
    unwrap(await client("acme").call("POST", `${path}/redeliver`, { delivery: row?.id }));
    expect((await receiver.waitFor("run.aborted")).id).toBe(row?.id);
    await seen(log).toMatchObject([{ status: "delivered" }]);
    await unsubscribe("acme", hooked);
  });

  test("addresses that are not public are refused when they are written down", async () => {
    for (const url of [
      "http://169.254.169.254/",
      "http://localhost/",
      "https://example.org:8443/",
      "http://10.0.0.1/",
    ]) {
      const refused = await client("acme").call("POST", "/v1/webhooks", {
        name: "inner",
        url,
        events: ["run.delivered"],
      });
      expect(refused).toMatchObject({ problem: { code: "blocked_address" } });
    }
  });
});

describe("inbound events", () => {
  test("a signed event starts one thread, however often it is sent, and a wrong signature none", async () => {
    const made = unwrap(
      await client("acme").call<{ path: string; secret: string }>("POST", "/v1/hooks", {
        name: "door",
        what: { kind: "thread", create: { goal: "Read the event", mode: "direct" } },
      }),
    );
    const send = async (id: string, secret: string) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      const signature = `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.{"n":7}`).digest("base64")}`;
      return workers.fetch(NAME, made.path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": signature,
        },
        body: '{"n":7}',
      });
    };
    const answers = await Promise.all(["evt_1", "evt_1", "evt_1"].map((id) => send(id, made.secret)));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { thread: string }[];
    expect(new Set(bodies.map(({ thread }) => thread)).size).toBe(1);
    expect((await send("evt_2", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")).status).toBe(401);
    await seen(stateOf("acme", bodies[0]?.thread ?? "")).toMatchObject({ state: "rest", tainted: true });
  });
});

// These tests mostly wait for alarms, so they run concurrently, each with its own goal.
describe.concurrent("a background run", () => {
  test("is paused between two turns, resumed, and receives a queued message", async () => {
    const goal = script("Look twice", says(callTool("list_tasks", {}), 300), says(callTool("evaluate", {})));
    const { thread } = unwrap(await client("acme").create({ goal, mode: "direct", run: "background" }));
    await thinksOf(goal);
    const put = (if_busy: string, text: string) =>
      client("acme").call("POST", `/v1/threads/${thread.id}/turns`, { input: { type: "message", text }, if_busy });
    expect(await put("reject", "me first")).toMatchObject({ problem: { code: "turn_running" } });
    expect(unwrap(await put("enqueue", "Also look at week two"))).toMatchObject({ queued: true, position: 1 });
    unwrap(await client("acme").call("POST", `/v1/threads/${thread.id}/pause`, {}));
    expect((await stateOf("acme", thread.id)()).background).toMatchObject({ status: "paused" });
    unwrap(await client("acme").call("POST", `/v1/threads/${thread.id}/resume`, {}));
    await seen(stateOf("acme", thread.id)).toMatchObject({ state: "rest", outcome: "aborted" });
    const { records } = unwrap(
      await client("acme").call<{ records: { input: { text?: string } | null }[] }>(
        "GET",
        `/v1/threads/${thread.id}/turns`,
      ),
    );
    expect(records.filter(({ input }) => input?.text === "Also look at week two")).toHaveLength(1);
  });

  test("is interrupted by a message during a model call, and rolled back by one to a new thread", async () => {
    const question = { action: "ask_user", speak: "Which one?" };
    for (const if_busy of ["interrupt", "rollback"]) {
      const goal = script(
        `Look until ${if_busy}`,
        says(callTool("list_tasks", {}), 300),
        says(question),
        says(question),
      );
      script("Rather week two", says(question));
      const { thread } = unwrap(await client("acme").create({ goal, mode: "direct", run: "background" }));
      await thinksOf(goal);
      const put = await client("acme").call<{ thread: { id: string } }>("POST", `/v1/threads/${thread.id}/turns`, {
        input: { type: "message", text: "Rather week two" },
        if_busy,
      });
      const heard = unwrap(put).thread;
      expect(heard).toMatchObject({ gate: { kind: "question" } });
      expect(heard.id === thread.id).toBe(if_busy === "interrupt");
    }
  });

  test("whose model is unavailable waits longer each time, is finally abandoned, and can be started again", async () => {
    const refusal = { kind: "status" as const, status: 401, body: { error: { message: "no" } } };
    const goal = script("Look in vain", ...Array.from({ length: 100 }, () => refusal));
    const { thread } = unwrap(await client("acme").create({ goal, mode: "direct", run: "background" }));
    const wake = async () => (await waitingIn("acme", thread.id)).find(({ id }) => id === "wake");
    await seen(async () => (await wake())?.attempts ?? 0).toBeAtLeast(2);
    // The run fails ten more times, without waiting the hour that this would take.
    const held = await wake();
    await rowsOf("acme", thread.id, "putDelivery", { ...held, due_at: 0, attempts: 11 });
    await seen(async () => (await stateOf("acme", thread.id)()).background).toMatchObject({ status: "dead" });
    expect(await wake()).toBeUndefined();
    script(goal);
    unwrap(await client("acme").call("POST", `/v1/threads/${thread.id}/run`, {}));
    await seen(stateOf("acme", thread.id)).toMatchObject({ outcome: "aborted", background: { status: "on" } });
    // The alarm finds no thread there.
    const waits = async () => (await behind<{ thread: string }[]>("waiting")).some((one) => one.thread === thread.id);
    await seen(waits).toEqual(false);
  });

  test("whose object stops after the write and before recording it finds out that it happened, and does it once", async () => {
    const move = { task_id: 13, new_day: 11, new_slot_start: 1 };
    const goal = script("Move it", says(callTool("list_tasks", {})), says(callTool("move", move)));
    const { thread } = unwrap(
      await client("doomed").create({ goal, mode: "direct", run: "background", auto_approve: ["move"] }),
    );
    await seen(() => behind("written")).toEqual([`calendar/doomed/${thread.id}`]);
    expect(await stateOf("doomed", thread.id)()).toMatchObject({ state: "confirm", at: "acting" });
    await behind("crash", { tenant: "doomed", thread: thread.id });
    // The result is in doubt only after the time limit of the call.
    expect(await client("doomed").advance(thread.id)).toMatchObject({ problem: { code: "turn_running" } });
    await seen(stateOf("doomed", thread.id)).toMatchObject({ state: "rest", outcome: "aborted" });
    const { records } = unwrap(
      await client("doomed").call<{ records: { receipts: { kind: string; source: string; success: boolean }[] }[] }>(
        "GET",
        `/v1/threads/${thread.id}/turns`,
      ),
    );
    const writes = records.flatMap(({ receipts }) => receipts).filter(({ source }) => source === "write_receipt");
    expect(writes).toMatchObject([{ kind: "intended" }, { kind: "settled", success: true }]);
    const { effects } = unwrap(
      await client("doomed").call<{ effects: unknown[] }>("GET", `/v1/threads/${thread.id}/calendar`),
    );
    expect(effects).toHaveLength(1);
  });

  test("whose object stops during a model call continues when its claim expires, and nothing is duplicated", async () => {
    const goal = script("Look slowly", says(callTool("list_tasks", {}), 400));
    const { thread } = unwrap(await client("acme").create({ goal, mode: "direct", run: "background" }));
    await thinksOf(goal);
    await behind("crash", { tenant: "acme", thread: thread.id });
    expect(await stateOf("acme", thread.id)()).toMatchObject({ version: 0 });
    await seen(stateOf("acme", thread.id)).toMatchObject({ state: "rest", outcome: "aborted" });
  });
});

describe.concurrent("schedules", () => {
  const soon = (ms: number) => ({ kind: "once", at: new Date(Date.now() + ms).toISOString() });
  const what = { kind: "thread", create: { goal: "Look on time", mode: "direct" } };
  type Made = { schedule: { id: string; runs: number; last: { thread: string } | null } };
  const ring = () =>
    workers.worker(NAME).scheduled({ cron: "* * * * *", scheduledTime: new Date(Date.now() + 60_000) });

  const lookAt = (tenant: Tenant, id: string) => async () =>
    unwrap(await client(tenant).call<Made>("GET", `/v1/schedules/${id}`)).schedule;

  test("start one thread per due time, however often alarm and cron trigger come together", async () => {
    const { schedule } = unwrap(
      await client("acme").call<Made>("POST", "/v1/schedules", { name: "soon", when: soon(3_000), what }),
    );
    const look = lookAt("acme", schedule.id);
    for (let n = 0; n < 200 && (await look()).runs === 0; n++) await Promise.all(Array.from({ length: 4 }, ring));
    await Promise.all(Array.from({ length: 4 }, ring));
    expect(await look()).toMatchObject({ runs: 1, last: { outcome: "started" } });
    const { threads } = unwrap(await client("acme").list());
    expect(threads.filter(({ goal }) => goal === what.create.goal)).toHaveLength(1);
  });

  test("whose alarm was lost start once the cron trigger has found them", async () => {
    const { schedule } = unwrap(
      await client("sleepy").call<Made>("POST", "/v1/schedules", { name: "lost", when: soon(3_000), what }),
    );
    const look = lookAt("sleepy", schedule.id);
    await seen(() => behind("lost")).toContain(`sleepy/${schedule.id}`);
    expect(await look()).toMatchObject({ runs: 0, last: null });
    await ring();
    await seen(look).toMatchObject({ runs: 1, last: { outcome: "started" } });
    // The thread that it started has also lost its first alarm, and nothing else would wake it.
    const { thread } = (await look()).last ?? { thread: "" };
    await seen(() => behind("lost")).toContain(`sleepy/${thread}`);
    await ring();
    await seen(stateOf("sleepy", thread)).toMatchObject({ state: "rest" });
  });
});

describe.concurrent("a due time that a wrong clock stored", () => {
  const YEARS_MS = 10 * 365 * 86_400_000;
  /** Fires the cron trigger at one of the times, every ten minutes, when it corrects due times. */
  const ringForRepair = () =>
    workers
      .worker(NAME)
      .scheduled({ cron: "* * * * *", scheduledTime: new Date(Math.floor(Date.now() / 600_000) * 600_000) });
  const postpone = async (thread: string, id: string): Promise<void> => {
    const [row] = (await waitingIn("acme", thread)).filter((one) => one.id === id);
    if (!row) throw new Error(`nothing waits as ${id}`);
    await rowsOf("acme", thread, "settleDelivery", row, { ...row, due_at: row.due_at + YEARS_MS });
  };

  test("of a schedule is computed by its rule again", async () => {
    const when = { kind: "interval", every_s: 3_600 };
    const what = { kind: "thread", create: { goal: "Look every hour", mode: "direct" } };
    type Made = { schedule: { id: string; next_at: string; runs: number } };
    const body = { name: "hourly", when, what };
    const { schedule } = unwrap(await client("acme").call<Made>("POST", "/v1/schedules", body));
    await postpone(schedule.id, "tick");
    await ringForRepair();
    await seen(() => waitingIn("acme", schedule.id)).toMatchObject([
      { id: "tick", due_at: Date.parse(schedule.next_at) },
    ]);
    const look = unwrap(await client("acme").call<Made>("GET", `/v1/schedules/${schedule.id}`));
    expect(look.schedule).toMatchObject({ runs: 0, next_at: schedule.next_at });
  });

  test("of a lease is taken over, and the run continues", async () => {
    const goal = script("Look after the leap", says(callTool("list_tasks", {}), 1_500));
    const { thread } = unwrap(await client("acme").create({ goal, mode: "direct", run: "background" }));
    await thinksOf(goal);
    await behind("crash", { tenant: "acme", thread: thread.id });
    await postpone(thread.id, "wake");
    await ringForRepair();
    await seen(stateOf("acme", thread.id)).toMatchObject({ state: "rest", outcome: "aborted" });
  });
});

describe.concurrent("an object that ends right after it has stored a record", () => {
  test("costs nothing: the caller learns of its own record, or repeats the request under its key and gets the same response", async () => {
    const goal = script("Look and lose", says(callTool("list_tasks", {})), says(callTool("evaluate", {})));
    const { thread } = unwrap(await client("torn").create({ goal, mode: "direct" }));
    const turn = () => client("torn").advance(thread.id, null, { key: "first" });
    let made = await turn();
    for (let n = 0; n < 20 && !made.ok; n++) made = await turn();
    expect(unwrap(made)).toMatchObject({ thread: { version: 1 }, turn: { receipts: [{ name: "list_tasks" }] } });
    expect(await behind<string[]>("lost")).toContain(`torn/${thread.id}`);
    expect(asked.get(goal)).toBe(1);
    expect(unwrap(await client("torn").advance(thread.id)).thread.version).toBe(2);
  });
});

describe.concurrent("a directory", () => {
  test("that is unavailable or never answers costs no turn; only lists are affected", async () => {
    for (const tenant of ["away", "hanging"] as const) {
      const goal = script(
        `Look while it is ${tenant}`,
        says(callTool("list_tasks", {})),
        says(doneDecision),
        says("Seen."),
      );
      const { thread } = unwrap(await client(tenant).create({ goal, mode: "direct" }));
      const ran = unwrap(await client(tenant).advanceUntilPause(thread.id));
      expect(ran.thread).toMatchObject({ state: "rest", outcome: "completed", evidence: "proven" });
    }
    expect(await client("away").list()).toMatchObject({ problem: { code: "store_unavailable", status: 503 } });
  });

  test("that lost its data is synchronized again; turns continue meanwhile", async () => {
    const goal = script("Look and forget", says({ action: "ask_user", speak: "Which day?" }));
    const { thread } = unwrap(await client("forgetful").create({ goal, mode: "direct" }));
    expect(unwrap(await client("forgetful").advance(thread.id)).thread.gate).toMatchObject({ kind: "question" });
    expect(unwrap(await client("forgetful").list()).threads).toEqual([]);
    await seen(async () => unwrap(await client("forgetful").list()).threads).toMatchObject([
      { id: thread.id, gate: { kind: "question" } },
    ]);
  });
});
