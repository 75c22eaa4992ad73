import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deliveryLog, LOG_LINES_MAX, recordDelivery, redeliver } from "../../../src/jobs/webhooks/delivery-log.ts";
import { sendWebhook } from "../../../src/jobs/webhooks/send-webhook.ts";
import {
  changeWebhook,
  createWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
} from "../../../src/jobs/webhooks/subscriptions.ts";
import { NEVER_DUE } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import type { WebhookInput } from "../../../src/schema/jobs/webhook.ts";
import { problem } from "../../../src/schema/problem.ts";
import { deliveryId } from "../../../src/turn/commit/webhook-deliveries.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, problemCode, type TestRuntime, unwrap } from "../../support/runtime.ts";
import { createTestEndpoint, type Endpoint, type ReceivedRequest } from "../../support/test-endpoint.ts";
import { createWriteTool, look } from "../../support/tools.ts";

const HOUR = 3_600_000;
const URL = "https://example.com/hook";
const ALL: WebhookInput["events"] = ["gate.opened", "run.delivered", "run.aborted", "thread.failed", "turn.committed"];

async function subscribe(rt: Runtime, endpoint: Endpoint, change: Partial<WebhookInput> = {}) {
  const input: WebhookInput = { name: "desk", url: URL, events: ALL, ...change };
  return unwrap(await createWebhook(rt, endpoint, { tenant: LOCAL_TENANT, actor: "tester", input }));
}

const waiting = async (rt: Runtime) =>
  unwrap(await rt.store.dueDeliveries(rt.clock.now(), 100)).filter(({ id }) => id.startsWith("dlv_"));

/** Sends everything that is due now, once. */
async function sendDue(rt: Runtime, endpoint: Endpoint) {
  const sent = [];
  for (const due of await waiting(rt))
    sent.push(await sendWebhook(rt, due, { fetcher: endpoint, links: null, owner: "worker" }));
  return sent;
}

type ReceivedEvent = { readonly type: string; readonly data: { readonly seq: number } };
/** Returns the events sorted by sequence number, because the order of two deliveries is not guaranteed. */
const receivedEvents = (endpoint: Endpoint): ReceivedEvent[] =>
  endpoint.received.map(({ body }) => JSON.parse(body) as ReceivedEvent).sort((a, b) => a.data.seq - b.data.seq);
const verify = (secret: string, { body, headers }: ReceivedRequest): unknown =>
  new Verifier(secret).verify(body, headers);

