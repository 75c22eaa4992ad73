// A schedule at 02:30 in Berlin is followed through the nights in which that time is skipped and in which it occurs
// twice. Two instances poll for due work on one file, every ten minutes of the clock.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { fireSchedule } from "../../src/jobs/schedules/fire-schedule.ts";
import { createSchedule, loadSchedule } from "../../src/jobs/schedules/schedules.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import type { ScheduleInput } from "../../src/schema/jobs/schedule.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { createTestClock, createTestRuntime, unwrap } from "../support/runtime.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-saving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STEP = 600_000;
const early: ScheduleInput = {
  name: "early",
  when: { kind: "cron", expression: "30 2 * * *", time_zone: "Europe/Berlin" },
  what: { kind: "thread", create: { goal: "Good morning", mode: "direct" } },
};

/** Returns the creation times of the schedule's threads in this period. */
async function runsBetween(name: string, from: string, to: string): Promise<readonly string[]> {
  const clock = createTestClock(Date.parse(from));
  const open = async (): Promise<Runtime & { close(): Promise<void> }> => {
    const { threads, settings, close } = unwrap(await createSqliteStore({ path: join(folder, `${name}.db`) }));
    return { ...createTestRuntime([]), clock, store: threads, settings, close };
  };
  const instances = [await open(), await open()];
  const [first] = instances;
  if (!first) throw new Error("two instances");
  const request = { tenant: LOCAL_TENANT, actor: "tester", key: null, input: early };
  const { id } = unwrap(await createSchedule(first, request)).schedule;
  const call = () => {
    throw new Error("no message is sent here");
  };
  for (; clock.now() < Date.parse(to); clock.advance(STEP)) {
    const looked = instances.map(async (rt) => {
      const due = unwrap(await rt.store.dueDeliveries(clock.now(), 10)).filter((one) => one.id === "tick");
      // Triggers may arrive twice.
      for (const tick of [...due, ...due])
        await fireSchedule(rt, tick, { owner: "worker", lease_ms: 60_000, turnRequest: call });
    });
    await Promise.all(looked);
  }
  const threads = unwrap(await first.store.list(LOCAL_TENANT, { limit: 100 }));
  expect(unwrap(await loadSchedule(first, LOCAL_TENANT, id)).value.runs).toBe(threads.length);
  for (const one of instances) await one.close();
  return threads.map(({ created_at }) => created_at).toSorted();
}

const inBerlin = (times: readonly string[]): readonly string[] =>
  times.map((time) =>
    new Date(time).toLocaleString("sv-SE", { timeZone: "Europe/Berlin", dateStyle: "short", timeStyle: "short" }),
  );

test("the night in which 02:30 is skipped has one run, right after the gap", async () => {
  const runs = await runsBetween("spring", "2026-03-27T12:00:00Z", "2026-03-31T12:00:00Z");
  expect(inBerlin(runs)).toEqual(["2026-03-28 02:30", "2026-03-29 03:00", "2026-03-30 02:30", "2026-03-31 02:30"]);
});

test("the night in which 02:30 occurs twice has one run", async () => {
  const runs = await runsBetween("autumn", "2026-10-23T12:00:00Z", "2026-10-27T12:00:00Z");
  expect(inBerlin(runs)).toEqual(["2026-10-24 02:30", "2026-10-25 02:30", "2026-10-26 02:30", "2026-10-27 02:30"]);
  expect(runs[1]).toBe("2026-10-25T00:30:00.000Z");
});
