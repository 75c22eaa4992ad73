// Stores one thread in the SQLite storage of one object. Implements the whole store contract except listing. All
// methods are synchronous, so calls never interleave.

import type { ClaimResult } from "../../ports/claims.ts";
import { anyBlobTooLarge, recordTooLarge } from "../../ports/row-limits.ts";
import {
  type AppendExtras,
  type Delivery,
  type LoadedRows,
  NEVER_DUE,
  type RecordRange,
  type StoredRecord,
} from "../../ports/thread-store.ts";
import type { Meta } from "../../schema/meta.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { blobRows } from "./blob-rows.ts";
import type { ObjectStorage } from "./platform.ts";

const TABLES = [
  "CREATE TABLE IF NOT EXISTS records (version INTEGER PRIMARY KEY, commit_id TEXT NOT NULL, turn INTEGER NOT NULL, entry TEXT NOT NULL, state TEXT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS blobs (hash TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (hash, part))",
  "CREATE TABLE IF NOT EXISTS outbox (id TEXT PRIMARY KEY, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL, body TEXT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS incoming (owner TEXT NOT NULL, version INTEGER NOT NULL, commit_id TEXT NOT NULL, turn INTEGER NOT NULL, entry TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (owner, version))",
  "CREATE TABLE IF NOT EXISTS meta (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL)",
];

const notFound = (): Failed => fail("thread_not_found", "The thread does not exist.");
const moved = (version: number): Failed => fail("thread_moved", `The thread is at version ${version}.`, { version });

export type ThreadRows = ReturnType<typeof threadRows>;

