// Tests a clock that is years ahead for a moment and then correct. Nothing may wait for those years.
import { describe, expect, test } from "vitest";
import { createRateLimit } from "../../../src/http/edge/rate-limit.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import { repairFarDue } from "../../../src/jobs/schedules/far-due.ts";
import { fireSchedule } from "../../../src/jobs/schedules/fire-schedule.ts";
import { createSchedule, loadSchedule } from "../../../src/jobs/schedules/schedules.ts";
import { startWorker } from "../../../src/jobs/worker.ts";
import { type Delivery, NEVER_DUE } from "../../../src/ports/thread-store.ts";
import { hasExpired } from "../../../src/schema/gate.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import type { ScheduleWhen } from "../../../src/schema/jobs/schedule.ts";
import { loadThread } from "../../../src/turn/load.ts";
import { callTool } from "../../support/decisions.ts";
import { driveOptions, turnRequestOn } from "../../support/drive-options.ts";
import { createTestRuntime, createTestThread, type TestRuntime, unwrap } from "../../support/runtime.ts";
import { clarify, look } from "../../support/tools.ts";

const HOUR = 3_600_000;
const YEARS = 10 * 365 * 24 * HOUR;
const LEASE = { lease_ms: 90_000 };

const rows = async (rt: TestRuntime): Promise<readonly Delivery[]> =>
  unwrap(await rt.store.dueDeliveries(NEVER_DUE - 1, 100));
const dueNow = async (rt: TestRuntime): Promise<readonly Delivery[]> =>
  unwrap(await rt.store.dueDeliveries(rt.clock.now(), 100));

async function aSchedule(rt: TestRuntime, when: ScheduleWhen) {
  const what = { kind: "thread" as const, create: { goal: "Go" } };
  const params = { tenant: LOCAL_TENANT, actor: "tester", key: null, input: { name: "s", when, what } };
  return unwrap(await createSchedule(rt, params)).schedule.id;
}
const fireDue = async (rt: TestRuntime): Promise<void> => {
  const call = (at: Parameters<typeof turnRequestOn>[1]) => turnRequestOn(rt, at);
  for (const tick of (await dueNow(rt)).filter(({ id }) => id === "tick"))
    await fireSchedule(rt, tick, { owner: "worker", lease_ms: 90_000, turnRequest: call });
};

