// Defines what every compared system implements: threads in one SQLite file with `synchronous=FULL`, advanced one
// request at a time.
import { DatabaseSync } from "node:sqlite";

export type Session = {
  /** Stores a new thread and returns its id. */
  readonly create: () => Promise<string>;
  /** Loads the thread, asks the model once, runs `look` and stores the result. */
  readonly turn: (id: string) => Promise<void>;
  /** Stores that the model wants to call `write`, which a user must approve. */
  readonly pause: (id: string) => Promise<void>;
  /** Approves that call, runs it and stores everything until the final answer. */
  readonly resume: (id: string) => Promise<void>;
  /** Brings a new thread to this age, if that is possible without taking each turn. */
  readonly age?: (id: string, turns: number) => Promise<void>;
  readonly fetch?: (request: Request) => Response | Promise<Response>;
};

/** Opens the database file. The objects that a request needs are created for each request, as after a restart. */
export type OpenSession = (path: string) => Promise<Session>;

export const GOAL = "Look around";
const OBSERVATION = "An observation of two kilobytes. ".repeat(64);
export const observe = (at: number): string => `${at} ${OBSERVATION}`.slice(0, 2048);

/** The same settings as in src/adapters/store-sqlite/open.ts. */
export const SQLITE_SETTINGS = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
PRAGMA journal_size_limit = 67108864;`;

export function openDatabase(path: string, tables: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`${SQLITE_SETTINGS} ${tables}`);
  return db;
}

/** Opens threads of JSON items, with one row each, for systems that leave the table to their user. */
export function openItemRows(path: string): ItemRows {
  const db = openDatabase(
    path,
    `CREATE TABLE items (thread TEXT, n INTEGER, body TEXT, PRIMARY KEY (thread, n)) WITHOUT ROWID, STRICT;
     CREATE TABLE paused (thread TEXT PRIMARY KEY, state TEXT) WITHOUT ROWID, STRICT`,
  );
  const select = db.prepare("SELECT body FROM items WHERE thread = ? ORDER BY n");
  const last = db.prepare("SELECT coalesce(max(n), 0) AS n FROM items WHERE thread = ?");
  const insert = db.prepare("INSERT INTO items VALUES (?, ?, ?)");
  return {
    db,
    load: (id) => select.all(id).map(({ body }) => JSON.parse(String(body))),
    append(id, items) {
      db.exec("BEGIN IMMEDIATE");
      let n = Number(last.get(id)?.n);
      for (const item of items) insert.run(id, ++n, JSON.stringify(item));
      db.exec("COMMIT");
    },
  };
}

export type ItemRows = {
  readonly db: DatabaseSync;
  readonly load: (id: string) => unknown[];
  /** Appends the items in one transaction. */
  readonly append: (id: string, items: readonly unknown[]) => void;
};
