// Tests a schedule that is changed or removed at the moment when it is due.
import { describe, expect, test } from "vitest";
import { documentThreadRef } from "../../../src/jobs/documents.ts";
import { fireSchedule } from "../../../src/jobs/schedules/fire-schedule.ts";
import { nextDue } from "../../../src/jobs/schedules/next-due.ts";
import { changeSchedule, createSchedule, loadSchedule, removeSchedule } from "../../../src/jobs/schedules/schedules.ts";
import type { Delivery, ThreadSnapshot } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../../src/schema/ids.ts";
import type { ScheduleInput, SchedulePatch } from "../../../src/schema/jobs/schedule.ts";
import { fail, type Result } from "../../../src/schema/problem.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { createTestRuntime, problemCode, unwrap } from "../../support/runtime.ts";

const HOUR = 3_600_000;
const nightly: ScheduleInput = {
  name: "nightly",
  when: { kind: "cron", expression: "0 3 * * *", time_zone: "UTC" },
  what: { kind: "thread", create: { goal: "Tidy up", mode: "direct" } },
};
const options = {
  owner: "worker",
  lease_ms: 90_000,
  turnRequest: () => {
    throw new Error("no message is sent here");
  },
};
const ticks = async (rt: Runtime): Promise<readonly Delivery[]> =>
  unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10)).filter(({ id }) => id === "tick");
const goals = async (rt: Runtime) => unwrap(await rt.store.list(LOCAL_TENANT, { limit: 100 })).map(({ goal }) => goal);

/** Creates a schedule that was due a second ago and has not fired yet. */
async function aDueSchedule() {
  const rt = createTestRuntime([]);
  const params = { tenant: LOCAL_TENANT, actor: "tester", key: null, input: nightly };
  const { id } = unwrap(await createSchedule(rt, params)).schedule;
  rt.clock.advance(19 * HOUR + 1000);
  const [tick] = await ticks(rt);
  if (!tick) throw new Error("nothing is due");
  const schedule = async () => unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value;
  return { rt, id, tick, schedule };
}

function createMemoryThread(rt: Runtime, at: ThreadRef, snapshot: ThreadSnapshot): Promise<Result<number>> {
  if (!rt.store.createFromSnapshot) throw new Error("the memory store creates threads from snapshots");
  return rt.store.createFromSnapshot(at, snapshot);
}