/** Sets the machine's clock, which the verifying library uses. */
const setDate = (rt: TestRuntime): void => void vi.setSystemTime(rt.clock.now());
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("the deliveries of a turn", () => {
  test("contain every subscribed event, with its position in the thread", async () => {
    const rt = createTestRuntime([callTool("write", { line: "a" }), done, "Written."], [createWriteTool([])]);
    const endpoint = createTestEndpoint();
    await subscribe(rt, endpoint);
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct" });
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    if (gate?.kind !== "confirmation") throw new Error("no gate");
    await sendDue(rt, endpoint);
    expect(receivedEvents(endpoint)).toMatchObject([
      {
        type: "gate.opened",
        timestamp: "2026-03-02T08:00:00.000Z",
        data: { thread: thread.at.thread, turn: 1, version: 1, gate: { id: gate.id, digest: gate.digest } },
      },
      { type: "turn.committed", data: { thread: thread.at.thread, next: "confirm" } },
    ]);
    unwrap(await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }));
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    await sendDue(rt, endpoint);
    expect(receivedEvents(endpoint).filter(({ type }) => type === "run.delivered")).toHaveLength(1);
    expect(await waiting(rt)).toEqual([]);
  });

  test("contain only subscribed events of the subscribed thread", async () => {
    const rt = createTestRuntime([callTool("look", { at: "desk" }), callTool("look", { at: "desk" })], [look]);
    const endpoint = createTestEndpoint();
    const one = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const other = await createTestThread(rt, { goal: "Look", mode: "direct" });
    await subscribe(rt, endpoint, { name: "a", events: ["turn.committed"], thread: one.at.thread });
    await subscribe(rt, endpoint, { name: "b", events: ["run.aborted"] });
    unwrap(await one.turn());
    unwrap(await other.turn());
    unwrap(await other.turn({ type: "cancel" }));
    await sendDue(rt, endpoint);
    expect(receivedEvents(endpoint)).toMatchObject([
      { type: "turn.committed", data: { thread: one.at.thread } },
      { type: "run.aborted", data: { thread: other.at.thread, outcome: "cancelled" } },
    ]);
  });

  test("skip a webhook that was disabled or removed, and add no row for it", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" }), callTool("look", { at: "b" })], [look]);
    const endpoint = createTestEndpoint();
    const { webhook } = await subscribe(rt, endpoint);
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await changeWebhook(rt, endpoint, LOCAL_TENANT, webhook.id, { enabled: false }));
    unwrap(await thread.turn());
    expect(await waiting(rt)).toEqual([]);
    unwrap(await changeWebhook(rt, endpoint, LOCAL_TENANT, webhook.id, { enabled: true }));
    unwrap(await thread.turn());
    unwrap(await removeWebhook(rt, LOCAL_TENANT, webhook.id));
    expect(await sendDue(rt, endpoint)).toEqual([{ kind: "gone" }]);
    expect(endpoint.received).toEqual([]);
    expect(await waiting(rt)).toEqual([]);
  });

  test("are not sent with an event of another type, of a thread that was created with the id of a removed one", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" })], [look]);
    const endpoint = createTestEndpoint();
    await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    const [own] = await waiting(rt);
    if (!own) throw new Error("nothing is due");
    // The row of the removed thread named another event of the same record.
    const due = { ...own, body: JSON.stringify({ ...JSON.parse(own.body), type: "run.delivered" }) };
    const options = { fetcher: endpoint, links: null, owner: "worker" };
    expect(await sendWebhook(rt, due, options)).toEqual({ kind: "gone" });
    expect(endpoint.received).toEqual([]);
  });

  test("have another id in a thread that was created with the id of a removed one, where those of the removed one are not sent", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" }), callTool("look", { at: "b" })], [look]);
    const endpoint = createTestEndpoint();
    await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    const [created] = unwrap(await rt.store.records(thread.at, { after: -1, limit: 1 }));
    if (!created) throw new Error("there is a record");
    unwrap(await thread.turn());
    const [before] = await waiting(rt);
    unwrap(await rt.store.remove(thread.at));
    unwrap(await rt.store.create(thread.at, created, null));
    unwrap(await thread.turn());
    const [after] = await waiting(rt);
    if (!before || !after) throw new Error("an event waits");
    expect(JSON.parse(after.body)).toEqual(JSON.parse(before.body));
    expect(after.id).not.toBe(before.id);
    // A worker holds the row of the removed thread, or somebody sends it again from the log.
    unwrap(await rt.store.putDelivery(before));
    expect(await sendDue(rt, endpoint)).toHaveLength(2);
    expect(endpoint.received.map(({ headers }) => headers["webhook-id"])).toEqual([after.id]);
  });

  test("that were stored before their ids depended on the commit are sent under their id", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" })], [look]);
    const endpoint = createTestEndpoint();
    const { webhook } = await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    const [due] = await waiting(rt);
    if (!due) throw new Error("an event waits");
    const { seq } = JSON.parse(due.body) as { seq: number };
    const id = deliveryId(rt.hash, { webhook: webhook.id, thread: thread.at.thread, seq });
    unwrap(await rt.store.settleDelivery(due, null));
    unwrap(await rt.store.putDelivery({ ...due, id }));
    expect(await sendDue(rt, endpoint)).toEqual([{ kind: "delivered" }]);
    expect(endpoint.received.map(({ headers }) => headers["webhook-id"])).toEqual([id]);
  });

  test("that wait are not sent to a webhook that was disabled in the meantime", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" })], [look]);
    const endpoint = createTestEndpoint();
    const { webhook } = await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    unwrap(await changeWebhook(rt, endpoint, LOCAL_TENANT, webhook.id, { enabled: false }));
    const sent = await sendDue(rt, endpoint);
    expect(sent.length).toBeGreaterThan(0);
    expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(["dead"]));
    expect(endpoint.received).toEqual([]);
  });

  test("without webhooks cost one read of the settings and write no row", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" })], [look]);
    let loads = 0;
    const counting: TestRuntime = {
      ...rt,
      settings: {
        ...rt.settings,
        load: (tenant) => {
          loads += 1;
          return rt.settings.load(tenant);
        },
      },
    };
    const thread = await createTestThread(counting, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    expect(loads).toBe(1);
    expect(unwrap(await rt.store.deliveries(thread.at, 10))).toEqual([]);
  });
});

