// Provides a clock that advances only when code sleeps, and then without waiting, so that retries end after a fixed
// number of sleeps on any machine.
import type { Clock } from "../../src/ports/clock.ts";

export type StepClock = Clock & {
  readonly slept: readonly number[];
  readonly advance: (ms: number) => void;
};

export function createStepClock(start = Date.parse("2026-03-02T08:00:00.000Z")): StepClock {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms) {
      slept.push(ms);
      now += ms;
    },
    advance(ms) {
      now += ms;
    },
  };
}
