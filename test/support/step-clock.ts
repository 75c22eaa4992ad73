// A clock that moves only by sleeping, at once: patience then ends after so many waits, however slow the machine is.
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
