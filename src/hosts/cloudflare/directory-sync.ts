// Synchronizes the directory with one thread: one update at a time, each with the current rows, so the last one wins.
// Requests do not wait long for a directory that hangs; the object's alarm makes sure that it is updated eventually.
import {
  type DirectoryTarget,
  needsDueTimeSync,
  syncDueTime,
  syncListing,
  type Tables,
} from "../../adapters/store-durable-object/sync-directory.ts";
import type { ThreadRef } from "../../schema/ids.ts";

/** Usually lists show a change as soon as the request is answered. A slower directory is not waited for again until it answers. */
const SYNC_WAIT_MS = 1_000;

export type DirectorySync = {
  /** Sends what the directory does not know yet. */
  readonly sync: (at: ThreadRef) => Promise<void>;
  /** Also reports that something is due later than the directory assumes, or that nothing is due. */
  readonly resync: (at: ThreadRef) => Promise<void>;
};

export type DirectorySyncOptions = {
  readonly target: () => DirectoryTarget;
  readonly tables: () => Tables;
  /** The directory is up to date: the alarm may wait longer, or the thread no longer exists. */
  readonly onSynced: () => Promise<void>;
  readonly onError: (at: ThreadRef, error: unknown) => void;
};

export const isDirectoryStale = (tables: Tables): boolean =>
  tables.self.pendingChanges() !== null || needsDueTimeSync(tables);

export function createDirectorySync({ target, tables, onSynced, onError: onBug }: DirectorySyncOptions): DirectorySync {
  let queue: Promise<void> = Promise.resolve();
  let isSlow = false;

  const syncOnce = async (at: ThreadRef, force: boolean): Promise<void> => {
    const current = tables();
    const removed = current.rows.head() === null;
    if (!force && !isDirectoryStale(current)) return;
    try {
      await syncListing(target(), current, at);
      if (force || needsDueTimeSync(current) || (removed && current.self.reportedDueAt() !== null))
        await syncDueTime(target(), current, at);
      await onSynced();
    } catch (error) {
      // The turn is stored; the alarm retries the sync.
      onBug(at, error);
    }
  };
  const enqueue = (at: ThreadRef, force: boolean): Promise<void> => {
    queue = queue.then(() => syncOnce(at, force));
    return isSlow ? Promise.resolve() : waitBriefly(queue);
  };
  const waitBriefly = async (syncing: Promise<void>): Promise<void> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<true>((resolve) => {
      timer = setTimeout(() => resolve(true), SYNC_WAIT_MS);
    });
    isSlow = await Promise.race([syncing.then(() => false), timeout]);
    clearTimeout(timer);
    if (isSlow) {
      syncing.then(() => {
        isSlow = false;
      });
    }
  };
  return { sync: (at) => enqueue(at, false), resync: (at) => enqueue(at, true) };
}
