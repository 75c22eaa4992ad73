// Documents in a SQLite file, one table per kind. Single statements only; a busy file is retried without blocking.
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { DOCUMENT_KIND, type DocumentStore, type LoadedDocument, type SaveResult } from "../ports/documents.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";

/** Two processes may create the file at the same moment; nothing is served yet, so waiting here blocks no request. */
const OPEN_TIMEOUT_MS = 5000;
const BUSY_TIMEOUT_MS = 25;
const MAX_ATTEMPTS = 40;
const SQLITE_BUSY = 5;
/** After all attempts of ours a caller should not retry at once. */
const RETRY_AFTER_S = 2;

type Names = { readonly table: string; readonly id: string };

/** Calendars were stored before there were other kinds, and stay where they are. */
const OLD_NAMES: Readonly<Record<string, Names>> = { calendar: { table: "calendars", id: "calendar" } };

function namesOf(kind: string): Names {
  if (!DOCUMENT_KIND.test(kind)) throw new Error(`${JSON.stringify(kind)} is not a valid kind of document`);
  return OLD_NAMES[kind] ?? { table: `documents_${kind}`, id: "id" };
}

export function createSqliteDocuments(path: string): DocumentStore {
  const db = open(path);
  const tables = new Map<string, ReturnType<typeof prepare>>();
  const statements = (kind: string): ReturnType<typeof prepare> => {
    const known = tables.get(kind) ?? prepare(db, namesOf(kind));
    tables.set(kind, known);
    return known;
  };
  return {
    load: (at) => retryWhileBusy(() => readRow(statements(at.kind).select.get(at.tenant, at.id))),
    save: (at, value, expectedVersion) =>
      retryWhileBusy((): Result<SaveResult> => {
        const { select, insert, update } = statements(at.kind);
        const text = JSON.stringify(value);
        const done =
          expectedVersion === 0
            ? insert.run(at.tenant, at.id, text)
            : update.run(text, at.tenant, at.id, expectedVersion);
        if (Number(done.changes) === 1) return ok({ saved: true, version: expectedVersion + 1 });
        return ok({ saved: false, version: Number(select.get(at.tenant, at.id)?.version ?? 0) });
      }),
    copy: (from, to) =>
      retryWhileBusy(() => {
        const { changes } = statements(from.kind).duplicate.run(to.tenant, to.id, from.tenant, from.id);
        return ok(Number(changes) === 1);
      }),
    remove: (at) =>
      retryWhileBusy(() => {
        statements(at.kind).erase.run(at.tenant, at.id);
        return ok(undefined);
      }),
    async close() {
      db.close();
    },
  };
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: OPEN_TIMEOUT_MS });
  db.exec("PRAGMA journal_mode = WAL");
  // A write that was acknowledged survives a power cut.
  db.exec("PRAGMA synchronous = FULL");
  for (const names of Object.values(OLD_NAMES)) db.exec(createTable(names));
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

const createTable = ({ table, id }: Names): string => `CREATE TABLE IF NOT EXISTS ${table} (
  tenant TEXT NOT NULL, ${id} TEXT NOT NULL, version INTEGER NOT NULL, document TEXT NOT NULL,
  PRIMARY KEY (tenant, ${id})
) STRICT, WITHOUT ROWID`;

function prepare(db: DatabaseSync, names: Names) {
  const { table, id } = names;
  db.exec(createTable(names));
  return {
    select: db.prepare(`SELECT version, document FROM ${table} WHERE tenant = ? AND ${id} = ?`),
    insert: db.prepare(`INSERT INTO ${table} VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING`),
    update: db.prepare(
      `UPDATE ${table} SET version = version + 1, document = ? WHERE tenant = ? AND ${id} = ? AND version = ?`,
    ),
    duplicate: db.prepare(
      `INSERT INTO ${table} SELECT ?, ?, version, document FROM ${table} WHERE tenant = ? AND ${id} = ? ON CONFLICT DO NOTHING`,
    ),
    erase: db.prepare(`DELETE FROM ${table} WHERE tenant = ? AND ${id} = ?`),
  };
}

function readRow(row: Record<string, unknown> | undefined): Result<LoadedDocument | null> {
  if (!row) return ok(null);
  try {
    return ok({ version: Number(row.version), value: JSON.parse(String(row.document)) });
  } catch {
    return fail("state_corrupt", "The stored document cannot be read: it is not JSON.");
  }
}

/** node:sqlite is synchronous: waiting inside it would freeze every request, so we wait outside, a little each time. */
async function retryWhileBusy<T>(attempt: () => Result<T>): Promise<Result<T>> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) return unavailable(`The file of documents failed: ${messageOf(error)}`);
    }
    await sleep(Math.random() * Math.min(5 * attempts, 100));
  }
  return unavailable("The file of documents stayed busy.");
}

const unavailable = (message: string): Failed => fail("store_unavailable", message, { retry_after_s: RETRY_AFTER_S });

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
