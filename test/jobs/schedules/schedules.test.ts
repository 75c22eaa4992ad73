import { describe, expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { loadInbox } from "../../../src/jobs/inbox/inbox.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import { type FireOptions, fireSchedule } from "../../../src/jobs/schedules/fire-schedule.ts";
import { nextDue, validateWhen, withJitter } from "../../../src/jobs/schedules/next-due.ts";
import {
  changeSchedule,
  createSchedule,
  listSchedules,
  loadSchedule,
  removeSchedule,
} from "../../../src/jobs/schedules/schedules.ts";
import type { Delivery } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { ScheduleId, type ScheduleInput } from "../../../src/schema/jobs/schedule.ts";
import { loadThread } from "../../../src/turn/load.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { driveOptions, turnRequestOn } from "../../support/drive-options.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";

const MINUTE = 60_000;
const ID = ScheduleId.parse(`sch_${"0".repeat(26)}`);
const nightly = (change: Partial<ScheduleInput> = {}): ScheduleInput => ({
  name: "nightly",
  when: { kind: "cron", expression: "0 3 * * *", time_zone: "UTC" },
  what: { kind: "thread", create: { goal: "Tidy up", mode: "direct" } },
  ...change,
});

/** Creates a schedule and returns its id. */
const make = async (rt: Runtime, input: ScheduleInput = nightly()): Promise<ScheduleId> =>
  unwrap(await createSchedule(rt, { tenant: LOCAL_TENANT, actor: "tester", key: null, input })).schedule.id;

const options: FireOptions = {
  owner: "worker-1",
  lease_ms: 90_000,
  turnRequest: () => {
    throw new Error("no message is sent here");
  },
};
const aCall =
  (rt: Runtime): FireOptions["turnRequest"] =>
  (at) =>
    turnRequestOn(rt, at, { actor: "worker-1" });
const dueNow = async (rt: Runtime): Promise<readonly Delivery[]> =>
  unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10)).filter((one) => one.id === "tick");
const threads = async (rt: Runtime) => unwrap(await rt.store.list(LOCAL_TENANT, { limit: 100 }));
const times = (expression: string, time_zone: string, from: string, n: number): string[] => {
  let at = Date.parse(from);
  return Array.from({ length: n }, () => {
    at = nextDue({ kind: "cron", expression, time_zone }, at, 0) ?? Number.NaN;
    return new Date(at).toISOString();
  });
};

