// Trying again while the table is busy or silent, with full jitter. Only work that may be done twice is given here.
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";
import type { Result } from "../../schema/problem.ts";
import { storeFailure, unavailable } from "./failures.ts";

const RETRY_MS_DEFAULT = 5_000;
const DELAY_MS_FIRST = 20;
const DELAY_MS_MAX = 1_000;

export type RetryOptions = {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** After so long a busy or silent table is `store_unavailable`. Keep it well below the deadline of a turn. */
  readonly patience_ms?: number;
};

/** Work is a single request, or a few that may be repeated from the start; it throws what the SDK throws. */
export type RetryUnavailable = <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;

export const machineClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
  },
};

export function createRetry(options: RetryOptions = {}): RetryUnavailable {
  const { clock = machineClock, random = Math.random, patience_ms = RETRY_MS_DEFAULT } = options;
  return async (work) => {
    const deadline = clock.now() + patience_ms;
    for (let delay = DELAY_MS_FIRST; ; delay = Math.min(delay * 2, DELAY_MS_MAX)) {
      const result = await tryOnce(work);
      if ("ok" in result) return result;
      const wait = random() * delay;
      if (clock.now() + wait >= deadline) return unavailable(result.reason);
      await clock.sleep(wait);
    }
  };
}

async function tryOnce<T>(work: () => Promise<Result<T>>): Promise<Result<T> | { readonly reason: string }> {
  try {
    return await work();
  } catch (thrown) {
    const failure = storeFailure(thrown);
    if (failure === null) throw thrown;
    return failure.retryable ? { reason: failure.reason } : unavailable(failure.reason);
  }
}
