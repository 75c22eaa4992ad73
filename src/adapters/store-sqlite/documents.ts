// Stores documents in a SQLite file, on a separate connection that runs only single statements. Retries without
// blocking while the file is busy.
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentStore, LoadedDocument } from "../../ports/documents.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { createOldTables, documentRows, placeOf } from "./document-rows.ts";

/** Opening may wait for another process that creates the file at the same moment. No requests are served yet. */
const OPEN_TIMEOUT_MS = 5000;
const BUSY_TIMEOUT_MS = 25;
const MAX_ATTEMPTS = 40;
const SQLITE_BUSY = 5;
/** The store has already retried, so a caller should not retry immediately. */
const RETRY_AFTER_S = 2;

export function createSqliteDocuments(path: string): DocumentStore {
  const db = open(path);
  const rows = documentRows(db);
  const place = placeOf(path);
  return {
    ...(place === null ? {} : { place }),
    load: (at) => retryWhileBusy(() => readRow(rows.of(at.kind).select.get(at.tenant, at.id))),
    save: (at, value, expectedVersion) => retryWhileBusy(() => ok(rows.save({ at, value, expectedVersion }))),
    copy: (from, to) =>
      retryWhileBusy(() => {
        const { changes } = rows.of(from.kind).duplicate.run(to.tenant, to.id, from.tenant, from.id);
        return ok(Number(changes) === 1);
      }),
    remove: (at) =>
      retryWhileBusy(() => {
        rows.of(at.kind).erase.run(at.tenant, at.id);
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
  // FULL makes an acknowledged write survive a power failure.
  db.exec("PRAGMA synchronous = FULL");
  createOldTables(db);
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

function readRow(row: Record<string, unknown> | undefined): Result<LoadedDocument | null> {
  if (!row) return ok(null);
  try {
    return ok({ version: Number(row.version), value: JSON.parse(String(row.document)) });
  } catch {
    return fail("state_corrupt", "The stored document cannot be read: it is not JSON.");
  }
}

/** node:sqlite is synchronous, so waiting inside it would freeze every request. */
async function retryWhileBusy<T>(attempt: () => Result<T>): Promise<Result<T>> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) return unavailable(`The document file failed: ${messageOf(error)}`);
    }
    await sleep(Math.random() * Math.min(5 * attempts, 100));
  }
  return unavailable("The document file stayed busy.");
}

const unavailable = (message: string): Failed => fail("store_unavailable", message, { retry_after_s: RETRY_AFTER_S });

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
