// Retries with full jitter while the table is busy or unreachable. Use it only for work that is safe to repeat.
import { setTimeout as sleep } from "node:timers/promises";
import { type Backoff, backoffMs } from "../../ports/backoff.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Result } from "../../schema/problem.ts";
import { storeFailure, unavailable } from "./failures.ts";

const RETRY_MS_DEFAULT = 5_000;
const BACKOFF: Backoff = { first_ms: 20, max_ms: 1_000, spread: [0, 1] };

export type RetryOptions = {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** After this time, a busy or unreachable table is `store_unavailable`. Keep it well below a turn's deadline. */
  readonly patience_ms?: number;
};

/** The work is one request, or a few that can be repeated from the start. It throws SDK errors. */
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
    for (let failures = 1; ; failures += 1) {
      const result = await tryOnce(work);
      if ("ok" in result) return result;
      const wait = backoffMs(BACKOFF, failures, random());
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