describe("a change while a schedule is due", () => {
  test.each([
    { name: "other" },
    { jitter_s: 0 },
    { missed: "skip" as const },
    { enabled: true },
    { when: nightly.when },
    { ends_at: null },
  ] satisfies SchedulePatch[])("that does not affect its timing cancels no run: %j", async (change) => {
    const { rt, id, schedule } = await aDueSchedule();
    unwrap(await changeSchedule(rt, LOCAL_TENANT, id, change));
    for (const tick of await ticks(rt)) await fireSchedule(rt, tick, options);
    expect(await goals(rt)).toEqual(["Tidy up"]);
    expect(await schedule()).toMatchObject({ runs: 1, next_at: "2026-03-04T03:00:00.000Z" });
  });

  test("does not make a due time missed that a worker claimed in time and could not start", async () => {
    const rt = createTestRuntime([]);
    const params = {
      tenant: LOCAL_TENANT,
      actor: "tester",
      key: "nightly",
      input: { ...nightly, missed: "skip" as const },
    };
    const { id } = unwrap(await createSchedule(rt, params)).schedule;
    rt.clock.advance(19 * HOUR + 1000);
    const unavailable = async () => fail("store_unavailable", "Not now.");
    const interrupted = { ...rt, store: { ...rt.store, createFromSnapshot: unavailable, create: unavailable } };
    for (const tick of await ticks(rt)) expect((await fireSchedule(interrupted, tick, options)).kind).toBe("retry");
    unwrap(await changeSchedule(rt, LOCAL_TENANT, id, { name: "other" }));
    expect(unwrap(await createSchedule(rt, params)).replayed).toBe(true);
    rt.clock.advance(300_000);
    for (const tick of await ticks(rt)) await fireSchedule(rt, tick, options);
    expect(await goals(rt)).toEqual(["Tidy up"]);
  });

  test("is used by the run that starts", async () => {
    const { rt, id } = await aDueSchedule();
    unwrap(await changeSchedule(rt, LOCAL_TENANT, id, { what: { kind: "thread", create: { goal: "Sweep" } } }));
    for (const tick of await ticks(rt)) await fireSchedule(rt, tick, options);
    expect(await goals(rt)).toEqual(["Sweep"]);
  });

  test("of its timing counts from now", async () => {
    const { rt, id, tick, schedule } = await aDueSchedule();
    unwrap(await changeSchedule(rt, LOCAL_TENANT, id, { when: { kind: "interval", every_s: 3600 } }));
    expect((await fireSchedule(rt, tick, options)).kind).toBe("not_acquired");
    expect(await goals(rt)).toEqual([]);
    // The time counts from its creation at eight in the morning.
    expect(await schedule()).toMatchObject({ next_at: "2026-03-03T04:00:00.000Z" });
  });

  test.each([{ enabled: false }, { ends_at: "2026-03-02T12:00:00.000Z" }] satisfies SchedulePatch[])(
    "that ends it starts nothing: %j",
    async (change) => {
      const { rt, id, tick } = await aDueSchedule();
      unwrap(await changeSchedule(rt, LOCAL_TENANT, id, change));
      expect(await ticks(rt)).toEqual([]);
      expect((await fireSchedule(rt, tick, options)).kind).toBe("not_acquired");
      expect(await goals(rt)).toEqual([]);
    },
  );

  test("between the lease and the start causes no second run for the same due time", async () => {
    const { rt, id, tick, schedule } = await aDueSchedule();
    let changed = false;
    const store: Runtime["store"] = {
      ...rt.store,
      // Right before the thread is created, the schedule is renamed, which replaces its tick.
      createFromSnapshot: async (at, snapshot) => {
        if (!changed) {
          changed = true;
          unwrap(await changeSchedule(rt, LOCAL_TENANT, id, { name: "other" }));
          for (const again of await ticks(rt)) await fireSchedule(rt, again, options);
        }
        return createMemoryThread(rt, at, snapshot);
      },
    };
    expect((await fireSchedule({ ...rt, store }, tick, options)).kind).toBe("fired");
    expect(await goals(rt)).toEqual(["Tidy up"]);
    expect(await schedule()).toMatchObject({ name: "other", runs: 1, next_at: "2026-03-04T03:00:00.000Z" });
    expect(await ticks(rt)).toEqual([]);
  });
});

describe("removing a schedule while it is changed", () => {
  test("and creating another one with its id, stores nothing of the removed one", async () => {
    const rt = createTestRuntime([]);
    const create = (name: string) =>
      createSchedule(rt, { tenant: LOCAL_TENANT, actor: "tester", key: "order-1", input: { ...nightly, name } });
    const { id } = unwrap(await create("removed")).schedule;
    let replaced = false;
    const store: Runtime["store"] = {
      ...rt.store,
      append: async (at, record, also) => {
        if (!replaced) unwrap(await removeSchedule(rt, LOCAL_TENANT, id));
        if (!replaced) unwrap(await create("other"));
        replaced = true;
        return rt.store.append(at, record, also);
      },
    };
    unwrap(await changeSchedule({ ...rt, store }, LOCAL_TENANT, id, { jitter_s: 5 }));
    expect(unwrap(await loadSchedule(rt, LOCAL_TENANT, id)).value).toMatchObject({ name: "other", jitter_s: 5 });
  });

  test("also works on a document that was stored without its commit id", async () => {
    const { rt, id, schedule } = await aDueSchedule();
    const at = documentThreadRef(LOCAL_TENANT, id);
    const before = JSON.stringify(await schedule());
    unwrap(await rt.store.remove(at));
    const row = { version: 0, commit_id: "cmt_old", turn: 0, entry: "{}", state: before };
    unwrap(await rt.store.create(at, row, null));
    unwrap(await changeSchedule(rt, LOCAL_TENANT, id, { name: "other" }));
    expect(await schedule()).toMatchObject({ name: "other" });
  });
});

