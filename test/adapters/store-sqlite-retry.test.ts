import { expect, test } from "vitest";
import { createRetrier } from "../../src/adapters/store-sqlite/retry.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { ok, type Result } from "../../src/schema/problem.ts";

const sqliteFailure = (errcode: number): Error =>
  Object.assign(new Error(`result code ${errcode}`), { code: "ERR_SQLITE_ERROR", errcode });

/** Returns a clock whose time passes only by sleeping and by the synchronous wait of each busy attempt. */
function fakeClock(): Clock & { pass: (ms: number) => void; slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  const pass = (ms: number): void => {
    now += ms;
  };
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    pass(ms);
  };
  return { now: () => now, sleep, pass, slept };
}

/** Returns an operation that is busy for `tries` attempts and then succeeds. */
function busyFor(tries: number, clock: ReturnType<typeof fakeClock>, errcode = 5) {
  const count = { tried: 0 };
  const work = (): Result<string> => {
    count.tried += 1;
    if (count.tried > tries) return ok("written");
    clock.pass(20);
    throw sqliteFailure(errcode);
  };
  return { work, count };
}

const written = { ok: true, value: "written" };

test("work on a free file is done immediately", async () => {
  const clock = fakeClock();
  const { work, count } = busyFor(0, clock);
  expect(await createRetrier({ clock }).write(work)).toEqual(written);
  expect([count.tried, clock.slept]).toEqual([1, []]);
});

test("work on a busy file is retried after pauses that grow up to a limit", async () => {
  const clock = fakeClock();
  const { work, count } = busyFor(9, clock);
  expect(await createRetrier({ clock, random: () => 1 }).write(work)).toEqual(written);
  expect(count.tried).toBe(10);
  expect(clock.slept).toEqual([4, 8, 16, 32, 64, 100, 100, 100, 100]);
});

test("pauses are jittered", async () => {
  const clock = fakeClock();
  const { work } = busyFor(3, clock);
  await createRetrier({ clock, random: () => 0.25 }).read(work);
  expect(clock.slept).toEqual([1, 2, 4]);
});

test.each([
  ["busy", 5],
  ["busy while another process recovers the log", 261],
  ["busy with an old snapshot", 517],
  ["locked", 6],
  ["a lost race for the log", 15],
])("%s is retried", async (_name, errcode) => {
  const clock = fakeClock();
  const { work } = busyFor(2, clock, errcode);
  expect(await createRetrier({ clock }).write(work)).toEqual(written);
});

test("a file that stays busy gives store_unavailable with a retry time after the retry limit", async () => {
  const clock = fakeClock();
  const { work, count } = busyFor(Number.POSITIVE_INFINITY, clock);
  const result = await createRetrier({ clock, patience_ms: 500, random: () => 1 }).write(work);
  expect(result).toMatchObject({ ok: false, problem: { code: "store_unavailable", details: { retry_after_s: 2 } } });
  expect(clock.now()).toBeLessThan(700);
  expect(count.tried).toBeLessThan(20);
});

test.each([
  ["a full disk", 13],
  ["a read-only file", 8],
  ["a read-only file after a rename", 1032],
  ["an i/o failure at fsync", 1034],
  ["a file that cannot be opened", 14],
  ["a damaged file", 11],
  ["a file that is not a database", 26],
])("%s gives store_unavailable immediately, with a retry time", async (_name, errcode) => {
  const clock = fakeClock();
  const { work, count } = busyFor(1, clock, errcode);
  const problem = { code: "store_unavailable", details: { retry_after_s: 2 } };
  expect(await createRetrier({ clock }).write(work)).toMatchObject({ ok: false, problem });
  expect(count.tried).toBe(1);
});

test.each([
  ["a broken statement", sqliteFailure(1)],
  ["a broken constraint", sqliteFailure(1299)],
  ["any other error", new TypeError("not a function")],
])("%s is a bug and is rethrown", async (_name, bug) => {
  const { read, write } = createRetrier({ clock: fakeClock() });
  const work = (): Result<string> => {
    throw bug;
  };
  await expect(read(work)).rejects.toBe(bug);
  await expect(write(work)).rejects.toBe(bug);
});

test("writers waiting for a busy file are queued: only the first one retries", async () => {
  const clock = fakeClock();
  const { write } = createRetrier({ clock });
  const first = busyFor(5, clock);
  const order: string[] = [];
  const next = (name: string) => async (): Promise<void> => {
    await write(() => {
      order.push(`${name} after ${first.count.tried}`);
      return ok(name);
    });
  };
  await Promise.all([write(first.work), next("second")(), next("third")()]);
  expect(order).toEqual(["second after 6", "third after 6"]);
});

test("a writer whose retry time ended in the queue does not block the thread with its own attempt", async () => {
  const clock = fakeClock();
  const { write } = createRetrier({ clock, patience_ms: 300, random: () => 1 });
  const first = busyFor(Number.POSITIVE_INFINITY, clock);
  const second = busyFor(Number.POSITIVE_INFINITY, clock);
  const results = await Promise.all([write(first.work), write(second.work)]);
  for (const result of results) expect(result).toMatchObject({ problem: { code: "store_unavailable" } });
  expect(second.count.tried).toBe(0);
});

test("an error of the first writer does not affect the next", async () => {
  const clock = fakeClock();
  const { write } = createRetrier({ clock });
  let tried = 0;
  const broken = write(() => {
    tried += 1;
    throw tried === 1 ? sqliteFailure(5) : new TypeError("bug");
  });
  const next = write(() => ok("written"));
  await expect(broken).rejects.toThrow("bug");
  expect(await next).toEqual(written);
  expect(await write(() => ok("written"))).toEqual(written);
});

test("readers do not wait in the writers' queue", async () => {
  const clock = fakeClock();
  const { read, write } = createRetrier({ clock });
  const first = busyFor(3, clock);
  const writing = write(first.work);
  expect(await read(() => ok("read"))).toEqual({ ok: true, value: "read" });
  expect(first.count.tried).toBeLessThan(4);
  expect(await writing).toEqual(written);
});
