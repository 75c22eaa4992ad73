// Stores forks. A fork shares the older records and blobs of its origin instead of copying them. When the origin is
// removed, one of its forks takes over the rows that forks still need, so every thread can be removed at any time.
import type { DatabaseSync } from "node:sqlite";
import type { ThreadId, ThreadRef } from "../../schema/ids.ts";

/** Older releases refuse a file with forks, because they would show a fork without its older records. */
export const VERSION_WITH_FORKS = 2;

/** A fork has the records of its origin with versions up to `through`. Its own records have higher versions. */
export const FORKS_TABLE = `
CREATE TABLE IF NOT EXISTS forks (
  tenant TEXT NOT NULL,
  thread TEXT NOT NULL,
  origin TEXT NOT NULL,
  through INTEGER NOT NULL,
  PRIMARY KEY (tenant, thread)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS forks_by_origin ON forks (tenant, origin, through)`;

/** Selects the origin, the origin of the origin, and so on. */
const SELECT_ORIGINS = `
WITH RECURSIVE line (thread, through, depth) AS (
  SELECT origin, through, 1 FROM forks WHERE tenant = ?1 AND thread = ?2
  UNION ALL
  SELECT forks.origin, min(forks.through, line.through), depth + 1
  FROM line JOIN forks ON forks.tenant = ?1 AND forks.thread = line.thread
)
SELECT thread, through FROM line ORDER BY depth`;

const SELECT_FORKS = "SELECT thread, through FROM forks WHERE tenant = ?1 AND origin = ?2 ORDER BY through DESC";
const TEXTS_UP_TO = "SELECT entry, state FROM records WHERE tenant = ?1 AND thread = ?2 AND version <= ?3";
const TEXTS_AT = "SELECT entry, state FROM records WHERE tenant = ?1 AND thread = ?2 AND version = ?3";
const BLOB_TEXT = "SELECT body FROM blobs WHERE tenant = ?1 AND thread = ?2 AND hash = ?3";
const HASH = /[0-9a-f]{64}/g;

export type Origin = { readonly thread: ThreadId; readonly through: number };

export type ForkRows = {
  /** Returns the nearest origin first. A thread that is not a fork has none. */
  readonly originsOf: (at: ThreadRef) => readonly Origin[];
  readonly put: (at: ThreadRef, origin: Origin) => void;
  /** Transfers the rows of `at` that its forks still need to one of those forks. Must precede the removal of `at`. */
  readonly handOver: (at: ThreadRef) => void;
};

export function forkRows(db: DatabaseSync): ForkRows {
  const origins = db.prepare(SELECT_ORIGINS);
  const forks = db.prepare(SELECT_FORKS);
  const insert = db.prepare("INSERT INTO forks (tenant, thread, origin, through) VALUES (?1, ?2, ?3, ?4)");
  const erase = db.prepare("DELETE FROM forks WHERE tenant = ?1 AND thread = ?2");
  const moveForks = db.prepare("UPDATE forks SET origin = ?3 WHERE tenant = ?1 AND origin = ?2");
  const moveRecords = db.prepare("UPDATE records SET thread = ?3 WHERE tenant = ?1 AND thread = ?2 AND version <= ?4");
  const moveBlob = db.prepare("UPDATE OR IGNORE blobs SET thread = ?3 WHERE tenant = ?1 AND thread = ?2 AND hash = ?4");
  const userVersion = db.prepare("PRAGMA user_version");
  const textsUpTo = db.prepare(TEXTS_UP_TO);
  const textsAt = db.prepare(TEXTS_AT);
  const blobText = db.prepare(BLOB_TEXT);

  const originsOf = ({ tenant, thread }: ThreadRef): readonly Origin[] => origins.all(tenant, thread) as Origin[];

  /** A blob is shared if the shared records, the first own record of a fork, or another shared blob names it. */
  function sharedBlobs({ tenant, thread }: ThreadRef, shared: readonly Origin[]): ReadonlySet<string> {
    const kept = new Set<string>();
    const waiting: string[] = [];
    const collect = (text: unknown): void => {
      for (const [hash] of String(text).matchAll(HASH)) if (!kept.has(hash)) waiting.push(hash);
    };
    const through = shared[0]?.through ?? -1;
    for (const { entry, state } of textsUpTo.iterate(tenant, thread, through))
      for (const text of [entry, state]) collect(text);
    for (const fork of shared)
      for (const { entry, state } of textsAt.all(tenant, fork.thread, fork.through + 1))
        for (const text of [entry, state]) collect(text);
    for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
      const blob = kept.has(hash) ? undefined : blobText.get(tenant, thread, hash);
      if (!blob) continue;
      kept.add(hash);
      collect(blob.body);
    }
    return kept;
  }

  return {
    originsOf,
    put({ tenant, thread }, { thread: origin, through }) {
      insert.run(tenant, thread, origin, through);
      if (Number(userVersion.get()?.user_version) < VERSION_WITH_FORKS)
        db.exec(`PRAGMA user_version = ${VERSION_WITH_FORKS}`);
    },
    handOver(at) {
      const { tenant, thread } = at;
      const shared = forks.all(tenant, thread) as Origin[];
      const [heir] = shared;
      const [own] = originsOf(at);
      erase.run(tenant, thread);
      if (!heir) return;
      for (const hash of sharedBlobs(at, shared)) moveBlob.run(tenant, thread, heir.thread, hash);
      moveRecords.run(tenant, thread, heir.thread, heir.through);
      erase.run(tenant, heir.thread);
      moveForks.run(tenant, thread, heir.thread);
      if (own) insert.run(tenant, heir.thread, own.thread, own.through);
    },
  };
}
