// Creates, appends and reads the records of a thread.
import type { DocumentSave } from "../../ports/documents.ts";
import { anyBlobTooLarge, recordTooLarge } from "../../ports/row-limits.ts";
import type { AppendExtras, RecordRange, StoredRecord, ThreadSnapshot, ThreadStore } from "../../ports/thread-store.ts";
import type { ThreadId, ThreadRef } from "../../schema/ids.ts";
import type { Meta } from "../../schema/meta.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { PUT_BLOB } from "./blobs.ts";
import { documentRows } from "./document-rows.ts";
import { notFound } from "./failures.ts";
import type { ForkRows } from "./forks.ts";
import type { MetaRows } from "./metas.ts";
import type { OpenFile } from "./open.ts";
import type { OutboxRows } from "./outbox.ts";
import type { Change } from "./row-cache.ts";

/** The first record that a fork stores itself is not record 0, so any version is accepted. */
const INSERT_FIRST = `
INSERT INTO records (tenant, thread, version, commit_id, turn, entry, state)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
WHERE NOT EXISTS (SELECT 1 FROM records WHERE tenant = ?1 AND thread = ?2)`;

const INSERT_SNAPSHOT = `
INSERT INTO records (tenant, thread, version, commit_id, turn, entry, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`;

/** Has the effect of INSERT_NEXT if the transaction has already seen that the previous record exists. */
const INSERT_AFTER_HEAD = `${INSERT_SNAPSHOT} ON CONFLICT (tenant, thread, version) DO NOTHING`;

/** The compare-and-set: the key refuses a second record n+1, and the condition a gap, a removed thread or another thread of the same id. */
const INSERT_NEXT = `
INSERT INTO records (tenant, thread, version, commit_id, turn, entry, state)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
WHERE EXISTS (SELECT 1 FROM records WHERE tenant = ?1 AND thread = ?2 AND version = ?3 - 1 AND commit_id = ifnull(?8, commit_id))
ON CONFLICT (tenant, thread, version) DO NOTHING`;

const NEWEST = `
SELECT version, entry,
  iif(version = (SELECT max(version) FROM records WHERE tenant = ?1 AND thread = ?2), state, NULL) AS state
FROM records WHERE tenant = ?1 AND thread = ?2 ORDER BY version DESC LIMIT +?3`;

const NEWEST_UP_TO = `
SELECT version, entry FROM records WHERE tenant = ?1 AND thread = ?2 AND version <= ?3 ORDER BY version DESC LIMIT +?4`;

const RANGE = `
SELECT version, commit_id, turn, entry, state
FROM records WHERE tenant = ?1 AND thread = ?2 AND version > ?3 AND version <= ?5 ORDER BY version LIMIT +?4`;

const SELECT_HEAD_AND_COMMIT = `
SELECT max(version) AS head,
  (SELECT commit_id FROM records WHERE tenant = ?1 AND thread = ?2 AND version = ?3) AS commit_id
FROM records WHERE tenant = ?1 AND thread = ?2`;

type RecordMethods = Pick<
  ThreadStore,
  | "create"
  | "createFromSnapshot"
  | "fork"
  | "load"
  | "isNewest"
  | "append"
  | "appendsBlobs"
  | "checksFollows"
  | "place"
  | "records"
>;

