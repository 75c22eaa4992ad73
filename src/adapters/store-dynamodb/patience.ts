// Trying again while the table is busy or silent, with full jitter. Only work that may be done twice is given here.
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";
import type { Result } from "../../schema/problem.ts";
import { storeFailure, unavailable } from "./failures.ts";

const PATIENCE_MS = 5_000;
const PAUSE_MS_FIRST = 20;
const PAUSE_MS_MAX = 1_000;

export type Patience = {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** After so long a busy or silent table is `store_unavailable`. Keep it well below the deadline of a turn. */
  readonly patience_ms?: number;
};

/** Work is a single request, or a few that may be repeated from the start; it throws what the SDK throws. */
export type Insist = <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;

export const machineClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
  },
};

export function createInsist(patience: Patience = {}): Insist {
  const { clock = machineClock, random = Math.random, patience_ms = PATIENCE_MS } = patience;
  return async (work) => {
    const until = clock.now() + patience_ms;
    for (let pause = PAUSE_MS_FIRST; ; pause = Math.min(pause * 2, PAUSE_MS_MAX)) {
      const tried = await tryOnce(work);
      if ("ok" in tried) return tried;
      const wait = random() * pause;
      if (clock.now() + wait >= until) return unavailable(tried.reason);
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
    return failure.again ? { reason: failure.reason } : unavailable(failure.reason);
  }
}
