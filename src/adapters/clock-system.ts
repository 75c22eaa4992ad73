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

/**
 * The timers that were started in this event-loop turn. Most limits end in the turn in which they began, because the
 * tool does not wait for anything, so Node's timers are only created at the end of the turn.
 */
let started: (() => void)[] = [];
/** The platform's own, because a fake one of a test may be removed before it runs what was scheduled. */
const atEndOfTurn = setImmediate;

function setStarted(): void {
  const all = started;
  started = [];
  for (const set of all) set();
}

export const systemClock: Clock = {
  now: () => Date.now(),
  startTimer(ms) {
    const { promise: cancelled, resolve } = Promise.withResolvers<boolean>();
    const end = performance.now() + ms;
    let isCancelled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      if (isCancelled) return;
      const left = end - performance.now();
      if (left > 0) timer = setTimeout(wait, sharedDuration(left));
      else resolve(false);
    };
    if (started.push(wait) === 1) atEndOfTurn(setStarted);
    return {
      cancelled,
      cancel() {
        isCancelled = true;
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
