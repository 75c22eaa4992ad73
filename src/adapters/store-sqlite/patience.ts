// Trying again while the file is busy, without blocking the event loop. Only work that changed nothing is tried again.
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";
import type { Result } from "../../schema/problem.ts";
import { storeFailure, unavailable } from "./failures.ts";

/** How long SQLite itself may wait, and with it every request of this process: `node:sqlite` is synchronous. */
export const BUSY_TIMEOUT_MS = 20;
const PATIENCE_MS = 5_000;
const PAUSE_MS_FIRST = 4;
const PAUSE_MS_MAX = 100;

export type Patience = {
  readonly clock?: Clock;
  readonly random?: () => number;
  /** After so long a busy file is `store_unavailable`. */
  readonly patience_ms?: number;
};

/** One synchronous piece of work: a single statement, or a whole transaction. */
export type Work<T> = () => Result<T>;
export type Attempt = <T>(work: Work<T>) => Promise<Result<T>>;

const machineClock: Clock = { now: () => performance.now(), sleep: (ms) => sleep(ms) };

export function createAttempts(patience: Patience = {}): { read: Attempt; write: Attempt } {
  const { clock = machineClock, random = Math.random, patience_ms = PATIENCE_MS } = patience;

  async function insist<T>(work: Work<T>, until: number): Promise<Result<T>> {
    for (let pause = PAUSE_MS_FIRST; ; pause = Math.min(pause * 2, PAUSE_MS_MAX)) {
      const tried = tryOnce(work);
      if (tried !== "busy") return tried;
      if (clock.now() >= until) return unavailable("another process keeps it busy");
      await clock.sleep(random() * pause);
    }
  }

  /** The last writer in line; null while nobody waits. */
  let line: Promise<unknown> | null = null;

  async function write<T>(work: Work<T>): Promise<Result<T>> {
    const until = clock.now() + patience_ms;
    const before = line;
    if (before === null) {
      const tried = tryOnce(work);
      if (tried !== "busy") return tried;
    }
    // One at a time: a hundred waiting writers, each blocking the thread for its timeout, would freeze it for good.
    const mine = (async () => {
      await before?.catch(() => undefined);
      return clock.now() >= until ? unavailable("another process keeps it busy") : insist(work, until);
    })();
    line = mine;
    try {
      return await mine;
    } finally {
      if (line === mine) line = null;
    }
  }

  return { read: (work) => insist(work, clock.now() + patience_ms), write };
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