describe("a signature", () => {
  async function aDelivery(rt: TestRuntime, endpoint: Endpoint): Promise<ReceivedRequest> {
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    await sendDue(rt, endpoint);
    setDate(rt);
    const [received] = endpoint.received.splice(0);
    if (!received) throw new Error("nothing came");
    return received;
  }

  test("is verified by the Standard Webhooks library", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" })], [look]);
    const endpoint = createTestEndpoint();
    const { secret } = await subscribe(rt, endpoint, { events: ["turn.committed"] });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(verify(secret, await aDelivery(rt, endpoint))).toMatchObject({ type: "turn.committed" });
  });

  test("does not match if any single byte of the delivery is changed", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" })], [look]);
    const endpoint = createTestEndpoint();
    const { secret } = await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const received = await aDelivery(rt, endpoint);
    const marks = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    const tampered: ReceivedRequest[] = [...received.body].map((char, i) => ({
      ...received,
      body: replaceAt(received.body, i, char === "x" ? "y" : "x"),
    }));
    for (const name of marks) {
      const value = received.headers[name] ?? "";
      for (let i = 0; i < value.length; i++)
        tampered.push({
          ...received,
          headers: { ...received.headers, [name]: replaceAt(value, i, value[i] === "7" ? "8" : "7") },
        });
    }
    expect(tampered.length).toBeGreaterThan(200);
    const passed = tampered.filter((one) => {
      try {
        verify(secret, one);
        return true;
      } catch {
        return false;
      }
    });
    expect(passed).toEqual([]);
  });

  test("is refused six minutes later", async () => {
    const rt = createTestRuntime([callTool("look", { at: "a" })], [look]);
    const endpoint = createTestEndpoint();
    const { secret } = await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const received = await aDelivery(rt, endpoint);
    rt.clock.advance(6 * 60_000);
    setDate(rt);
    expect(() => verify(secret, received)).toThrow("too old");
  });

  test("uses both secrets during a rotation, and only the new one afterwards", async () => {
    const rt = createTestRuntime(
      [1, 2, 3].map((n) => callTool("look", { at: String(n) })),
      [look],
    );
    const endpoint = createTestEndpoint();
    const { secret: old, webhook } = await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const { secret: fresh } = unwrap(await rotateWebhook(rt, LOCAL_TENANT, webhook.id, 3600));
    expect(fresh).not.toBe(old);
    const during = await aDelivery(rt, endpoint);
    expect([verify(old, during), verify(fresh, during)]).toHaveLength(2);
    rt.clock.advance(HOUR);
    const after = await aDelivery(rt, endpoint);
    expect(() => verify(old, after)).toThrow("No matching signature");
    expect(verify(fresh, after)).toMatchObject({ type: "turn.committed" });
    unwrap(await rotateWebhook(rt, LOCAL_TENANT, webhook.id, 0));
    const revoked = await aDelivery(rt, endpoint);
    expect(() => verify(fresh, revoked)).toThrow("No matching signature");
  });
});

const replaceAt = (text: string, i: number, char: string): string => text.slice(0, i) + char + text.slice(i + 1);