describe("removing a schedule that is due", () => {
  test("starts nothing afterwards, even for a worker that has read its tick", async () => {
    const { rt, id, tick } = await aDueSchedule();
    unwrap(await removeSchedule(rt, LOCAL_TENANT, id));
    expect(await ticks(rt)).toEqual([]);
    expect((await fireSchedule(rt, tick, options)).kind).toBe("not_acquired");
    expect(await goals(rt)).toEqual([]);
  });

  test("while it fires leaves one run and no schedule", async () => {
    const { rt, id, tick } = await aDueSchedule();
    const store: Runtime["store"] = {
      ...rt.store,
      createFromSnapshot: async (at, snapshot) => {
        await removeSchedule(rt, LOCAL_TENANT, id);
        return createMemoryThread(rt, at, snapshot);
      },
    };
    await fireSchedule({ ...rt, store }, tick, options);
    rt.clock.advance(24 * HOUR);
    for (const again of await ticks(rt)) await fireSchedule(rt, again, options);
    expect(await goals(rt)).toEqual(["Tidy up"]);
    expect(problemCode(await loadSchedule(rt, LOCAL_TENANT, id))).toBe("schedule_not_found");
  });
});

describe("due times across daylight saving changes", () => {
  const times = (expression: string, time_zone: string, from: string, n: number): string[] => {
    let at = Date.parse(from);
    return Array.from({ length: n }, () => {
      at = nextDue({ kind: "cron", expression, time_zone }, at, 0) ?? Number.NaN;
      return new Date(at).toISOString().slice(5, 16);
    });
  };

  test("an hourly schedule fires every hour, even if local time repeats or skips one", () => {
    const autumn = ["10-24T23:00", "10-25T00:00", "10-25T01:00", "10-25T02:00"];
    expect(times("0 * * * *", "Europe/Berlin", "2026-10-24T22:30:00Z", 4)).toEqual(autumn);
    const spring = ["03-29T00:00", "03-29T01:00", "03-29T02:00"];
    expect(times("0 * * * *", "Europe/Berlin", "2026-03-28T23:30:00Z", 3)).toEqual(spring);
  });

  test("are right in other zones, with a shift of an hour or half an hour", () => {
    expect(times("30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", 2)).toEqual(["11-01T05:30", "11-02T06:30"]);
    expect(times("30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 2)).toEqual(["03-08T07:00", "03-09T06:30"]);
    const half = ["10-03T15:30", "10-04T15:15"];
    expect(times("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 2)).toEqual(half);
  });

  test("a due time handled in the first of two equal hours does not repeat in the second", () => {
    expect(times("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", 1)).toEqual(["10-26T01:30"]);
  });
});

describe("a change of the timing", () => {
  const once = (at: string) => ({ when: { kind: "once" as const, at } });

  test("to times that never come is refused, as it is on create", async () => {
    const { rt, id, schedule } = await aDueSchedule();
    const before = await schedule();
    for (const change of [
      once("2020-01-01T00:00:00.000Z"),
      { ...once("2027-01-01T00:00:00.000Z"), ends_at: "2026-12-01T00:00:00.000Z" },
    ])
      expect(await changeSchedule(rt, LOCAL_TENANT, id, change)).toMatchObject({
        problem: { code: "request_invalid", details: { field: "when" } },
      });
    expect(await schedule()).toEqual(before);
  });

  test("may end the schedule, and a disabled schedule accepts any timing", async () => {
    const { rt, id } = await aDueSchedule();
    expect(
      unwrap(await changeSchedule(rt, LOCAL_TENANT, id, { ends_at: "2020-01-01T00:00:00.000Z" })).next_at,
    ).toBeNull();
    const off = { ...once("2020-01-01T00:00:00.000Z"), enabled: false };
    expect(unwrap(await changeSchedule(rt, LOCAL_TENANT, id, off)).next_at).toBeNull();
  });
});
