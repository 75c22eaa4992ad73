// Measures the minimum cost of a durable turn with a SQLite file that is configured like the store's and has one table
// with an integer key. Reads the same rows, parses and serializes JSON, and writes a row of the same size, without any
// checks or model.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type RowText = { readonly entry: string; readonly state: string };
export type BaselineFile = {
  /** Returns the milliseconds for reading and writing, and for the write alone. */
  readonly roundTrip: () => { readonly total: number; readonly write: number };
  /** Returns the number of pages that one write adds to the log. */
  readonly pages: () => number;
  readonly close: () => void;
};

const ROWS_LOADED = 17;
/**
 * More rows than the log holds between two checkpoints. After them, the log is overwritten and no longer grows, like
 * the store's.
 */
const ROWS_FILLED = 1_500;
/** The same settings as in src/adapters/store-sqlite/open.ts. */
const SETUP_SQL = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
PRAGMA journal_size_limit = 67108864; CREATE TABLE r (v INTEGER PRIMARY KEY, e TEXT, s TEXT) STRICT`;

export function openBaseline(folder: string, { entry, state }: RowText): BaselineFile {
  const path = join(folder, "bare.db");
  const db = new DatabaseSync(path);
  db.exec(SETUP_SQL);
  const insert = db.prepare("INSERT INTO r VALUES (?, ?, ?)");
  const newest = db.prepare(`SELECT v, e FROM r ORDER BY v DESC LIMIT ${ROWS_LOADED}`);
  const head = db.prepare("SELECT s FROM r WHERE v = ?");
  let v = 0;
  db.exec("BEGIN");
  while (v < ROWS_FILLED) insert.run(v++, entry, state);
  db.exec("COMMIT");
  const frames = countFrames(path);
  return {
    roundTrip() {
      const started = performance.now();
      const rows = newest.all() as { v: number; e: string }[];
      const entries = rows.map((row) => JSON.parse(row.e));
      const headState = JSON.parse((head.get(v - 1) as { s: string }).s);
      const [e, s] = [JSON.stringify(entries[0]), JSON.stringify(headState)];
      const writeStarted = performance.now();
      insert.run(v++, e, s);
      const ended = performance.now();
      return { total: ended - started, write: ended - writeStarted };
    },
    pages() {
      const before = frames.now();
      insert.run(v++, entry, state);
      return frames.now() - before;
    },
    close() {
      frames.close();
      db.close();
    },
  };
}

/** Counts the pages in a file's log on a separate connection that does not checkpoint. */
export function countFrames(path: string): { readonly now: () => number; readonly close: () => void } {
  const db = new DatabaseSync(path);
  const ask = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  return { now: () => Number(ask.get()?.log), close: () => db.close() };
}