describe("an endpoint that does not respond as expected", () => {
  async function aFailing(answer: Endpoint["respond"]) {
    const rt = createTestRuntime([callTool("look", { at: "a" }), callTool("look", { at: "b" })], [look]);
    const endpoint = createTestEndpoint();
    endpoint.respond = answer;
    const { webhook } = await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    return { rt, endpoint, webhook, thread };
  }

  test("is retried with growing backoff, and receives the delivery under the same id once it is back", async () => {
    const { rt, endpoint, thread } = await aFailing(() => "down");
    const began = rt.clock.now();
    const pauses: number[] = [];
    while (rt.clock.now() - began < HOUR) {
      const [sent] = await sendDue(rt, endpoint);
      if (sent?.kind !== "retry") throw new Error(sent?.kind);
      pauses.push(sent.due_at - rt.clock.now());
      rt.clock.advance(sent.due_at - rt.clock.now());
    }
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    // The thread itself is not affected.
    unwrap(await thread.turn());
    endpoint.respond = () => 200;
    expect((await sendDue(rt, endpoint)).map(({ kind }) => kind)).toEqual(["delivered", "delivered"]);
    expect(new Set(endpoint.received.map(({ id }) => id)).size).toBe(2);
    expect(await waiting(rt)).toEqual([]);
  });

  test("keeps the id and the body of a delivery however often it is sent", async () => {
    const { rt, endpoint } = await aFailing(() => 500);
    await sendDue(rt, endpoint);
    rt.clock.advance(HOUR);
    await sendDue(rt, endpoint);
    const [first, second] = endpoint.received;
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["webhook-timestamp"]).not.toBe(first?.headers["webhook-timestamp"]);
  });

  test("is given up after a day, with a reason, and the delivery can be redelivered manually", async () => {
    const { rt, endpoint, webhook, thread } = await aFailing(() => 503);
    const began = rt.clock.now();
    let last = "";
    for (let n = 0; n < 50 && last !== "dead"; n++) {
      for (const sent of await sendDue(rt, endpoint)) last = sent.kind;
      rt.clock.advance(HOUR / 2);
    }
    expect(last).toBe("dead");
    expect(rt.clock.now() - began).toBeGreaterThanOrEqual(24 * HOUR);
    expect(rt.clock.now() - began).toBeLessThan(26 * HOUR);
    const [letter] = unwrap(await rt.store.deliveries(thread.at, 10));
    expect(letter).toMatchObject({ due_at: NEVER_DUE, body: expect.stringContaining("answered 503") });
    const [line] = unwrap(await deliveryLog(rt, LOCAL_TENANT, webhook.id));
    expect(line).toMatchObject({ status: "dead", reason: "answered 503", http_status: 503, id: letter?.id });
    endpoint.respond = () => 200;
    unwrap(await redeliver(rt, LOCAL_TENANT, webhook.id, line?.id ?? ""));
    expect(await sendDue(rt, endpoint)).toEqual([{ kind: "delivered" }]);
    expect(endpoint.received.at(-1)?.id).toBe(letter?.id);
    expect(unwrap(await deliveryLog(rt, LOCAL_TENANT, webhook.id))).toMatchObject([{ status: "delivered" }]);
  });

  test("is not given up if that cannot be logged, because the dead letter could not be found", async () => {
    const { rt, endpoint, webhook } = await aFailing(() => 410);
    const [due] = await waiting(rt);
    if (!due) throw new Error("nothing is due");
    const store: Runtime["store"] = {
      ...rt.store,
      putDelivery: async () => ({ ok: false, problem: problem("store_unavailable", "Away.") }),
    };
    const parts = { fetcher: endpoint, links: null, owner: "worker" };
    expect((await sendWebhook({ ...rt, store }, due, parts)).kind).toBe("retry");
    rt.clock.advance(61_000);
    expect(await sendDue(rt, endpoint)).toMatchObject([{ kind: "dead" }]);
    expect(unwrap(await redeliver(rt, LOCAL_TENANT, webhook.id, due.id)).status).toBe("dead");
  });

  test("is given up in time, also if the clock was years ahead at the first attempt", async () => {
    const { rt, endpoint, thread } = await aFailing(() => 500);
    const year = 365 * 24 * HOUR;
    const parts = { fetcher: endpoint, links: null, owner: "worker" };
    const send = async () => {
      const [next] = unwrap(await rt.store.deliveries(thread.at, 1, "dlv_"));
      if (!next) throw new Error("the delivery is gone");
      return (await sendWebhook(rt, next, parts)).kind;
    };
    rt.clock.advance(year);
    expect(await send()).toBe("retry");
    rt.clock.advance(-year);
    expect(await send()).toBe("retry");
    rt.clock.advance(25 * HOUR);
    expect(await send()).toBe("dead");
  });

  test("is retried after the time it asks for", async () => {
    const { rt, endpoint } = await aFailing(() => ({ status: 429, headers: { "retry-after": "7200" } }));
    expect(await sendDue(rt, endpoint)).toMatchObject([{ kind: "retry", due_at: rt.clock.now() + 2 * HOUR }]);
  });

  test("is not followed when it redirects", async () => {
    const { rt, endpoint } = await aFailing(() => ({ status: 302, headers: { location: "http://10.0.0.1/" } }));
    expect(await sendDue(rt, endpoint)).toMatchObject([
      { kind: "retry", reason: "answered 302; redirects are not followed" },
    ]);
    expect(endpoint.received.map(({ url }) => url)).toEqual([URL]);
  });

  test("is not contacted again after it responds with 410", async () => {
    const { rt, endpoint, webhook } = await aFailing(() => 410);
    expect(await sendDue(rt, endpoint)).toMatchObject([{ kind: "dead" }]);
    expect(unwrap(await findWebhook(rt, LOCAL_TENANT, webhook.id)).enabled).toBe(false);
  });

  test("is retried after 410 while its webhook could not be disabled", async () => {
    const { rt, endpoint, webhook } = await aFailing(() => 410);
    const [due] = await waiting(rt);
    if (!due) throw new Error("nothing is due");
    const settings: Runtime["settings"] = {
      ...rt.settings,
      save: async () => ({ ok: false, problem: problem("store_unavailable", "Away.") }),
    };
    const parts = { fetcher: endpoint, links: null, owner: "worker" };
    expect((await sendWebhook({ ...rt, settings }, due, parts)).kind).toBe("retry");
    expect(unwrap(await findWebhook(rt, LOCAL_TENANT, webhook.id)).enabled).toBe(true);
    rt.clock.advance(61_000);
    expect(await sendDue(rt, endpoint)).toMatchObject([{ kind: "dead" }]);
    expect(unwrap(await findWebhook(rt, LOCAL_TENANT, webhook.id)).enabled).toBe(false);
  });

  test("a delivery that two workers see is sent by one of them", async () => {
    const { rt, endpoint } = await aFailing(() => 200);
    const [due] = await waiting(rt);
    if (!due) throw new Error("nothing is due");
    const parts = { fetcher: endpoint, links: null, owner: "worker" };
    const kinds = await Promise.all([1, 2, 3].map(() => sendWebhook(rt, due, parts).then(({ kind }) => kind)));
    expect(kinds.sort()).toEqual(["delivered", "not_acquired", "not_acquired"]);
  });

  test("its log keeps the newest hundred lines and removes dead letters with their lines", async () => {
    const { rt, endpoint, webhook, thread } = await aFailing(() => 410);
    await sendDue(rt, endpoint);
    const [line] = unwrap(await deliveryLog(rt, LOCAL_TENANT, webhook.id));
    if (!line) throw new Error("no line");
    for (let n = 0; n < LOG_LINES_MAX; n++) {
      rt.clock.advance(1000);
      const at = new Date(rt.clock.now()).toISOString();
      await recordDelivery(rt, LOCAL_TENANT, webhook.id, { ...line, id: `dlv_${n}`, status: "delivered", at });
    }
    const lines = unwrap(await deliveryLog(rt, LOCAL_TENANT, webhook.id));
    expect(lines).toHaveLength(LOG_LINES_MAX);
    expect(lines.map(({ id }) => id)).not.toContain(line.id);
    expect(unwrap(await rt.store.deliveries(thread.at, 10))).toEqual([]);
    expect(problemCode(await redeliver(rt, LOCAL_TENANT, webhook.id, line.id))).toBe("delivery_not_found");
  });
});

