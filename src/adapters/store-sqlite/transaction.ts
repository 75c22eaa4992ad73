// Several statements as one commit. The write lock is taken at once: a deferred one could lose it half way.
import type { DatabaseSync } from "node:sqlite";

/** Synchronous from BEGIN to COMMIT, so no other request of this process can come in between. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    db.exec("COMMIT");
    return value;
  } catch (thrown) {
    // On a full disk or an i/o failure SQLite may have rolled back by itself.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw thrown;
  }
}
