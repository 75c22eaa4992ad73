// Provides a clock that runs many times faster than real time, so that waits of seconds take milliseconds.
import type { Clock } from "../../src/ports/clock.ts";

export type FastClock = Clock & {
  /** The requested sleeps, in this clock's milliseconds. */
  readonly slept: readonly number[];
};

export function createFastClock(speed = 100): FastClock {
  const start = Date.now();
  const began = performance.now();
  const slept: number[] = [];
  return {
    slept,
    now: () => start + (performance.now() - began) * speed,
    sleep: (ms, signal) => {
      slept.push(ms);
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const timer = setTimeout(done, ms / speed);
        signal?.addEventListener("abort", done, { once: true });
      });
    },
  };
}