describe("a schedule", () => {
  test.each<[string, ScheduleWhen]>([
    ["cron", { kind: "cron", expression: "0 * * * *", time_zone: "Europe/Berlin" }],
    ["interval", { kind: "interval", every_s: 3600 }],
  ])("(%s) that was fired by a wrong clock is due by its rule, and is not run for that", async (_kind, when) => {
    const rt = createTestRuntime([]);
    const id = await aSchedule(rt, when);
    rt.clock.advance(YEARS);
    await fireDue(rt);
    rt.clock.advance(-YEARS);
    const wrong = unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value;
    expect(Date.parse(wrong.next_at ?? "") - rt.clock.now()).toBeGreaterThan(YEARS - HOUR);

    // One is the schedule, and the other the wake-up of the thread that it started then.
    expect(await repairFarDue(rt, LEASE)).toBe(2);
    const { next_at, runs } = unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value;
    expect([Date.parse(next_at ?? "") - rt.clock.now() <= HOUR, runs]).toEqual([true, wrong.runs]);
    const ticks = (await rows(rt)).filter(({ id: kind }) => kind === "tick");
    expect(ticks.map(({ due_at }) => due_at)).toEqual([Date.parse(next_at ?? "")]);
    rt.clock.advance(HOUR);
    await fireDue(rt);
    expect(unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value.runs).toBe(wrong.runs + 1);
    expect(await repairFarDue(rt, LEASE)).toBe(0);
  });

  test("that was created by a wrong clock does not wait for it", async () => {
    const rt = createTestRuntime([]);
    rt.clock.advance(YEARS);
    await aSchedule(rt, { kind: "interval", every_s: 3600 });
    rt.clock.advance(-YEARS);
    expect(await repairFarDue(rt, LEASE)).toBe(1);
    rt.clock.advance(HOUR);
    expect(await dueNow(rt)).toHaveLength(1);
  });

  test("that was created by a wrong clock keeps its interval after each run", async () => {
    const rt = createTestRuntime([]);
    rt.clock.advance(YEARS);
    const id = await aSchedule(rt, { kind: "interval", every_s: 3600 });
    rt.clock.advance(-YEARS);
    await repairFarDue(rt, LEASE);
    for (const runs of [1, 2, 3]) {
      rt.clock.advance(HOUR);
      await fireDue(rt);
      const schedule = unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value;
      expect([schedule.runs, Date.parse(schedule.next_at ?? "") - rt.clock.now()]).toEqual([runs, HOUR]);
    }
  });

  test("whose tick a worker with a wrong clock holds is taken over", async () => {
    const rt = createTestRuntime([]);
    const id = await aSchedule(rt, { kind: "interval", every_s: 3600 });
    const [tick] = await rows(rt);
    if (!tick) throw new Error("no tick");
    unwrap(await rt.store.settleDelivery(tick, { ...tick, due_at: tick.due_at + YEARS, attempts: 1 }));
    expect(await repairFarDue(rt, LEASE)).toBe(1);
    const { next_at } = unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value;
    expect((await rows(rt)).map(({ due_at }) => due_at)).toEqual([Date.parse(next_at ?? "")]);
  });

  test("for one time that a caller chose stays, however far it is", async () => {
    const rt = createTestRuntime([]);
    await aSchedule(rt, { kind: "once", at: "2040-01-01T00:00:00.000Z" });
    await aSchedule(rt, { kind: "cron", expression: "0 0 29 2 *", time_zone: "UTC" });
    await aSchedule(rt, { kind: "interval", every_s: 3600, from: "2040-01-01T00:00:00.000Z" });
    const before = await rows(rt);
    expect(await repairFarDue(rt, LEASE)).toBe(0);
    expect(await rows(rt)).toEqual(before);
  });
});

