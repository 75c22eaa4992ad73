// Tests the timers of the system clock, which share durations but still expire at their own time.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../src/adapters/clock-system.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(ms: number) {
  const timer = systemClock.startTimer?.(ms);
  if (!timer) throw new Error("the system clock has timers");
  const ended: boolean[] = [];
  void timer.cancelled.then((cancelled) => ended.push(cancelled));
  return { cancel: timer.cancel, ended };
}

test.each([1, 1_500, 2_999, 59_998, 2 ** 31 + 5])("a timer of %d ms expires then, and not before", async (ms) => {
  const { ended } = start(ms);
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual([false]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a timer without an end waits, and leaves nothing behind when it is cancelled", async () => {
  const { ended, cancel } = start(Number.POSITIVE_INFINITY);
  await vi.advanceTimersByTimeAsync(2 ** 31);
  expect(ended).toEqual([]);
  cancel();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([true]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a timer that is cancelled in the event-loop turn in which it was started creates none of Node's timers", async () => {
  vi.useRealTimers();
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const { ended, cancel } = start(30_000);
  expect(timers()).toBe(before);
  cancel();
  const later = start(30_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect([ended, later.ended]).toEqual([[true], []]);
  const waiting = timers();
  later.cancel();
  expect(timers()).toBe(waiting - 1);
});

test("timers work after fake ones were removed while some were starting", async () => {
  start(10);
  vi.useRealTimers();
  const { ended } = start(10);
  await expect.poll(() => ended).toEqual([false]);
});
