// Runs several statements as one commit. Takes the write lock immediately: a deferred transaction could fail to get it
// half way.
import type { DatabaseSync } from "node:sqlite";

export type Transaction = <T>(work: () => T) => T;

/** Synchronous from BEGIN to COMMIT, so no other request of this process can run in between. */
export function prepareTransaction(db: DatabaseSync): Transaction {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  return (work) => {
    begin.run();
    try {
      const value = work();
      commit.run();
      return value;
    } catch (thrown) {
      // On a full disk or an I/O failure SQLite may have rolled back already.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw thrown;
    }
  };
}

export const inTransaction = <T>(db: DatabaseSync, work: () => T): T => prepareTransaction(db)(work);
