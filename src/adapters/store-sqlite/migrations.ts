// Defines the schema as steps from one `user_version` to the next. Never edit a released step; add another one.
import type { DatabaseSync } from "node:sqlite";
import { ACTIVITY_SQL } from "../../schema/meta.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { FORKS_TABLE, VERSION_WITH_FORKS } from "./forks.ts";
import { inTransaction } from "./transaction.ts";

/**
 * These are plain rowid tables. In a WITHOUT ROWID table, rows of several KB split over many more pages, and loading
 * and appending took 1.3 to 1.5 times as long. `entry` comes before `state`, so a load that needs only the entry of an
 * older record never reads the pages of its state.
 */
const INITIAL_SCHEMA = `
CREATE TABLE records (
  tenant TEXT NOT NULL,
  thread TEXT NOT NULL,
  version INTEGER NOT NULL,
  commit_id TEXT NOT NULL,
  turn INTEGER NOT NULL,
  entry TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (tenant, thread, version)
) STRICT;
CREATE TABLE metas (
  tenant TEXT NOT NULL,
  thread TEXT NOT NULL,
  created_at TEXT NOT NULL,
  state TEXT NOT NULL,
  gated INTEGER NOT NULL,
  body TEXT NOT NULL,
  metadata TEXT,
  PRIMARY KEY (tenant, thread)
) STRICT;
CREATE INDEX metas_by_age ON metas (tenant, created_at, thread);
CREATE INDEX metas_by_state ON metas (tenant, state, created_at, thread);
CREATE INDEX metas_gated ON metas (tenant, created_at, thread) WHERE gated = 1;
CREATE TABLE blobs (
  tenant TEXT NOT NULL,
  thread TEXT NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, thread, hash)
) STRICT;
CREATE TABLE outbox (
  tenant TEXT NOT NULL,
  thread TEXT NOT NULL,
  id TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, thread, id)
) STRICT;
CREATE INDEX outbox_by_due ON outbox (due_at, id);
CREATE TABLE settings (
  tenant TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
`;

const MIGRATIONS: readonly string[] = [INITIAL_SCHEMA];
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * This index and the table of forks do not raise the schema version, so older releases can still use the file: SQLite
 * itself maintains the index, and the table stays empty until the first fork is stored, which does raise the version.
 */
const ACTIVITY_INDEX = `CREATE INDEX IF NOT EXISTS metas_by_activity ON metas (tenant, ${ACTIVITY_SQL}, thread)`;
const ADDITIONS = [ACTIVITY_INDEX, FORKS_TABLE];
const ADDED = "SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('metas_by_activity', 'forks', 'forks_by_origin')";
const hasAdditions = (db: DatabaseSync): boolean => Number(db.prepare(ADDED).get()?.n) === 3;

function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.user_version);
}

/** A file of a newer release is refused before anything is changed. */
export const checkSchemaVersion = (db: DatabaseSync): Result<number> => checkVersion(schemaVersion(db));

export function checkVersion(found: number): Result<number> {
  if (found <= VERSION_WITH_FORKS) return ok(found);
  const message = `The data file has schema ${found}; this release supports schemas up to ${VERSION_WITH_FORKS}.`;
  return fail("newer_version", message, { found, known: VERSION_WITH_FORKS });
}

export function migrate(db: DatabaseSync): Result<number> {
  const known = checkSchemaVersion(db);
  if (!known.ok || (known.value >= SCHEMA_VERSION && hasAdditions(db))) return known;
  return inTransaction(db, () => {
    // The version is checked again under the write lock, because another process may have migrated the file, perhaps to
    // a newer schema than this release knows.
    const found = checkSchemaVersion(db);
    if (!found.ok) return found;
    for (const step of MIGRATIONS.slice(found.value)) db.exec(step);
    for (const addition of ADDITIONS) db.exec(addition);
    const version = Math.max(found.value, SCHEMA_VERSION);
    db.exec(`PRAGMA user_version = ${version}`);
    return ok(version);
  });
}