describe("due times", () => {
  test("keep local time across the change to daylight saving time, and skip no day", () => {
    expect(times("0 9 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z", 3)).toEqual([
      "2026-03-28T08:00:00.000Z",
      "2026-03-29T07:00:00.000Z",
      "2026-03-30T07:00:00.000Z",
    ]);
  });

  test("in the skipped hour fire right after it, once", () => {
    expect(times("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  test("in the repeated hour fire once", () => {
    expect(times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
  });

  test("of an interval count from its start, not from the last run", () => {
    const when = { kind: "interval" as const, every_s: 3600, from: "2026-01-01T00:10:00.000Z" };
    expect(nextDue(when, Date.parse("2026-01-01T05:00:00Z"), 0)).toBe(Date.parse("2026-01-01T05:10:00Z"));
    expect(nextDue(when, Date.parse("2025-12-31T00:00:00Z"), 0)).toBe(Date.parse("2026-01-01T00:10:00Z"));
  });

  test("of a single time end after it", () => {
    const when = { kind: "once" as const, at: "2026-01-01T00:00:00.000Z" };
    expect(nextDue(when, Date.parse("2026-01-01T00:00:00Z"), 0)).toBeNull();
  });

  test.each(["* * * * * *", "*/5 * * * * *", "30,35 0 3 * * *", "0-1 0 0 29 2 *"])(
    "%s is refused: it is due more often than every ten seconds",
    (expression) => {
      expect(validateWhen({ kind: "cron", expression, time_zone: "UTC" })).toMatchObject({
        problem: { code: "request_invalid", details: { field: "when.expression" } },
      });
    },
  );

  test.each(["*/10 * * * * *", "0,30 0 3 * * *", "15 0 0 29 2 *", "* * * * *", "@hourly"])(
    "%s is accepted",
    (expression) => {
      expect(problemCode(validateWhen({ kind: "cron", expression, time_zone: "Europe/Berlin" }))).toBe("ok");
    },
  );

  test.each([
    ["0 0 0 * *", "day: 0"],
    ["0 0 32 * *", "day: 32"],
    ["0 0 * 13 *", "month: 13"],
    ["61 0 * * *", "minute: 61"],
    ["0 0 * * 8", "dayOfWeek: 8"],
  ])("%s is refused with the value as it is written", (expression, says) => {
    expect(validateWhen({ kind: "cron", expression, time_zone: "UTC" })).toMatchObject({
      problem: { message: `when.expression: Invalid value for ${says}` },
    });
  });

  test("an invalid expression or time zone is refused with the name of the field", () => {
    const wrong = (expression: string, time_zone: string) => validateWhen({ kind: "cron", expression, time_zone });
    expect(wrong("every day", "UTC")).toMatchObject({ ok: false, problem: { details: { field: "when.expression" } } });
    expect(wrong("0 3 * * *", "Mars/Base")).toMatchObject({
      ok: false,
      problem: { details: { field: "when.time_zone" } },
    });
  });

  test("jitter is the same for the same due time and stays within its span", () => {
    const due = "2026-01-01T00:00:00.000Z";
    const drawn = withJitter(nodeHash, { id: ID, jitter_s: 60 }, due);
    expect(drawn).toBe(withJitter(nodeHash, { id: ID, jitter_s: 60 }, due));
    expect(drawn - Date.parse(due)).toBeGreaterThanOrEqual(0);
    expect(drawn - Date.parse(due)).toBeLessThanOrEqual(60_000);
  });
});

describe("a schedule", () => {
  test("starts one background thread per due time, however often the trigger is repeated", async () => {
    const rt = createTestRuntime([]);
    const id = await make(rt);
    expect(await dueNow(rt)).toEqual([]);
    rt.clock.advance(19 * 60 * MINUTE);
    const [tick] = await dueNow(rt);
    if (!tick) throw new Error("nothing is due");
    const fired = await Promise.all([
      fireSchedule(rt, tick, options),
      fireSchedule(rt, tick, options),
      fireSchedule(rt, tick, options),
    ]);
    expect(fired.map((one) => one.kind).sort()).toEqual(["fired", "not_acquired", "not_acquired"]);
    expect(await threads(rt)).toHaveLength(1);
    expect(unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value).toMatchObject({
      runs: 1,
      next_at: "2026-03-04T03:00:00.000Z",
    });
  });

  test("starts no second thread if the process crashes after starting the first", async () => {
    const rt = createTestRuntime([]);
    const id = await make(rt);
    rt.clock.advance(19 * 60 * MINUTE);
    const [tick] = await dueNow(rt);
    if (!tick) throw new Error("nothing is due");
    const crashing: Runtime = { ...rt, store: { ...rt.store, append: async () => new Promise(() => undefined) } };
    void fireSchedule(crashing, tick, options);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await threads(rt)).toHaveLength(1);
    rt.clock.advance(90_000);
    const [again] = await dueNow(rt);
    if (!again) throw new Error("nothing is due again");
    expect(await fireSchedule(rt, again, options)).toMatchObject({ kind: "fired" });
    expect(await threads(rt)).toHaveLength(1);
    expect(unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value.runs).toBe(1);
  });

  test("starts one run for a week of missed due times, or none, as configured", async () => {
    for (const missed of ["run_once", "skip"] as const) {
      const rt = createTestRuntime([]);
      const id = await make(rt, nightly({ missed }));
      rt.clock.advance(7 * 24 * 60 * MINUTE);
      for (let n = 0; n < 5; n++) for (const tick of await dueNow(rt)) await fireSchedule(rt, tick, options);
      expect(await threads(rt)).toHaveLength(missed === "skip" ? 0 : 1);
      expect(unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value.next_at).toBe("2026-03-10T03:00:00.000Z");
    }
  });

  test("ends at its end date and leaves no delivery", async () => {
    const rt = createTestRuntime([]);
    const id = await make(rt, nightly({ ends_at: "2026-03-03T12:00:00.000Z" }));
    rt.clock.advance(19 * 60 * MINUTE);
    for (const tick of await dueNow(rt)) await fireSchedule(rt, tick, options);
    expect(unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value.next_at).toBeNull();
    rt.clock.advance(30 * 24 * 60 * MINUTE);
    expect(await dueNow(rt)).toEqual([]);
    expect(await threads(rt)).toHaveLength(1);
  });

  test("replaces the waiting tick when it is changed, and removes it when it is disabled", async () => {
    const rt = createTestRuntime([]);
    const id = await make(rt);
    unwrap(
      await changeSchedule(rt, LOCAL_TENANT, id, {
        when: { kind: "cron", expression: "0 12 * * *", time_zone: "UTC" },
      }),
    );
    rt.clock.advance(4 * 60 * MINUTE);
    expect(await dueNow(rt)).toHaveLength(1);
    unwrap(await changeSchedule(rt, LOCAL_TENANT, id, { enabled: false }));
    expect(await dueNow(rt)).toEqual([]);
  });

  test("is listed while it exists, never among the threads, and not after its removal", async () => {
    const rt = createTestRuntime([]);
    const id = await make(rt);
    expect(unwrap(await listSchedules(rt, LOCAL_TENANT)).schedules.map((one) => one.name)).toEqual(["nightly"]);
    expect(await threads(rt)).toEqual([]);
    unwrap(await removeSchedule(rt, LOCAL_TENANT, id));
    expect(unwrap(await listSchedules(rt, LOCAL_TENANT)).schedules).toEqual([]);
    expect(problemCode(await removeSchedule(rt, LOCAL_TENANT, id))).toBe("schedule_not_found");
    rt.clock.advance(365 * 24 * 60 * MINUTE);
    expect(await dueNow(rt)).toEqual([]);
  });

  test("is returned by a create with the same key, and a different input under that key is refused", async () => {
    const rt = createTestRuntime([]);
    const request = { tenant: LOCAL_TENANT, actor: "tester", key: "k-1", input: nightly() };
    const first = unwrap(await createSchedule(rt, request));
    rt.clock.advance(MINUTE);
    const again = unwrap(await createSchedule(rt, request));
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.schedule).toMatchObject({ id: first.schedule.id, created_at: first.schedule.created_at });
    expect(unwrap(await listSchedules(rt, LOCAL_TENANT)).schedules).toHaveLength(1);
    const other = await createSchedule(rt, { ...request, input: nightly({ name: "other" }) });
    expect(problemCode(other)).toBe("idempotency_mismatch");
  });

  test("is not stopped by a slow repeated create", async () => {
    const rt = createTestRuntime([]);
    const request = { tenant: LOCAL_TENANT, actor: "tester", key: "k-1", input: nightly() };
    const { id } = unwrap(await createSchedule(rt, request)).schedule;
    rt.clock.advance(19 * 60 * MINUTE);
    // Between reading the schedule and writing its tick, the due time passes and the schedule fires.
    const putDelivery: Runtime["store"]["putDelivery"] = async (tick) => {
      for (const due of await dueNow(rt)) await fireSchedule(rt, due, options);
      return rt.store.putDelivery(tick);
    };
    unwrap(await createSchedule({ ...rt, store: { ...rt.store, putDelivery } }, request));
    for (let night = 1; night <= 3; night++) {
      for (const tick of await dueNow(rt)) await fireSchedule(rt, tick, options);
      expect(unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value.runs).toBe(night);
      rt.clock.advance(24 * 60 * MINUTE);
    }
  });

  test("records a run that could not be started, and continues with the next due time", async () => {
    const rt = createTestRuntime([]);
    const thread = (await createTestThread(rt, {})).at;
    const what = { kind: "message" as const, thread: thread.thread, message: { type: "message" as const, text: "Hi" } };
    const id = await make(rt, nightly({ what }));
    unwrap(await rt.store.remove(thread));
    rt.clock.advance(19 * 60 * MINUTE);
    for (const tick of await dueNow(rt)) await fireSchedule(rt, tick, { ...options, turnRequest: aCall(rt) });
    expect(unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value).toMatchObject({
      runs: 0,
      last: { outcome: "thread_not_found", thread: null },
      next_at: "2026-03-04T03:00:00.000Z",
    });
  });

  test("sends its message to a thread once, and a worker continues the thread", async () => {
    const rt = createTestRuntime([{ action: "answer", speak: "Hello." }]);
    const thread = (await createTestThread(rt, {})).at;
    const what = { kind: "message" as const, thread: thread.thread, message: { type: "message" as const, text: "Hi" } };
    await make(rt, nightly({ what }));
    rt.clock.advance(19 * 60 * MINUTE);
    const [tick] = await dueNow(rt);
    if (!tick) throw new Error("nothing is due");
    const asked = { ...options, turnRequest: aCall(rt) };
    // The first process crashes after adding the message and before recording it.
    void fireSchedule({ ...rt, store: { ...rt.store, append: async () => new Promise(() => undefined) } }, tick, asked);
    await new Promise((resolve) => setTimeout(resolve, 5));
    rt.clock.advance(90_000);
    for (const again of await dueNow(rt)) await fireSchedule(rt, again, asked);
    expect(unwrap(await loadInbox(rt, thread))).toHaveLength(1);
    const [wake] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10)).filter((one) => one.id === "wake");
    if (!wake) throw new Error("nobody wakes the thread");
    await runSlice(rt, wake, driveOptions());
    expect(unwrap(await loadThread(rt, thread)).state).toMatchObject({
      run: 1,
      goal: "Hi",
      machine: { state: "rest" },
    });
    expect(unwrap(await loadInbox(rt, thread))).toEqual([]);
  });

  test("does not fire for a due time that is not its next one", async () => {
    const rt = createTestRuntime([]);
    await make(rt, nightly());
    rt.clock.advance(19 * 60 * MINUTE);
    const [tick] = await dueNow(rt);
    if (!tick) throw new Error("nothing is due");
    const earlier = { ...tick, body: JSON.stringify({ kind: "tick", due: "2026-03-01T02:00:00.000Z" }) };
    unwrap(await rt.store.putDelivery(earlier));
    const [stale] = await dueNow(rt);
    if (!stale) throw new Error("nothing is due");
    expect(await fireSchedule(rt, stale, { ...options, turnRequest: aCall(rt) })).toEqual({ kind: "not_acquired" });
    expect(unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 }))).toEqual([]);
    expect(unwrap(await listSchedules(rt, LOCAL_TENANT)).schedules[0]).toMatchObject({ runs: 0, last: null });
  });

  test("that is never due is refused", async () => {
    const rt = createTestRuntime([]);
    const past = nightly({ when: { kind: "once", at: "2020-01-01T00:00:00.000Z" } });
    const request = { tenant: LOCAL_TENANT, actor: "tester", key: null, input: past };
    expect(problemCode(await createSchedule(rt, request))).toBe("request_invalid");
    expect(unwrap(await listSchedules(rt, LOCAL_TENANT)).schedules).toEqual([]);
  });
});
