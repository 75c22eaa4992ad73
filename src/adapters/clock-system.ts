// The system clock. Wall time, so it may jump when the machine's time is changed.
import type { Clock } from "../ports/clock.ts";

/** Timers above 2^31-1 ms fire immediately, so a long sleep is split into parts. */
const TIMER_MS_MAX = 2_147_483_647;

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
    const timer = setTimeout(() => resolve(false), Math.min(ms, TIMER_MS_MAX));
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
