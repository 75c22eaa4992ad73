import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { GateId, ThreadId } from "../../src/schema/ids.ts";

/** Returns a clock whose readings are these times in order. The last one repeats. */
function clockOf(...times: readonly number[]): Clock {
  const left = [...times];
  return { now: () => (left.length > 1 ? (left.shift() ?? 0) : (left[0] ?? 0)), sleep: async () => undefined };
}

const zeros = (size: number): Uint8Array => new Uint8Array(size);
const many = (clock: Clock, count: number): string[] => {
  const ids = createIds(clock);
  return Array.from({ length: count }, () => ids.make("thr"));
};

describe("ids", () => {
  test("an id is its prefix and 26 lower-case characters of Crockford's alphabet", () => {
    const ids = createIds(systemClock);
    for (let n = 0; n < 200; n += 1) expect(ids.make("gat")).toMatch(/^gat_[0-9abcdefghjkmnpqrstvwxyz]{26}$/);
    expect(ThreadId.safeParse(ids.make("thr")).success).toBe(true);
    expect(GateId.safeParse(ids.make("gat")).success).toBe(true);
  });

  test("the first ten characters are the time, most significant first", () => {
    const make = (ms: number): string => createIds(clockOf(ms), zeros).make("thr");
    expect(make(1)).toBe("thr_00000000010000000000000000");
    expect(make(32)).toBe("thr_00000000100000000000000000");
    expect(make(2 ** 48 - 1).slice(4, 14)).toBe("7zzzzzzzzz");
  });

  test("ids of later times sort after earlier ones", () => {
    const times = [1, 31, 32, 1_000, 1_024, 1_900_000_000_000, 1_900_000_000_001];
    const ids = createIds(clockOf(...times));
    const made = times.map(() => ids.make("thr"));
    expect([...made].sort()).toEqual(made);
  });

  test("ids of one millisecond are all different and sort in creation order", () => {
    const made = many(clockOf(1_900_000_000_000), 5_000);
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(5_000);
  });

  test("ids beyond the counter's range use the next millisecond, still in order", () => {
    const ids = createIds(clockOf(1_000), zeros);
    const made = Array.from({ length: 32_769 }, () => ids.make("thr"));
    expect(made.at(-2)?.slice(4, 17)).toBe("00000000z8zzz");
    expect(made.at(-1)?.slice(4, 17)).toBe("00000000z9000");
    expect([...made].sort()).toEqual(made);
  });

  test("a clock that is set back does not produce older ids", () => {
    const ids = createIds(clockOf(5_000, 4_000, 1, 4_999, 5_001));
    const made = Array.from({ length: 5 }, () => ids.make("thr"));
    expect([...made].sort()).toEqual(made);
  });

  test("the random part of the next id cannot be derived from the previous id", () => {
    const made = many(clockOf(1_900_000_000_000), 1_000).map((id) => id.slice(17));
    expect(new Set(made).size).toBe(1_000);
    const sortedPairs = made.filter((tail, n) => n > 0 && tail > (made[n - 1] ?? "")).length;
    expect(sortedPairs).toBeGreaterThan(300);
    expect(sortedPairs).toBeLessThan(700);
  });

  test("two generators at the same time do not collide", () => {
    const clock = clockOf(1_900_000_000_000);
    expect(new Set([...many(clock, 2_000), ...many(clock, 2_000)]).size).toBe(4_000);
  });

  test("every random byte gives one character", () => {
    const bytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, n) => 255 - n);
    expect(createIds(clockOf(0), bytes).make("thr").slice(17)).toBe("zyxwvtsrqpnmk");
  });
});

describe("the system clock", () => {
  test("sleeps about as long as requested", async () => {
    const before = systemClock.now();
    await systemClock.sleep(30);
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(25);
  });

  test("an aborted sleep ends immediately and does not reject", async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(3_600_000, controller.signal);
    controller.abort();
    await expect(sleeping).resolves.toBeUndefined();
    await expect(systemClock.sleep(3_600_000, controller.signal)).resolves.toBeUndefined();
  });

  test("a sleep longer than the timer maximum does not end immediately", async () => {
    const controller = new AbortController();
    let awake = false;
    const sleeping = systemClock.sleep(2 ** 31 + 5, controller.signal).then(() => {
      awake = true;
    });
    await systemClock.sleep(20);
    expect(awake).toBe(false);
    controller.abort();
    await sleeping;
  });

  test("a sleep of zero ends immediately", async () => {
    await expect(systemClock.sleep(0)).resolves.toBeUndefined();
    await expect(systemClock.sleep(-5)).resolves.toBeUndefined();
  });
});
