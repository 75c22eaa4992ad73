// Stores the directory: the threads of a tenant, threads with due work, settings, documents and tickets. No turn
// depends on lists or due times.
import type { ActivityPlace, ListQuery } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { lastsUntil } from "../../schema/jobs/time-limit.ts";
import { ACTIVITY_SQL, type Meta, type MetaPlace, readMeta } from "../../schema/meta.ts";
import type { ObjectStorage } from "./platform.ts";

const TABLES = [
  "CREATE TABLE IF NOT EXISTS metas (thread TEXT PRIMARY KEY, created_at TEXT NOT NULL, state TEXT NOT NULL, gated INTEGER NOT NULL, body TEXT NOT NULL)",
  "CREATE INDEX IF NOT EXISTS metas_by_age ON metas (created_at, thread)",
  `CREATE INDEX IF NOT EXISTS metas_by_activity ON metas (${ACTIVITY_SQL}, thread)`,
  "CREATE TABLE IF NOT EXISTS waits (tenant TEXT NOT NULL, thread TEXT NOT NULL, due_at INTEGER NOT NULL, PRIMARY KEY (tenant, thread))",
  "CREATE INDEX IF NOT EXISTS waits_by_time ON waits (due_at)",
  "CREATE TABLE IF NOT EXISTS documents (name TEXT PRIMARY KEY, version INTEGER NOT NULL, body TEXT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS once (name TEXT PRIMARY KEY, until INTEGER NOT NULL, body TEXT NOT NULL)",
];

export type DirectoryRows = ReturnType<typeof directoryRows>;
export type StoredDocument = { readonly version: number; readonly body: string };

export function directoryRows(storage: ObjectStorage) {
  const { sql } = storage;
  for (const table of TABLES) sql.exec(table);
  const rows = <T>(query: string, ...values: (string | number | null)[]): T[] =>
    sql.exec(query, ...values).toArray() as T[];
  const document = (name: string): StoredDocument | null =>
    rows<StoredDocument>("SELECT version, body FROM documents WHERE name = ?", name)[0] ?? null;
  const metas = (query: string, ...values: (string | number)[]): readonly Meta[] =>
    rows<MetaPlace & { body: string }>(query, ...values).map((row) => readMeta(row, () => JSON.parse(row.body)));

  return {
    putMeta(meta: Meta): void {
      const { thread, created_at, state, gate } = meta;
      const values = [thread, created_at, state, gate ? 1 : 0, JSON.stringify(meta)];
      sql.exec("INSERT OR REPLACE INTO metas VALUES (?, ?, ?, ?, ?)", ...values);
    },
    removeMeta(thread: string): void {
      sql.exec("DELETE FROM metas WHERE thread = ?", thread);
    },
    list(query: ListQuery): readonly Meta[] {
      const filters = ["1"];
      const values: (string | number)[] = [];
      if (query.after) {
        filters.push("(created_at, thread) < (?, ?)");
        values.push(query.after.created_at, query.after.thread);
      }
      if (query.state !== undefined) {
        filters.push("state = ?");
        values.push(query.state);
      }
      if (query.gated) filters.push("gated = 1");
      return metas(
        `SELECT thread, created_at, state, body FROM metas WHERE ${filters.join(" AND ")} ORDER BY created_at DESC, thread DESC LIMIT ?`,
        ...values,
        query.limit,
      );
    },
    listByActivity(after: ActivityPlace | null, limit: number): readonly Meta[] {
      const [updated_at, thread] = after ? [after.updated_at, after.thread] : ["~", "~"];
      return metas(
        `SELECT thread, created_at, state, body, ${ACTIVITY_SQL} AS updated_at FROM metas
        WHERE ${ACTIVITY_SQL} <= ? AND (${ACTIVITY_SQL} < ? OR thread < ?)
        ORDER BY ${ACTIVITY_SQL} DESC, thread DESC LIMIT ?`,
        ...[updated_at, updated_at, thread, limit],
      );
    },
    /** `due_at` is never later than the due time of the thread's next delivery, and null if nothing is due. */
    setWait({ tenant, thread }: ThreadRef, due_at: number | null): void {
      if (due_at === null) sql.exec("DELETE FROM waits WHERE tenant = ? AND thread = ?", tenant, thread);
      else sql.exec("INSERT OR REPLACE INTO waits VALUES (?, ?, ?)", tenant, thread, due_at);
    },
    waiting(now: number, limit: number): readonly ThreadRef[] {
      return rows("SELECT tenant, thread FROM waits WHERE due_at <= ? ORDER BY due_at LIMIT ?", now, limit);
    },
    /** Random, so that each of these threads is checked eventually. */
    waitingLonger(now: number, limit: number): readonly ThreadRef[] {
      return rows("SELECT tenant, thread FROM waits WHERE due_at > ? ORDER BY random() LIMIT ?", now, limit);
    },
    document,
    /** Returns the stored version, which is `expectedVersion` + 1 if this save won. */
    saveDocument(name: string, body: string, expectedVersion: number) {
      const storedVersion = document(name)?.version ?? 0;
      if (storedVersion !== expectedVersion) return { won: false, version: storedVersion };
      sql.exec("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", name, expectedVersion + 1, body);
      return { won: true, version: expectedVersion + 1 };
    },
    /** Keeps the version of the source. False if the document already exists. */
    copyDocument(name: string, { version, body }: StoredDocument): boolean {
      if (document(name)) return false;
      sql.exec("INSERT INTO documents VALUES (?, ?, ?)", name, version, body);
      return true;
    },
    /** The text can be taken once before `until`. */
    putOnce(name: string, body: string, until: number, now: number): void {
      sql.exec("DELETE FROM once WHERE until <= ?", now);
      sql.exec("INSERT INTO once VALUES (?, ?, ?)", name, until, body);
    },
    takeOnce(name: string, now: number, longest_ms: number): string | null {
      const [stored] = rows<{ until: number; body: string }>("SELECT until, body FROM once WHERE name = ?", name);
      sql.exec("DELETE FROM once WHERE name = ?", name);
      return stored && lastsUntil(stored.until, now, longest_ms) ? stored.body : null;
    },
    removeDocument(name: string): void {
      sql.exec("DELETE FROM documents WHERE name = ?", name);
    },
  };
}
