// Creates, appends and reads the records of a thread.
import { anyBlobTooLarge, recordTooLarge } from "../../ports/row-limits.ts";
import type { AppendExtras, StoredRecord, ThreadSnapshot, ThreadStore } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { PUT_BLOB } from "./blobs.ts";
import { notFound } from "./failures.ts";
import type { MetaRows } from "./metas.ts";
import type { OpenFile } from "./open.ts";
import type { OutboxRows } from "./outbox.ts";

const INSERT_FIRST = `
INSERT INTO records (tenant, thread, version, commit_id, turn, entry, state)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (tenant, thread, version) DO NOTHING`;

/**
 * The compare-and-set: the primary key refuses a second record n+1, the condition refuses a gap or a removed thread.
 */
const INSERT_NEXT = `
INSERT INTO records (tenant, thread, version, commit_id, turn, entry, state)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
WHERE EXISTS (SELECT 1 FROM records WHERE tenant = ?1 AND thread = ?2 AND version = ?3 - 1)
ON CONFLICT (tenant, thread, version) DO NOTHING`;

const NEWEST = `
SELECT version, entry,
  iif(version = (SELECT max(version) FROM records WHERE tenant = ?1 AND thread = ?2), state, NULL) AS state
FROM records WHERE tenant = ?1 AND thread = ?2 ORDER BY version DESC LIMIT ?3`;

const RANGE = `
SELECT version, commit_id, turn, entry, state
FROM records WHERE tenant = ?1 AND thread = ?2 AND version > ?3 ORDER BY version LIMIT ?4`;

const SELECT_HEAD_AND_COMMIT = `
SELECT max(version) AS head,
  (SELECT commit_id FROM records WHERE tenant = ?1 AND thread = ?2 AND version = ?3) AS commit_id
FROM records WHERE tenant = ?1 AND thread = ?2`;

type RecordMethods = Pick<
  ThreadStore,
  "create" | "createFromSnapshot" | "load" | "append" | "appendsBlobs" | "records"
>;

export function recordMethods(
  { db, read, write, rowCache }: OpenFile,
  metas: MetaRows,
  outbox: OutboxRows,
): RecordMethods {
  const insertFirst = db.prepare(INSERT_FIRST);
  const insertNext = db.prepare(INSERT_NEXT);
  const newest = db.prepare(NEWEST);
  const range = db.prepare(RANGE);
  const headAndCommit = db.prepare(SELECT_HEAD_AND_COMMIT);
  const insertBlob = db.prepare(PUT_BLOB);

  /**
   * Why a record was not written: the same commit wrote it before, another record won, or the thread does not exist.
   */
  function resolveConflict(at: ThreadRef, record: StoredRecord): Result<number> {
    const row = headAndCommit.get(at.tenant, at.thread, record.version) as {
      head: number | null;
      commit_id: string | null;
    };
    if (row.head === null) return notFound(at);
    if (row.commit_id === record.commit_id) return ok(record.version);
    return fail("thread_moved", `Thread ${at.thread} is at version ${row.head}.`, { version: row.head });
  }

  async function put(insert: typeof insertFirst, at: ThreadRef, record: StoredRecord, also: AppendExtras) {
    const tooLarge = recordTooLarge(record) ?? anyBlobTooLarge(also.blobs);
    if (tooLarge) return tooLarge;
    const { version, commit_id, turn, entry, state } = record;
    let endChange: ReturnType<typeof rowCache.beginChange> = () => undefined;
    let inserted = false;
    const insertAll = (): boolean => {
      if (insert.run(at.tenant, at.thread, version, commit_id, turn, entry, state).changes !== 1) return false;
      for (const { hash, text } of also.blobs ?? []) insertBlob.run(at.tenant, at.thread, hash, text);
      if (also.meta) metas.put(at, also.meta);
      for (const delivery of also.outbox ?? []) outbox.put(delivery);
      for (const id of also.taken ?? []) outbox.drop(at, id);
      return true;
    };
    const result = await write(
      () => {
        endChange = rowCache.beginChange(at);
        inserted = insertAll();
        return inserted ? ok(version) : resolveConflict(at, record);
      },
      () => endChange(inserted ? record : null),
    );
    if (result.ok || result.problem.code !== "store_unavailable") return result;
    // A failure during the commit leaves open whether the record was written; only its commit id tells.
    const found = await read(() => resolveConflict(at, record));
    return found.ok ? found : result;
  }

  function insertSnapshot(at: ThreadRef, { records, blobs, meta, outbox: waiting }: ThreadSnapshot): boolean {
    if (newest.get(at.tenant, at.thread, 1) !== undefined) return false;
    for (const { version, commit_id, turn, entry, state } of records)
      insertFirst.run(at.tenant, at.thread, version, commit_id, turn, entry, state);
    for (const { hash, text } of blobs) insertBlob.run(at.tenant, at.thread, hash, text);
    metas.put(at, meta);
    for (const delivery of waiting) outbox.put(delivery);
    return true;
  }

  async function createFromSnapshot(at: ThreadRef, snapshot: ThreadSnapshot): Promise<Result<number>> {
    const { records, blobs } = snapshot;
    const large = records.map(recordTooLarge).find(Boolean) ?? anyBlobTooLarge(blobs);
    if (large) return large;
    const last = records.at(-1);
    if (!last) throw new Error("a thread has at least one record");
    const result = await write(
      () => {
        rowCache.invalidate(at);
        return insertSnapshot(at, snapshot) ? ok(last.version) : resolveConflict(at, last);
      },
      () => rowCache.invalidate(at),
    );
    if (result.ok || result.problem.code !== "store_unavailable") return result;
    const found = await read(() => resolveConflict(at, last));
    return found.ok ? found : result;
  }

  return {
    appendsBlobs: true,
    createFromSnapshot,
    create: (at, record, meta) => put(insertFirst, at, record, meta === null ? {} : { meta }),
    append: (at, record, also = {}) => put(insertNext, at, record, also),
    load: (at, entries) =>
      read(() => {
        const known = rowCache.get(at, entries);
        if (known) return ok(known);
        const found = newest.all(at.tenant, at.thread, entries) as { version: number; entry: string; state: string }[];
        const head = found[0];
        if (head === undefined) return notFound(at);
        const rows = {
          head: { version: head.version, state: head.state },
          entries: found.reverse().map(({ version, entry }) => ({ version, entry })),
        };
        rowCache.set(at, entries, rows);
        return ok(rows);
      }),
    records: (at, { after, limit }) =>
      read(() => {
        const rows = range.all(at.tenant, at.thread, after, limit) as StoredRecord[];
        if (rows.length === 0 && newest.get(at.tenant, at.thread, 1) === undefined) return notFound(at);
        return ok(rows.map((row) => ({ ...row })));
      }),
  };
}