test("a crash anywhere between commit and log entry loses no delivery: 200 of them, each sent under one id", async () => {
  let deaths = 0;
  for (let n = 0; n < 200; n++) {
    const rt = createTestRuntime([callTool("look", { at: "a" })], [look]);
    const endpoint = createTestEndpoint();
    await subscribe(rt, endpoint, { events: ["turn.committed"] });
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    unwrap(await thread.turn());
    // The process crashes at a different step each time: before the lease, after it, after the response, or after the
    // log entry.
    const crashing = crashAtRequest(rt, n % 8);
    for (const due of await waiting(rt)) {
      const sending = sendWebhook(crashing.rt, due, { fetcher: endpoint, links: null, owner: "doomed" });
      const ended = await Promise.race([sending.then(() => true), crashing.dead.then(() => false)]);
      if (!ended) deaths += 1;
    }
    rt.clock.advance(60_000);
    await sendDue(rt, endpoint);
    expect(endpoint.received.length, `crash ${n}`).toBeGreaterThanOrEqual(1);
    expect(new Set(endpoint.received.map(({ id }) => id)).size, `crash ${n}`).toBe(1);
    expect(await waiting(rt)).toEqual([]);
  }
  expect(deaths).toBeGreaterThan(100);
});

/**
 * Creates a process whose store stops responding from its nth request on. That request itself may have been executed.
 */
