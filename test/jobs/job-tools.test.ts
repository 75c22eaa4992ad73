import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import { fireSchedule } from "../../src/jobs/schedules/fire-schedule.ts";
import { createSchedule, listSchedules as listStored } from "../../src/jobs/schedules/schedules.ts";
import { createSchedulesPort, createTriggersPort } from "../../src/jobs/tool-ports.ts";
import { createWebhook } from "../../src/jobs/webhooks/subscriptions.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { remoteTrigger } from "../../src/toolkits/automation/remote-trigger.ts";
import { listSchedules, scheduleCron } from "../../src/toolkits/automation/schedule-cron.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { callTool, done } from "../support/decisions.ts";
import {
  attachTestThread,
  createTestRuntime,
  createTestThread,
  type TestRuntime,
  type TestThread,
  unwrap,
} from "../support/runtime.ts";
import { createTestEndpoint } from "../support/test-endpoint.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function withTools(script: Iterable<ScriptEntry>, change: Partial<Runtime> = {}) {
  const rt = createTestRuntime(script, [], change);
  vi.setSystemTime(rt.clock.now());
  const endpoint = createTestEndpoint();
  // The sleep returns immediately, because this clock does not move and a pause between two attempts would never end.
  const clock = { ...rt.clock, sleep: async () => undefined };
  const schedules = createSchedulesPort(rt);
  unwrap(rt.toolbox.register(scheduleCron(schedules), listSchedules(schedules)));
  unwrap(rt.toolbox.register(remoteTrigger(createTriggersPort(rt, endpoint), clock)));
  return { rt, endpoint };
}

const direct = (rt: Runtime): Promise<TestThread> => createTestThread(rt, { goal: "Do it", mode: "direct" });

/** Approves the gate of the newest turn. */
async function approve(thread: TestThread) {
  const { gate } = unwrap(await thread.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error(`no confirmation but ${gate?.kind}`);
  return thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" });
}

const schedules = async (rt: TestRuntime) => unwrap(await listStored(rt, LOCAL_TENANT)).schedules;

/** Creates a thread whose approved call ran in a process that ended before the call was settled. */
async function crashedAfterTheTool(rt: TestRuntime) {
  let dead = false;
  const crashing: TestRuntime = {
    ...rt,
    faults: {
      at: (point) => {
        if (point !== "tool.after") return undefined;
        dead = true;
        return new Promise(() => undefined);
      },
    },
  };
  const thread = await direct(rt);
  const crashingThread = attachTestThread(crashing, thread.at.thread);
  const { gate } = unwrap(await crashingThread.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("no gate");
  void crashingThread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" });
  await vi.waitFor(() => expect(dead).toBe(true));
  return thread;
}

describe("schedule_cron", () => {
  const nightly = { action: "create", name: "nightly", cron: "0 3 * * *", time_zone: "Europe/Berlin", goal: "Tidy up" };

  test("asks a person first, then creates the schedule, which starts a thread when due", async () => {
    const { rt } = withTools([callTool("schedule_cron", nightly)]);
    const thread = await direct(rt);
    const approved = approve(thread);
    expect(await schedules(rt)).toEqual([]);
    const { turn } = unwrap(await approved).outcome;
    expect(turn?.observation?.text).toContain("2026-03-03T02:00:00.000Z");
    expect(await schedules(rt)).toMatchObject([{ name: "nightly", created_by: `thread ${thread.at.thread}` }]);
    rt.clock.advance(19 * 3_600_000);
    const [tick] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10));
    if (!tick) throw new Error("nothing is due");
    const call = () => {
      throw new Error("no message is sent here");
    };
    expect(await fireSchedule(rt, tick, { owner: "w", lease_ms: 90_000, turnRequest: call })).toMatchObject({
      kind: "fired",
    });
  });

  test("creates no second schedule when it runs again after a crash", async () => {
    const data = createMemoryData();
    const { rt } = withTools([callTool("schedule_cron", nightly), done, "Done."], { store: createMemoryStore(data) });
    const thread = await crashedAfterTheTool(rt);
    expect(await schedules(rt)).toHaveLength(1);
    rt.clock.advance(120_000);
    unwrap(await thread.turn());
    expect(await schedules(rt)).toHaveLength(1);
  });

  test("lists and cancels", async () => {
    const { rt } = withTools([callTool("list_schedules", {})]);
    const input = {
      name: "weekly",
      when: { kind: "interval" as const, every_s: 3600 },
      what: { kind: "thread" as const, create: { goal: "Look" } },
    };
    const made = unwrap(await createSchedule(rt, { tenant: LOCAL_TENANT, actor: "t", key: null, input })).schedule;
    const listed = unwrap(await (await direct(rt)).turn()).outcome.turn;
    expect(listed?.observation?.text).toContain(`${made.id} weekly: next 2026-03-02T09:00:00.000Z`);
    const other = withTools([callTool("schedule_cron", { action: "cancel", id: made.id })], {
      store: rt.store,
      settings: rt.settings,
    });
    unwrap(await approve(await direct(other.rt)));
    expect(await schedules(rt)).toEqual([]);
  });

  test.each([
    [{ action: "create", cron: "0 3 * * *", goal: "x" }, "needs a name"],
    [{ action: "create", name: "n", goal: "x" }, "exactly one of cron"],
    [{ action: "create", name: "n", cron: "0 3 * * *", every_s: 60, goal: "x" }, "exactly one of cron"],
    [{ action: "create", name: "n", cron: "0 3 * * *" }, "either goal or message"],
    [{ action: "create", name: "n", cron: "nonsense", goal: "x" }, "when.expression"],
    [{ action: "create", name: "n", at: "2020-01-01T00:00:00Z", goal: "x" }, "never be due"],
    [{ action: "cancel" }, "pass its id"],
    [{ action: "cancel", id: "sch_unknown" }, "There is no schedule sch_unknown"],
  ])("tells the model what is missing, without asking a person: %j", async (args, words) => {
    const { rt } = withTools([callTool("schedule_cron", args)]);
    const { turn, thread } = unwrap(await (await direct(rt)).turn()).outcome;
    expect(thread.gate).toBeNull();
    expect(turn?.receipts.at(-1)).toMatchObject({ success: false });
    expect(turn?.observation?.text).toContain(words);
    expect(await schedules(rt)).toEqual([]);
  });
});

