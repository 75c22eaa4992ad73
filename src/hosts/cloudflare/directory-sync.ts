// Reports the state of one thread to the directory, one update at a time, so that the newest state is reported last. A
// request does not wait long for a directory that hangs, because the object's alarm repeats the update.
import {
  type DirectoryTarget,
  needsDueTimeSync,
  syncDueTime,
  syncListing,
  type Tables,
} from "../../adapters/store-durable-object/sync-directory.ts";
import type { ThreadRef } from "../../schema/ids.ts";

/** Lists usually show a change once its request is answered. After a timeout, no request waits until the directory has responded again. */
const SYNC_WAIT_MS = 1_000;

export type DirectorySync = {
  /** Sends changes that the directory has not received yet. */
  readonly sync: (at: ThreadRef) => Promise<void>;
  /** Like `sync`, but also reports a due time that is later than the directory assumes, or that nothing is due. */
  readonly resync: (at: ThreadRef) => Promise<void>;
};

export type DirectorySyncOptions = {
  readonly target: () => DirectoryTarget;
  readonly tables: () => Tables;
  /** Called when the directory is up to date. The alarm may then be later, or the thread has been removed. */
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
      // The change is already stored in the thread, and the alarm retries the sync.
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
