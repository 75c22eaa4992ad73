// Commits all writes of one event-loop turn in one transaction with one sync. A caller receives its result only after
// that commit, and a write that throws does not fail the others. If all recent writes were alone, a write is committed
// without waiting for others.
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as setImmediatePromise } from "node:timers/promises";
import type { Failed, Result } from "../../schema/problem.ts";
import { storeFailure, unavailable } from "./failures.ts";
import type { Retrier, RunWithRetry, Work } from "./retry.ts";
import { prepareTransaction } from "./transaction.ts";

/**
 * `work` may run twice: if another write of the same transaction throws, everything is rolled back and each write runs
 * alone. `afterCommit` runs right after the commit, before any other code of this process.
 */
export type Write = <T>(work: Work<T>, afterCommit?: (result: Result<T>) => void) => Promise<Result<T>>;

export type GroupCommit = {
  readonly write: Write;
  readonly read: RunWithRetry;
  /** Commits the queued writes now instead of at the end of the event-loop turn. */
  readonly flush: () => void;
};

type Job = {
  readonly since: number;
  readonly run: () => void;
  readonly settle: () => void;
  readonly fail: (failed: Failed) => void;
  readonly reject: (thrown: unknown) => void;
};

/**
 * After this time a read waits for the end of the event-loop turn. Otherwise a caller that awaits only reads, which are
 * synchronous, would keep queued writes from being committed.
 */
const READ_YIELD_MS = 5;
/** Limits how long one transaction blocks the process. */
const GROUP_MAX = 100;
/**
 * After so many commits of one write each, the next writes are committed immediately. Every so many of them, one waits
 * again for the end of the event-loop turn, to find out whether others join it.
 */
export const ALONE_COMMITS = 16;

export function createGroupCommit(db: DatabaseSync, retry: Retrier): GroupCommit {
  const transaction = prepareTransaction(db);
  const queue: Job[] = [];
  let scheduled = false;
  let flushing = false;
  /** The number of consecutive commits of one write. */
  let alone = 0;
  let yieldedAt = retry.now();

  function commitTogether(group: readonly Job[]): void {
    transaction(() => {
      for (const job of group) job.run();
    });
    for (const job of group) job.settle();
  }

  /** Waits and retries while the file is busy. */
  async function commitGroup(group: readonly Job[]): Promise<void> {
    let thrown: { readonly error: unknown } | null = null;
    const result = await retry.write(() => {
      try {
        commitTogether(group);
      } catch (error) {
        if (storeFailure(error)?.busy) throw error;
        thrown = { error };
      }
      return { ok: true, value: undefined };
    }, group[0]?.since);
    if (!result.ok) for (const job of group) job.fail(result);
    if (thrown) await handleError(group, (thrown as { error: unknown }).error);
  }

  async function handleError(group: readonly Job[], error: unknown): Promise<void> {
    const [only, ...others] = group;
    if (others.length > 0) {
      for (const job of group) await commitGroup([job]);
      return;
    }
    const failure = storeFailure(error);
    if (failure && !failure.busy) only?.fail(unavailable(failure.reason));
    else only?.reject(error);
  }

  async function flushAll(): Promise<void> {
    scheduled = false;
    if (flushing) return;
    flushing = true;
    while (queue.length > 0) {
      const group = queue.splice(0, GROUP_MAX);
      alone = group.length === 1 ? alone + 1 : 0;
      await commitGroup(group);
    }
    flushing = false;
  }

  function schedule(): void {
    if (scheduled || flushing) return;
    if (alone >= ALONE_COMMITS && alone % ALONE_COMMITS > 0) return void flushAll();
    scheduled = true;
    setImmediate(flushAll);
  }

  return {
    async read(work) {
      const now = retry.now();
      if (now - yieldedAt > READ_YIELD_MS) {
        yieldedAt = now;
        await setImmediatePromise();
      }
      return retry.read(work);
    },
    flush: () => void flushAll(),
    write: (work, afterCommit) =>
      new Promise((resolve, reject) => {
        let result: ReturnType<typeof work>;
        queue.push({
          since: retry.now(),
          run: () => {
            result = work();
          },
          settle: () => {
            afterCommit?.(result);
            resolve(result);
          },
          fail: resolve,
          reject,
        });
        schedule();
      }),
  };
}
