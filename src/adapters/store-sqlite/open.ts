// Opens the data file: creates it and its folder, sets journal mode and durability, and migrates the schema.
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ok, type Result } from "../../schema/problem.ts";
import { placeOf } from "./document-rows.ts";
import { unavailable } from "./failures.ts";
import { createGroupCommit, type Write } from "./group-commit.ts";
import { checkSchemaVersion, migrate } from "./migrations.ts";
import { BUSY_TIMEOUT_MS, createRetrier, type Retrier, type RetryOptions, type RunWithRetry } from "./retry.ts";
import { createRowCache, type RowCache } from "./row-cache.ts";

export type SqliteOptions = RetryOptions & {
  readonly path: string;
  /** With NORMAL, a power failure may lose the last commits, but a process crash loses none. */
  readonly synchronous?: "FULL" | "NORMAL";
};

export type OpenFile = {
  readonly db: DatabaseSync;
  readonly read: RunWithRetry;
  readonly write: Write;
  /** Commits waiting writes, then closes the file. */
  readonly close: () => void;
  /** Shared by all stores on this connection, which would otherwise not see each other's writes. */
  readonly rowCache: RowCache;
  /** Identifies the file. Null for an in-memory database. */
  readonly place: string | null;
};

/** About 16 MB, four times SQLite's default, for fewer pauses under load. */
const CHECKPOINT_PAGES = 4_000;
/** The next checkpoint truncates a log that grew beyond this size because of a long-running reader. */
const LOG_BYTES_MAX = 67_108_864;

export async function openFile(options: SqliteOptions): Promise<Result<OpenFile>> {
  const { path, synchronous = "FULL" } = options;
  const made = createPrivateFile(path);
  if (!made.ok) return made;
  const retry = createRetrier(options);
  const { write } = retry;
  const opened = await write(() => ok(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })));
  if (!opened.ok) return opened;
  const db = opened.value;
  const ready = await write(() => {
    const known = checkSchemaVersion(db);
    if (!known.ok) return known;
    db.exec("PRAGMA journal_mode = WAL");
    db.exec(`PRAGMA synchronous = ${synchronous}`);
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.exec(`PRAGMA journal_size_limit = ${LOG_BYTES_MAX}`);
    return migrate(db);
  });
  if (ready.ok) return ok(toOpenFile(db, retry, path));
  db.close();
  return ready;
}

function toOpenFile(db: DatabaseSync, retry: Retrier, path: string): OpenFile {
  const group = createGroupCommit(db, retry);
  const close = (): void => {
    group.flush();
    closeFile(db);
  };
  return { db, read: group.read, write: group.write, close, rowCache: createRowCache(db), place: placeOf(path) };
}

/** Threads are private, so only this user can access folder and file. SQLite gives its log files the same mode. */
function createPrivateFile(path: string): Result<void> {
  if (path === ":memory:") return ok(undefined);
  try {
    createFolder(dirname(path));
    closeSync(openSync(path, "a", 0o600));
    return ok(undefined);
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return unavailable(thrown.message);
  }
}

/** Node's recursive mkdir never returns where a file system such as /proc refuses to create a folder. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    // Another process that starts at the same time may have created it first.
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}

function closeFile(db: DatabaseSync): void {
  if (!db.isOpen) return;
  try {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // No data is lost, because committed data stays in the log and is read from there.
  }
  db.close();
}
