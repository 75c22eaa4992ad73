// Runs several statements as one commit. Takes the write lock immediately, because a deferred transaction could fail to
// get it halfway.
import type { DatabaseSync } from "node:sqlite";
import { storeFailure } from "./failures.ts";

export type Transaction = <T>(work: () => T) => T;

/**
 * Another process usually holds the write lock for a fraction of a millisecond: short waits are cheaper than a timer.
 */
const WAITS_MAX = 12;
const WAIT_MS = [0.1, 0.3] as const;
const waitCell = new Int32Array(new SharedArrayBuffer(4));
const waitShortly = (): void =>
  void Atomics.wait(waitCell, 0, 0, WAIT_MS[0] + Math.random() * (WAIT_MS[1] - WAIT_MS[0]));

/** A transaction is synchronous from BEGIN to COMMIT, so no other request of this process can run in between. */
export function prepareTransaction(db: DatabaseSync): Transaction {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const takeWriteLock = (): void => {
    for (let waits = 0; ; waits += 1) {
      try {
        begin.run();
        return;
      } catch (thrown) {
        if (waits >= WAITS_MAX || !storeFailure(thrown)?.busy) throw thrown;
        waitShortly();
      }
    }
  };
  return (work) => {
    takeWriteLock();
    try {
      const value = work();
      commit.run();
      return value;
    } catch (thrown) {
      // After a full disk or an I/O failure, SQLite may have rolled back already.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw thrown;
    }
  };
}

export const inTransaction = <T>(db: DatabaseSync, work: () => T): T => prepareTransaction(db)(work);