function crashAtRequest(rt: TestRuntime, at: number): { readonly rt: Runtime; readonly dead: Promise<void> } {
  let calls = 0;
  const death = Promise.withResolvers<void>();
  const through = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const mine = calls++;
      if (mine < at) return call(...args);
      if (mine === at && at % 2 === 1) await call(...args);
      death.resolve();
      return new Promise<R>(() => undefined);
    };
  };
  const { store } = rt;
  return {
    rt: {
      ...rt,
      store: {
        ...store,
        settleDelivery: through(store.settleDelivery),
        putDelivery: through(store.putDelivery),
        deliveries: through(store.deliveries),
        records: through(store.records),
      },
    },
    dead: death.promise,
  };
}

describe("subscribing", () => {
  test("asks the address guard first, about every URL", async () => {
    const rt = createTestRuntime([]);
    const asked: string[] = [];
    const endpoint = createTestEndpoint();
    endpoint.check = async (url) => {
      asked.push(url);
      return { ok: true, value: undefined };
    };
    const { webhook } = await subscribe(rt, endpoint);
    unwrap(await changeWebhook(rt, endpoint, LOCAL_TENANT, webhook.id, { url: `${URL}/2` }));
    unwrap(await changeWebhook(rt, endpoint, LOCAL_TENANT, webhook.id, { name: "other" }));
    expect(asked).toEqual([URL, `${URL}/2`]);
  });

  test("accepts each name once, and only a limited number of webhooks", async () => {
    const rt = createTestRuntime([]);
    const endpoint = createTestEndpoint();
    await subscribe(rt, endpoint);
    const paramsFor = (name: string) => ({
      tenant: LOCAL_TENANT,
      actor: "tester",
      input: { name, url: URL, events: [] },
    });
    expect(problemCode(await createWebhook(rt, endpoint, paramsFor("desk")))).toBe("request_invalid");
    for (let n = 1; n < 10; n++) unwrap(await createWebhook(rt, endpoint, paramsFor(`w${n}`)));
    expect(problemCode(await createWebhook(rt, endpoint, paramsFor("w10")))).toBe("request_invalid");
    expect(unwrap(await listWebhooks(rt, LOCAL_TENANT)).items).toHaveLength(10);
  });

  test("loses neither of two concurrent changes", async () => {
    const rt = createTestRuntime([]);
    const endpoint = createTestEndpoint();
    await Promise.all([1, 2, 3, 4].map((n) => subscribe(rt, endpoint, { name: `w${n}` })));
    expect(unwrap(await listWebhooks(rt, LOCAL_TENANT)).items).toHaveLength(4);
  });
});
