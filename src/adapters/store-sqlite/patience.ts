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
const STILL_BUSY = "another process keeps it busy";

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
      await clock.sleep(random() * pause);
      if (clock.now() >= until) return unavailable(STILL_BUSY);
      const tried = tryOnce(work);
      if (tried !== "busy") return tried;
    }
  }

  async function read<T>(work: Work<T>): Promise<Result<T>> {
    const until = clock.now() + patience_ms;
    const tried = tryOnce(work);
    return tried === "busy" ? insist(work, until) : tried;
  }

  /** The last writer in line; null while nobody waits. */
  let line: Promise<unknown> | null = null;

  async function write<T>(work: Work<T>): Promise<Result<T>> {
    const until = clock.now() + patience_ms;
    const before = line;
    const first = before === null ? tryOnce(work) : "busy";
    if (first !== "busy") return first;
    // One at a time: a hundred waiting writers, each blocking the thread for its timeout, would freeze it for good.
    const mine = before === null ? insist(work, until) : after(before, work, until);
    line = mine;
    try {
      return await mine;
    } finally {
      if (line === mine) line = null;
    }
  }

  async function after<T>(before: Promise<unknown>, work: Work<T>, until: number): Promise<Result<T>> {
    await before.catch(() => undefined);
    if (clock.now() >= until) return unavailable(STILL_BUSY);
    const tried = tryOnce(work);
    return tried === "busy" ? insist(work, until) : tried;
  }

  return { read, write };
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
