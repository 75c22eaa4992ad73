// What an object knows of itself: whose thread it holds, and what the directory has been told of it.
import type { ThreadRef } from "../../schema/ids.ts";
import type { ObjectStorage } from "./platform.ts";

const TABLES = [
  "CREATE TABLE IF NOT EXISTS self (one INTEGER PRIMARY KEY CHECK (one = 1), tenant TEXT NOT NULL, thread TEXT NOT NULL, changes INTEGER NOT NULL, told INTEGER NOT NULL)",
  "CREATE TABLE IF NOT EXISTS wait (one INTEGER PRIMARY KEY CHECK (one = 1), due_at INTEGER NOT NULL)",
];

type Row = ThreadRef & { readonly changes: number; readonly told: number };
export type SelfRows = ReturnType<typeof selfRows>;

export function selfRows({ sql }: ObjectStorage) {
  for (const table of TABLES) sql.exec(table);
  const row = (): Row | null => (sql.exec("SELECT * FROM self").toArray()[0] as Row | undefined) ?? null;
  return {
    /** An alarm says nothing of whom it is for. */
    at(): ThreadRef | null {
      const current = row();
      return current ? { tenant: current.tenant, thread: current.thread } : null;
    },
    saveIdentity({ tenant, thread }: ThreadRef): void {
      sql.exec("INSERT OR IGNORE INTO self VALUES (1, ?, ?, 0, 0)", tenant, thread);
    },
    /** Written along with the change itself, so that a crash right after it leaves the debt behind. */
    markDirty(): void {
      sql.exec("UPDATE self SET changes = changes + 1");
    },
    /** How many changes there were; null when the directory knows them all. */
    pendingChanges(): number | null {
      const current = row();
      return current && current.changes > current.told ? current.changes : null;
    },
    /** Changes that came while the directory was being told are still owed. */
    markSynced(changes: number): void {
      sql.exec("UPDATE self SET told = max(told, ?)", changes);
    },
    /** What the directory was told last: from when on something may be due here; null: nothing. */
    reportedDueAt(): number | null {
      return (sql.exec("SELECT due_at FROM wait").toArray()[0]?.due_at as number | undefined) ?? null;
    },
    setReportedDueAt(due_at: number | null): void {
      if (due_at === null) sql.exec("DELETE FROM wait");
      else sql.exec("INSERT OR REPLACE INTO wait VALUES (1, ?)", due_at);
    },
  };
}
