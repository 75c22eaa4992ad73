// Implements the system clock. It returns wall time, which may jump when the machine's time is changed.
import type { Clock } from "../ports/clock.ts";

/** Timers above 2^31-1 ms fire immediately, so a long sleep is split into parts. */
const TIMER_MS_MAX = 2_147_483_647;

/** Node keeps one list of timers per duration, and creating a list costs more than creating a timer. */
const SHARED_STEP_MS = 1_000;

/**
 * Long durations are rounded down, so that many timers share a list; the caller sets another timer for the rest. Most
 * short timers expire and would need that second timer, so short durations are not rounded.
 */
function sharedDuration(ms: number): number {
  const bounded = Math.min(ms, TIMER_MS_MAX);
  return bounded < 2 * SHARED_STEP_MS ? bounded : bounded - (bounded % SHARED_STEP_MS);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener("abort", wake);
  });
}

export const systemClock: Clock = {
  now: () => Date.now(),
  startTimer(ms) {
    const { promise: cancelled, resolve } = Promise.withResolvers<boolean>();
    const end = performance.now() + ms;
    const expire = (): void => {
      const left = end - performance.now();
      if (left > 0) timer = setTimeout(expire, sharedDuration(left));
      else resolve(false);
    };
    let timer = setTimeout(expire, sharedDuration(ms));
    return {
      cancelled,
      cancel() {
        clearTimeout(timer);
        resolve(true);
      },
    };
  },
  async sleep(ms, signal) {
    for (let left = ms; left > 0 && !signal?.aborted; left -= TIMER_MS_MAX) {
      await pause(Math.min(left, TIMER_MS_MAX), signal);
    }
  },
};
