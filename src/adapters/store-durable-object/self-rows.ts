// Stores what an object knows about itself: its thread's id, and what has been reported to the directory.
import type { ThreadRef } from "../../schema/ids.ts";
import type { ObjectStorage } from "./platform.ts";

const TABLES = [
  "CREATE TABLE IF NOT EXISTS self (one INTEGER PRIMARY KEY CHECK (one = 1), tenant TEXT NOT NULL, thread TEXT NOT NULL, changes INTEGER NOT NULL, told INTEGER NOT NULL)",
  "CREATE TABLE IF NOT EXISTS wait (one INTEGER PRIMARY KEY CHECK (one = 1), due_at INTEGER NOT NULL)",
];

type Row = ThreadRef & { readonly changes: number; readonly synced: number };
export type SelfRows = ReturnType<typeof selfRows>;

export function selfRows({ sql }: ObjectStorage) {
  for (const table of TABLES) sql.exec(table);
  const row = (): Row | null =>
    (sql.exec("SELECT tenant, thread, changes, told AS synced FROM self").toArray()[0] as Row | undefined) ?? null;
  return {
    /** Needed by alarms, which do not carry the thread's id. */
    at(): ThreadRef | null {
      const current = row();
      return current ? { tenant: current.tenant, thread: current.thread } : null;
    },
    saveIdentity({ tenant, thread }: ThreadRef): void {
      sql.exec("INSERT OR IGNORE INTO self VALUES (1, ?, ?, 0, 0)", tenant, thread);
    },
    /** Called together with the change itself, so that the pending sync survives a crash right after it. */
    markDirty(): void {
      sql.exec("UPDATE self SET changes = changes + 1");
    },
    /** Returns the number of all changes so far if some are not synced yet, otherwise null. */
    pendingChanges(): number | null {
      const current = row();
      return current && current.changes > current.synced ? current.changes : null;
    },
    /** Changes made during the sync are still pending. */
    markSynced(changes: number): void {
      sql.exec("UPDATE self SET told = max(told, ?)", changes);
    },
    /** The due time that was last reported to the directory, or null if nothing was due. */
    reportedDueAt(): number | null {
      return (sql.exec("SELECT due_at FROM wait").toArray()[0]?.due_at as number | undefined) ?? null;
    },
    setReportedDueAt(due_at: number | null): void {
      if (due_at === null) sql.exec("DELETE FROM wait");
      else sql.exec("INSERT OR REPLACE INTO wait VALUES (1, ?)", due_at);
    },
  };
}
