// Runs several statements as one commit. Takes the write lock immediately: a deferred transaction could fail to get it
// half way.
import type { DatabaseSync } from "node:sqlite";

/** Synchronous from BEGIN to COMMIT, so no other request of this process can run in between. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    db.exec("COMMIT");
    return value;
  } catch (thrown) {
    // On a full disk or an I/O failure SQLite may have rolled back already.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw thrown;
  }
}