describe("a wake-up", () => {
  test("that a worker with a wrong clock holds is due again, and the run goes on", async () => {
    const rt = createTestRuntime([callTool("look", { at: "desk" })], [look]);
    const { at } = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const [wake] = await rows(rt);
    if (!wake) throw new Error("no wake-up");
    rt.clock.advance(YEARS);
    unwrap(await rt.store.settleDelivery(wake, { ...wake, due_at: rt.clock.now() + 90_000, attempts: 1 }));
    rt.clock.advance(-YEARS);
    expect(await dueNow(rt)).toEqual([]);
    expect(await repairFarDue(rt, LEASE)).toBe(1);
    const [due] = await dueNow(rt);
    if (!due) throw new Error("nothing is due");
    await runSlice(rt, due, driveOptions({ slice_turns: 1 }));
    expect(unwrap(await rt.store.load(at, 1)).head.version).toBe(1);
  });

  test("that waits for the expiry of a gate is left alone, and corrected if it is due later than that", async () => {
    const asking = callTool("clarify", { question: "Which?", expires_in_s: 30 * 24 * 3600 });
    const rt = createTestRuntime([asking], [clarify]);
    await createTestThread(rt, { goal: "Ask", mode: "direct", run: "background" });
    const [wake] = await rows(rt);
    if (!wake) throw new Error("no wake-up");
    await runSlice(rt, wake, driveOptions({ slice_turns: 2 }));
    const [waiting] = await rows(rt);
    expect(waiting?.due_at).toBe(rt.clock.now() + 30 * 24 * HOUR);
    expect(await repairFarDue(rt, LEASE)).toBe(0);
    if (waiting) unwrap(await rt.store.settleDelivery(waiting, { ...waiting, due_at: waiting.due_at + YEARS }));
    expect(await repairFarDue(rt, LEASE)).toBe(1);
    expect(await dueNow(rt)).toHaveLength(1);
  });

  test("that waits for a gate of a wrong clock is due when the gate would have expired, and the gate expires then", async () => {
    const asking = callTool("clarify", { question: "Which?", default: "left", expires_in_s: 3600 });
    const rt = createTestRuntime([asking], [clarify]);
    const { at } = await createTestThread(rt, { goal: "Ask", mode: "direct", run: "background" });
    const [wake] = await rows(rt);
    if (!wake) throw new Error("no wake-up");
    rt.clock.advance(YEARS);
    await runSlice(rt, wake, driveOptions({ slice_turns: 2 }));
    rt.clock.advance(-YEARS);
    const opened = unwrap(await loadThread(rt, at)).state.gate;
    expect(await repairFarDue(rt, LEASE)).toBe(1);
    expect(await repairFarDue(rt, LEASE)).toBe(0);
    const gate = unwrap(await loadThread(rt, at)).state.gate;
    const expires_at = new Date(rt.clock.now() + HOUR).toISOString();
    expect(gate).toEqual({ ...opened, created_at: new Date(rt.clock.now()).toISOString(), expires_at });
    expect(await dueNow(rt)).toEqual([]);
    rt.clock.advance(HOUR);
    expect((await dueNow(rt)).map(({ id }) => id)).toEqual(["wake"]);
    expect(gate && hasExpired(gate, rt.clock.now())).toBe(true);
  });

  test("that waits for a lease or a retry delay is unchanged", async () => {
    const rt = createTestRuntime([], [look]);
    await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    const [wake] = await rows(rt);
    if (!wake) throw new Error("no wake-up");
    unwrap(await rt.store.settleDelivery(wake, { ...wake, due_at: rt.clock.now() + 15 * 60_000, attempts: 1 }));
    expect(await repairFarDue(rt, LEASE)).toBe(0);
  });
});

test("a webhook whose due time is years away is sent now; one whose retries have ended is unchanged", async () => {
  const rt = createTestRuntime([]);
  const { at } = await createTestThread(rt, { goal: "Look" });
  const row = { ...at, attempts: 1, body: '{"kind":"webhook","webhook":"whk_a"}' };
  unwrap(await rt.store.putDelivery({ ...row, id: "dlv_far", due_at: rt.clock.now() + YEARS }));
  unwrap(await rt.store.putDelivery({ ...row, id: "dlv_pause", due_at: rt.clock.now() + 4 * HOUR }));
  unwrap(await rt.store.putDelivery({ ...row, id: "dlv_dead", due_at: NEVER_DUE }));
  expect(await repairFarDue(rt, LEASE)).toBe(1);
  expect((await dueNow(rt)).map(({ id }) => id)).toEqual(["dlv_far"]);
});

test("a worker looks after them when it starts, and again when the clock is set back", async () => {
  const rt = createTestRuntime([]);
  let sweeps = 0;
  const none = async () => ({ kind: "done" });
  const worker = startWorker(rt, {
    concurrency: 1,
    poll_ms: 100,
    handlers: { wake: none, tick: none, webhook: none },
    onError: () => undefined,
    sweep: async () => {
      sweeps += 1;
    },
  });
  const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
  await soon();
  expect(sweeps).toBe(1);
  rt.clock.advance(100);
  await soon();
  expect(sweeps).toBe(1);
  rt.clock.advance(-YEARS);
  worker.pollNow();
  await soon();
  expect(sweeps).toBe(2);
  await worker.drain();
});

test("a rate that was used up while the clock was ahead fills again from now on", () => {
  const limit = createRateLimit(2);
  const now = Date.parse("2026-01-01T00:00:00Z");
  for (let n = 0; n < 3; n += 1) limit("ann", now + YEARS);
  expect(limit("ann", now).ok).toBe(false);
  expect(limit("ann", now + 30_000).ok).toBe(true);
});