export function threadRows(storage: ObjectStorage) {
  const { sql } = storage;
  for (const table of TABLES) sql.exec(table);
  const rows = <T>(query: string, ...values: (string | number | null)[]): T[] =>
    sql.exec(query, ...values).toArray() as T[];
  const head = (): number | null =>
    rows<{ head: number | null }>("SELECT max(version) AS head FROM records")[0]?.head ?? null;
  const newestCommit = (): { version: number; commit_id: string } | undefined =>
    rows<{ version: number; commit_id: string }>(
      "SELECT version, commit_id FROM records ORDER BY version DESC LIMIT 1",
    )[0];
  const commitOf = (version: number): string | undefined =>
    rows<{ commit_id: string }>("SELECT commit_id FROM records WHERE version = ?", version)[0]?.commit_id;

  /** The version is taken by this same record, whose reply was lost, or by another record. */
  function resolveConflict(record: StoredRecord, at: number): Result<number> {
    return commitOf(record.version) === record.commit_id ? ok(record.version) : moved(at);
  }
  function insert({ version, commit_id, turn, entry, state }: StoredRecord): void {
    const values = [version, commit_id, turn, entry.toWellFormed(), state.toWellFormed()];
    sql.exec("INSERT INTO records VALUES (?, ?, ?, ?, ?)", ...values);
  }
  function putMeta(meta: Meta): Meta {
    const metadata = meta.metadata ?? readMeta()?.metadata ?? null;
    const merged = { ...meta, metadata };
    const body = JSON.stringify(merged);
    sql.exec("INSERT INTO meta VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET body = excluded.body", body);
    return merged;
  }
  const readMeta = (): Meta | null => {
    const [row] = rows<{ body: string }>("SELECT body FROM meta");
    return row ? (JSON.parse(row.body) as Meta) : null;
  };
  const putDelivery = ({ id, due_at, attempts, body }: Delivery): void => {
    sql.exec(
      "INSERT INTO outbox VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, attempts = excluded.attempts, body = excluded.body",
      ...[id, due_at, attempts, body.toWellFormed()],
    );
  };

  const { insertBlob, ...blobMethods } = blobRows(storage);

  return {
    ...claimRows(storage),
    ...blobMethods,
    head,
    /** The turn of the newest record, or -1 if there is none. */
    headTurn: (): number =>
      rows<{ turn: number }>("SELECT turn FROM records ORDER BY version DESC LIMIT 1")[0]?.turn ?? -1,
    meta: readMeta,
    create(record: StoredRecord, meta: Meta | null, outbox: readonly Delivery[] = []): Result<number> {
      const tooLarge = recordTooLarge(record);
      if (tooLarge) return tooLarge;
      const at = head();
      if (at !== null) return resolveConflict(record, at);
      return storage.transactionSync(() => {
        insert(record);
        if (meta) putMeta(meta);
        for (const delivery of outbox) putDelivery(delivery);
        return ok(record.version);
      });
    },
    /** Stores a few records of a whole thread. `by` separates the records of two concurrent attempts. */
    stage(by: string, records: readonly StoredRecord[]): Result<void> {
      const large = records.map(recordTooLarge).find(Boolean);
      if (large) return large;
      storage.transactionSync(() => {
        for (const { version, commit_id, turn, entry, state } of records) {
          const values = [commit_id, turn, entry.toWellFormed(), state.toWellFormed()];
          sql.exec("INSERT OR REPLACE INTO incoming VALUES (?, ?, ?, ?, ?, ?)", by, version, ...values);
        }
      });
      return ok(undefined);
    },
    /** If some staged records are missing, a removal or another attempt has deleted them. */
    publish(by: string, last: StoredRecord, also: AppendExtras): Result<number> {
      const at = head();
      if (at !== null) return resolveConflict(last, at);
      const [staged] = rows<{ n: number }>("SELECT count(*) AS n FROM incoming WHERE owner = ?", by);
      if (staged?.n !== last.version + 1) return notFound();
      return storage.transactionSync(() => {
        sql.exec("INSERT INTO records SELECT version, commit_id, turn, entry, state FROM incoming WHERE owner = ?", by);
        sql.exec("DELETE FROM incoming");
        if (also.meta) putMeta(also.meta);
        for (const delivery of also.outbox ?? []) putDelivery(delivery);
        return ok(last.version);
      });
    },
    load(entries: number): Result<LoadedRows> {
      const newest = rows<{ version: number; entry: string }>(
        "SELECT version, entry FROM records ORDER BY version DESC LIMIT ?",
        entries,
      );
      const [newestRow] = rows<{ version: number; state: string }>(
        "SELECT version, state FROM records ORDER BY version DESC LIMIT 1",
      );
      return newestRow
        ? ok({ head: { version: newestRow.version, state: newestRow.state }, entries: newest.reverse() })
        : notFound();
    },
    /** Other requests may have run while the turn waited for the model, so the version is checked again here. */
    append(record: StoredRecord, also: AppendExtras): Result<number> {
      const tooLarge = recordTooLarge(record) ?? anyBlobTooLarge(also.blobs);
      if (tooLarge) return tooLarge;
      const newest = newestCommit();
      if (!newest) return notFound();
      const { version: at, commit_id } = newest;
      if (record.version !== at + 1) return resolveConflict(record, at);
      if (also.follows !== undefined && commit_id !== also.follows) return moved(at);
      return storage.transactionSync(() => {
        insert(record);
        for (const blob of also.blobs ?? []) insertBlob(blob);
        if (also.meta) putMeta(also.meta);
        for (const delivery of also.outbox ?? []) putDelivery(delivery);
        for (const id of also.taken ?? []) sql.exec("DELETE FROM outbox WHERE id = ?", id);
        return ok(record.version);
      });
    },
    records({ after, limit }: RecordRange): Result<readonly StoredRecord[]> {
      if (head() === null) return notFound();
      return ok(
        rows<StoredRecord>(
          "SELECT version, commit_id, turn, entry, state FROM records WHERE version > ? ORDER BY version LIMIT ?",
          after,
          limit,
        ),
      );
    },
    remove(): Result<void> {
      const existed = head() !== null;
      storage.transactionSync(() => {
        for (const table of ["records", "incoming", "blobs", "outbox", "meta", "claim"])
          sql.exec(`DELETE FROM ${table}`);
      });
      return existed ? ok(undefined) : notFound();
    },
    settleDelivery(read: Delivery, next: Delivery | null): Result<boolean> {
      const [stored] = rows<Delivery>("SELECT id, due_at, attempts, body FROM outbox WHERE id = ?", read.id);
      if (!stored) return ok(false);
      if (stored.due_at !== read.due_at || stored.attempts !== read.attempts) {
        const isSame = stored.due_at === next?.due_at && stored.attempts === next.attempts && stored.body === next.body;
        return ok(isSame);
      }
      if (next === null) sql.exec("DELETE FROM outbox WHERE id = ?", read.id);
      else putDelivery(next);
      return ok(true);
    },
    putDelivery(delivery: Delivery): Result<void> {
      if (head() === null) return notFound();
      putDelivery(delivery);
      return ok(undefined);
    },
    deliveries(limit: number, prefix = ""): readonly Omit<Delivery, "tenant" | "thread">[] {
      const matching = "SELECT id, due_at, attempts, body FROM outbox WHERE substr(id, 1, length(?1)) = ?1";
      return rows(`${matching} ORDER BY due_at, id LIMIT ?2`, prefix, limit);
    },
    due(now: number, limit: number): readonly Omit<Delivery, "tenant" | "thread">[] {
      const due = "SELECT id, due_at, attempts, body FROM outbox WHERE due_at <= ?";
      return rows(`${due} ORDER BY due_at, id LIMIT ?`, now, limit);
    },
    /** The time of the next alarm, or null if nothing is due. */
    nextDue(): number | null {
      const due = rows<{ due: number | null }>("SELECT min(due_at) AS due FROM outbox")[0]?.due ?? null;
      return due === NEVER_DUE ? null : due;
    },
  };
}

const TABLE =
  "CREATE TABLE IF NOT EXISTS claim (one INTEGER PRIMARY KEY CHECK (one = 1), owner TEXT NOT NULL, until INTEGER NOT NULL)";

/**
 * Stores the claim on a thread as one row in its object, timed by the object's clock. The claim avoids duplicate model
 * requests, but commits do not depend on it.
 */
function claimRows({ sql }: ObjectStorage) {
  sql.exec(TABLE);
  return {
    claim(owner: string, ttl_ms: number): Result<ClaimResult> {
      const now = Date.now();
      const [current] = sql.exec("SELECT owner, until FROM claim").toArray() as { owner: string; until: number }[];
      if (current && current.owner !== owner && now < current.until) return ok({ mine: false, until: current.until });
      sql.exec("INSERT OR REPLACE INTO claim VALUES (1, ?, ?)", owner, now + ttl_ms);
      return ok({ mine: true });
    },
    release(owner: string): Result<void> {
      sql.exec("DELETE FROM claim WHERE owner = ?", owner);
      return ok(undefined);
    },
  };
}