export function recordMethods(
  { db, read, write, rowCache, place }: OpenFile,
  { metas, outbox, forks }: { readonly metas: MetaRows; readonly outbox: OutboxRows; readonly forks: ForkRows },
): RecordMethods {
  const insertFirst = db.prepare(INSERT_FIRST);
  const insertNext = db.prepare(INSERT_NEXT);
  const insertAfterHead = db.prepare(INSERT_AFTER_HEAD);
  const insertSnapshotRow = db.prepare(INSERT_SNAPSHOT);
  const newestUpTo = db.prepare(NEWEST_UP_TO);
  const newest = db.prepare(NEWEST);
  const range = db.prepare(RANGE);
  const headAndCommit = db.prepare(SELECT_HEAD_AND_COMMIT);
  const insertBlob = db.prepare(PUT_BLOB);
  const documents = documentRows(db);

  /** Records that a fork does not store itself are read from its origins. */
  function rangeOf(at: ThreadRef, { after, limit }: RecordRange): StoredRecord[] {
    const own = range.all(at.tenant, at.thread, after, limit, Number.MAX_SAFE_INTEGER) as StoredRecord[];
    const rows: StoredRecord[] = [];
    const origins = own[0]?.version === after + 1 ? [] : forks.originsOf(at);
    for (const { thread, through } of origins.toReversed()) {
      const from = after + rows.length;
      if (through > from)
        rows.push(...(range.all(at.tenant, thread, from, limit - rows.length, through) as StoredRecord[]));
    }
    return [...rows, ...own.slice(0, limit - rows.length)];
  }

  /** Returns the newest record first. */
  function newestOf(at: ThreadRef, count: number): { version: number; entry: string; state: string }[] {
    const rows = newest.all(at.tenant, at.thread, count) as { version: number; entry: string; state: string }[];
    const complete = rows.length === count || rows.length === 0 || rows.at(-1)?.version === 0;
    for (const { thread, through } of complete ? [] : forks.originsOf(at))
      rows.push(...(newestUpTo.all(at.tenant, thread, through, count - rows.length) as typeof rows));
    return rows;
  }

  /** The same commit wrote the record before, another record won, or the thread does not exist. */
  function resolveConflict(at: ThreadRef, record: StoredRecord): Result<number> {
    const row = headAndCommit.get(at.tenant, at.thread, record.version) as {
      head: number | null;
      commit_id: string | null;
    };
    if (row.head === null) return notFound(at);
    const commit_id = row.commit_id ?? rangeOf(at, { after: record.version - 1, limit: 1 })[0]?.commit_id;
    if (commit_id === record.commit_id) return ok(record.version);
    return fail("thread_moved", `Thread ${at.thread} is at version ${row.head}.`, { version: row.head });
  }

  /** If a document moved, the record and the documents are undone. Other writes of the transaction are kept. */
  function withDocuments(insertRecord: () => boolean, saves: readonly DocumentSave[]): boolean | Failed {
    db.exec("SAVEPOINT documents");
    const inserted = insertRecord();
    const moved = inserted ? saves.find((save) => !documents.save(save).saved) : undefined;
    if (moved) db.exec("ROLLBACK TO documents");
    db.exec("RELEASE documents");
    return moved ? fail("document_moved", `The document ${moved.at.id} was changed meanwhile.`) : inserted;
  }

  async function put(place: "first" | "next", at: ThreadRef, record: StoredRecord, also: AppendExtras) {
    const tooLarge = recordTooLarge(record) ?? anyBlobTooLarge(also.blobs);
    if (tooLarge) return tooLarge;
    const { version, commit_id, turn, entry, state } = record;
    let change: Change | null = null;
    let inserted = false;
    const insertRow = (head: Change["head"]): boolean => {
      const row = [at.tenant, at.thread, version, commit_id, turn, entry, state] as const;
      const { follows } = also;
      const isHead = head?.version === version - 1 && (follows === undefined || follows === head.commit_id);
      const inserted =
        place === "first"
          ? insertFirst.run(...row)
          : isHead
            ? insertAfterHead.run(...row)
            : insertNext.run(...row, follows ?? null);
      return inserted.changes === 1;
    };
    const insertAll = (head: Change["head"]): boolean => {
      if (!insertRow(head)) return false;
      for (const { hash, text } of also.blobs ?? []) insertBlob.run(at.tenant, at.thread, hash, text);
      if (also.meta) metas.put(at, also.meta, place);
      for (const delivery of also.outbox ?? []) outbox.put(delivery);
      for (const id of also.taken ?? []) outbox.drop(at, id);
      return true;
    };
    const result = await write(
      () => {
        change = rowCache.beginChange(at);
        const { head } = change;
        const insertRecord = () => insertAll(head);
        const written = also.documents?.length ? withDocuments(insertRecord, also.documents) : insertRecord();
        inserted = written === true;
        return typeof written !== "boolean" ? written : written ? ok(version) : resolveConflict(at, record);
      },
      () => change?.end(inserted ? record : null, also.held === true),
    );
    if (result.ok || result.problem.code !== "store_unavailable") return result;
    // A failure during the commit leaves open whether the record was written, so this checks its commit id.
    const found = await read(() => resolveConflict(at, record));
    return found.ok ? found : result;
  }

  function insertSnapshot(at: ThreadRef, { records, blobs, meta, outbox: waiting }: ThreadSnapshot): boolean {
    if (newest.get(at.tenant, at.thread, 1) !== undefined) return false;
    for (const { version, commit_id, turn, entry, state } of records)
      insertSnapshotRow.run(at.tenant, at.thread, version, commit_id, turn, entry, state);
    for (const { hash, text } of blobs) insertBlob.run(at.tenant, at.thread, hash, text);
    metas.put(at, meta, "first");
    for (const delivery of waiting) outbox.put(delivery);
    return true;
  }

  async function createFromSnapshot(at: ThreadRef, snapshot: ThreadSnapshot): Promise<Result<number>> {
    const { records, blobs } = snapshot;
    const large = records.map(recordTooLarge).find(Boolean) ?? anyBlobTooLarge(blobs);
    if (large) return large;
    const last = records.at(-1);
    if (!last) throw new Error("a thread has at least one record");
    return createAt(at, last, () => insertSnapshot(at, snapshot));
  }

  /** `insert` returns false if the thread exists. */
  async function createAt(at: ThreadRef, last: StoredRecord, insert: () => boolean | Failed): Promise<Result<number>> {
    const result = await write(
      () => {
        rowCache.invalidate(at);
        const inserted = insert();
        return typeof inserted !== "boolean" ? inserted : inserted ? ok(last.version) : resolveConflict(at, last);
      },
      () => rowCache.invalidate(at),
    );
    if (result.ok || result.problem.code !== "store_unavailable") return result;
    const found = await read(() => resolveConflict(at, last));
    return found.ok ? found : result;
  }

  async function fork(from: ThreadRef, thread: ThreadId, head: StoredRecord, meta: Meta): Promise<Result<number>> {
    const tooLarge = recordTooLarge(head);
    if (tooLarge) return tooLarge;
    const at = { tenant: from.tenant, thread };
    const { version, commit_id, turn, entry, state } = head;
    return createAt(at, head, () => {
      // The origin of the fork is the thread that itself stores the record of this version, because a fork must not
      // depend on a thread whose own rows it does not share.
      const origin = forks.originsOf(from).findLast(({ through }) => version <= through)?.thread ?? from.thread;
      if (!range.get(from.tenant, origin, version - 1, 1, version)) return notFound(from);
      if (insertFirst.run(at.tenant, thread, version, commit_id, turn, entry, state).changes !== 1) return false;
      forks.put(at, { thread: origin, through: version - 1 });
      metas.put(at, meta, "first");
      return true;
    });
  }

  return {
    appendsBlobs: true,
    checksFollows: true,
    ...(place === null ? {} : { place }),
    createFromSnapshot,
    fork,
    create: (at, record, meta, held = false) => put("first", at, record, meta === null ? { held } : { meta, held }),
    append: (at, record, also = {}) => put("next", at, record, also),
    load: (at, entries) =>
      read(() => {
        const known = rowCache.get(at, entries);
        if (known) return ok(known);
        const found = newestOf(at, entries);
        const head = found[0];
        if (head === undefined) return notFound(at);
        const rows = {
          head: { version: head.version, state: head.state },
          entries: found.reverse().map(({ version, entry }) => ({ version, entry })),
        };
        rowCache.set(at, entries, rows);
        return ok(rows);
      }),
    isNewest: (at, held) => read(() => ok(rowCache.isNewest(at, held))),
    records: (at, { after, limit }) =>
      read(() => {
        const rows = rangeOf(at, { after, limit });
        if (rows.length === 0 && newest.get(at.tenant, at.thread, 1) === undefined) return notFound(at);
        return ok(rows.map((row) => ({ ...row })));
      }),
  };
}