describe("remote_trigger", () => {
  const trigger = callTool("remote_trigger", { target: "billing", type: "invoice.approved", payload: { invoice: 7 } });
  async function registered(script: Iterable<ScriptEntry> = [trigger], change: Partial<Runtime> = {}) {
    const bench = withTools(script, change);
    const input = { name: "billing", url: "https://example.com/billing", events: [] };
    const params = { tenant: LOCAL_TENANT, actor: "tester", input };
    const { secret } = unwrap(await createWebhook(bench.rt, bench.endpoint, params));
    return { ...bench, secret };
  }

  test("posts a signed request under the id of the effect once a person has approved", async () => {
    const { rt, endpoint, secret } = await registered();
    const { turn } = unwrap(await approve(await direct(rt))).outcome;
    const [sent] = endpoint.received;
    if (!sent) throw new Error("nothing was sent");
    const effect = turn?.receipts.find((receipt) => "effect_id" in receipt && receipt.effect_id);
    expect(sent.id).toBe(effect && "effect_id" in effect ? effect.effect_id : null);
    expect(new Verifier(secret).verify(sent.body, sent.headers)).toMatchObject({
      type: "invoice.approved",
      data: { payload: { invoice: 7 } },
    });
    expect(turn?.observation?.text).toBe("billing answered 204.");
  });

  test("retries while the endpoint fails, and reports the result", async () => {
    const { rt, endpoint } = await registered();
    const answers = [500, 503, 202];
    endpoint.respond = () => answers.shift() ?? 500;
    const { turn } = unwrap(await approve(await direct(rt))).outcome;
    expect(turn?.observation?.text).toBe("billing answered 202 at try 3.");
    expect(new Set(endpoint.received.map(({ id }) => id)).size).toBe(1);
  });

  test.each([
    [() => 400 as const, "billing answered 400. Attempts: 1.", 1],
    [() => 500 as const, "billing answered 500. Attempts: 3.", 3],
  ])("stops with the response it got", async (answer, words, tries) => {
    const { rt, endpoint } = await registered();
    endpoint.respond = answer;
    const { turn } = unwrap(await approve(await direct(rt))).outcome;
    expect(turn?.observation?.text).toContain(words);
    expect(turn?.receipts.at(-1)).toMatchObject({ success: false });
    expect(endpoint.received).toHaveLength(tries);
  });

  test("accepts only endpoints that an administrator registered, and refuses others without asking", async () => {
    const { rt, endpoint } = await registered([callTool("remote_trigger", { target: "evil", payload: {} })]);
    const { turn, thread } = unwrap(await (await direct(rt)).turn()).outcome;
    expect(thread.gate).toBeNull();
    expect(turn?.observation?.text).toContain("There is no target evil; known: billing.");
    expect(endpoint.received).toEqual([]);
  });

  test("uses the same id when it is resent after a crash", async () => {
    const { rt, endpoint } = await registered([trigger, done, "Done."]);
    const thread = await crashedAfterTheTool(rt);
    rt.clock.advance(600_000);
    unwrap(await thread.turn());
    expect(endpoint.received).toHaveLength(2);
    expect(new Set(endpoint.received.map(({ id }) => id)).size).toBe(1);
  });
});
