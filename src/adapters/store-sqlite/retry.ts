// Retries while the file is busy, without blocking the event loop. Only work that changed nothing is retried.
import { setTimeout as sleep } from "node:timers/promises";
import { type Backoff, backoffMs } from "../../ports/backoff.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Result } from "../../schema/problem.ts";
import { storeFailure, unavailable } from "./failures.ts";

/** SQLite itself never waits, because it would sleep for whole milliseconds and block every request of this process. */
export const BUSY_TIMEOUT_MS = 0;
const RETRY_MS_DEFAULT = 5_000;
const BACKOFF: Backoff = { first_ms: 4, max_ms: 100, spread: [0, 1] };
const STILL_BUSY = "another process keeps it busy";

export type RetryOptions = {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** The time after which a busy file is reported as `store_unavailable`. */
  readonly patience_ms?: number;
};

/** A synchronous unit of work: a single statement or a whole transaction. */
export type Work<T> = () => Result<T>;
/** Repeats work while the file is busy, until a time limit that counts from `since`, by default from now. */
export type RunWithRetry = <T>(work: Work<T>, since?: number) => Promise<Result<T>>;
export type Retrier = { readonly read: RunWithRetry; readonly write: RunWithRetry; readonly now: () => number };

const machineClock: Clock = { now: () => performance.now(), sleep: (ms) => sleep(ms) };

export function createRetrier(options: RetryOptions = {}): Retrier {
  const { clock = machineClock, random = Math.random, patience_ms = RETRY_MS_DEFAULT } = options;

  async function retryUnavailable<T>(work: Work<T>, deadline: number): Promise<Result<T>> {
    for (let failures = 1; ; failures += 1) {
      await clock.sleep(backoffMs(BACKOFF, failures, random()));
      if (clock.now() >= deadline) return unavailable(STILL_BUSY);
      const result = tryOnce(work);
      if (result !== "busy") return result;
    }
  }

  async function read<T>(work: Work<T>): Promise<Result<T>> {
    const deadline = clock.now() + patience_ms;
    const result = tryOnce(work);
    return result === "busy" ? retryUnavailable(work, deadline) : result;
  }

  /** The last writer in the queue, or null if the queue is empty. */
  let lastWriter: Promise<unknown> | null = null;

  async function write<T>(work: Work<T>, since = clock.now()): Promise<Result<T>> {
    const deadline = since + patience_ms;
    const previous = lastWriter;
    const first = previous === null ? tryOnce(work) : "busy";
    if (first !== "busy") return first;
    // Writers run one at a time. Each attempt blocks for a moment, so a hundred writers that retry at the same time
    // would freeze the process.
    const current = previous === null ? retryUnavailable(work, deadline) : runAfter(previous, work, deadline);
    lastWriter = current;
    try {
      return await current;
    } finally {
      if (lastWriter === current) lastWriter = null;
    }
  }

  async function runAfter<T>(previous: Promise<unknown>, work: Work<T>, deadline: number): Promise<Result<T>> {
    await previous.catch(() => undefined);
    if (clock.now() >= deadline) return unavailable(STILL_BUSY);
    const result = tryOnce(work);
    return result === "busy" ? retryUnavailable(work, deadline) : result;
  }

  return { read, write, now: () => clock.now() };
}

function tryOnce<T>(work: Work<T>): Result<T> | "busy" {
  try {
    return work();
  } catch (thrown) {
    const failure = storeFailure(thrown);
    if (failure === null) throw thrown;
    return failure.busy ? "busy" : unavailable(failure.reason);
  }
}
