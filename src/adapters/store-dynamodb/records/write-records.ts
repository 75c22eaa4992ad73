// Creates threads and appends records. Uses one conditional put, or one transaction if meta, deliveries or blobs change
// with the record.
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { anyBlobTooLarge, recordTooLarge } from "../../../ports/row-limits.ts";
import type { AppendExtras, Delivery, StoredBlob, StoredRecord, ThreadStore } from "../../../ports/thread-store.ts";
import type { ThreadRef } from "../../../schema/ids.ts";
import type { Meta } from "../../../schema/meta.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import { blobWrite } from "../blobs/blobs.ts";
import { keepPending, type PendingBlobs } from "../blobs/pending-blobs.ts";
import { conditionalWrite, storeFailure, unavailable } from "../failures.ts";
import type { Item } from "../keys.ts";
import { deliveryWrites, outboxTooLarge } from "../outbox.ts";
import type { OpenTable } from "../table.ts";
import type { KnownHead, KnownHeads } from "./known-heads.ts";
import { createMeta, metaUpdate } from "./metas.ts";
import { readCommit, readHead } from "./read-records.ts";
import { commitOf, notFound, recordItem, threadMoved } from "./record-item.ts";
import { awaitRemoval } from "./removal.ts";

/** Another attempt is needed only if other processes create or remove the thread in between. */
const CREATE_ATTEMPTS_MAX = 5;
/** At most 350 KB each. A transaction of at most 4 MB also contains the record, its deliveries and pending blobs. */
const COMMIT_BLOBS_MAX = 2;

export type WriteMethods = Pick<ThreadStore, "create" | "append"> & {
  readonly createWithOutbox: (
    at: ThreadRef,
    record: StoredRecord,
    meta: Meta | null,
    outbox: readonly Delivery[],
  ) => Promise<Result<number>>;
};

const isNext = (head: KnownHead, { version }: StoredRecord, { follows }: AppendExtras): boolean =>
  version === head.version + 1 && (follows === undefined || follows === head.commit);

type Parts = Pick<ThreadStore, "putBlob"> & { readonly known: KnownHeads; readonly pending: PendingBlobs };

export function writeMethods(table: OpenTable, { known, pending, putBlob }: Parts): WriteMethods {
  const putRecord = (at: ThreadRef, generation: number, record: StoredRecord) => ({
    TableName: table.name,
    Item: recordItem(at, generation, record),
    ConditionExpression: "attribute_not_exists(pk)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  });

  const write = (items: readonly TransactWriteItem[]): Promise<ReadonlyMap<number, Item | null> | null> => {
    const [only, ...others] = items;
    // A single put costs half as much as a transaction.
    const put = others.length === 0 ? only?.Put : undefined;
    return conditionalWrite(() =>
      put ? table.call("PutItem", put) : table.call("TransactWriteItems", { TransactItems: [...items] }),
    );
  };

  /** The same commit wrote the record before, another record won, or the thread does not exist. */
  async function resolveConflict(at: ThreadRef, record: StoredRecord, head: KnownHead | null): Promise<Result<number>> {
    if (head === null) return notFound(at);
    const isNewest = head.version === record.version;
    const readOlder = async () =>
      head.version > record.version ? readCommit(table, at, head.generation, record.version) : null;
    const commit = isNewest ? head.commit : await readOlder();
    return commit === record.commit_id ? ok(record.version) : threadMoved(at, head.version);
  }

  /** Blobs that do not fit in the transaction of the commit are stored immediately. */
  async function prepareBlobs(at: ThreadRef, blobs: readonly StoredBlob[]) {
    const writes = new Map<string, TransactWriteItem>();
    // A transaction may contain an item only once.
    for (const [hash, text] of new Map(blobs.map((blob) => [blob.hash, blob.text]))) {
      const item = writes.size < COMMIT_BLOBS_MAX ? await blobWrite(table, at, hash, text) : null;
      if (item) writes.set(hash, item);
      const put = item ? ok(undefined) : await putBlob(at, hash, text);
      if (!put.ok) return put;
    }
    return ok(writes);
  }

  async function appendOnce(at: ThreadRef, record: StoredRecord, also: AppendExtras): Promise<Result<number>> {
    const { version } = record;
    const seen = known.get(at);
    // A version that is already taken is also decided by the put.
    const isProven = seen && version >= 1 && (version <= seen.version || isNext(seen, record, also));
    const head = isProven ? seen : await readHead(table, known, at);
    if (head === null || !(isProven || isNext(head, record, also))) return resolveConflict(at, record, head);
    const { generation } = head;
    const blobWrites = await prepareBlobs(at, also.blobs ?? []);
    if (!blobWrites.ok) return blobWrites;
    const blobs = pending.list(at);
    const others = blobs.filter(({ hash }) => !blobWrites.value.has(hash));
    const kept = await keepPending(table, at, others);
    if (!kept.ok) return kept;
    const unmet = await write([
      { Put: putRecord(at, generation, record) },
      ...blobWrites.value.values(),
      ...(also.meta ? [metaUpdate(table, at, generation, also.meta)] : []),
      ...deliveryWrites(table, at, also),
      ...kept.value,
    ]);
    // If everything was written, the blobs are permanent. If the record was not in conflict, a removal has deleted
    // them. If it was, an earlier attempt may have written it, and blobs added since then stay pending for their own
    // commit.
    if (unmet === null || !unmet.has(0)) pending.remove(at, blobs);
    if (unmet !== null && commitOf(unmet.get(0)) !== record.commit_id) {
      const newest = await readHead(table, known, at);
      // The thread was removed and the same log created again, for example by an import.
      const isSameLog = also.follows !== undefined && newest !== null && isNext(newest, record, also);
      if (isSameLog && newest.generation !== generation) return appendOnce(at, record, also);
      return resolveConflict(at, record, newest);
    }
    known.set(at, { generation, version, commit: record.commit_id });
    return ok(version);
  }

  async function createOnce(
    at: ThreadRef,
    record: StoredRecord,
    meta: Meta | null,
    outbox: readonly Delivery[],
  ): Promise<Result<number>> {
    let generation = table.clock.now();
    for (let tries = 0; tries < CREATE_ATTEMPTS_MAX; tries += 1) {
      const blobs = pending.list(at);
      const kept = await keepPending(table, at, blobs);
      if (!kept.ok) return kept;
      const first = { Put: createMeta(table, at, generation, meta) };
      const deliveries = deliveryWrites(table, at, { outbox });
      const unmet = await write([first, { Put: putRecord(at, generation, record) }, ...deliveries, ...kept.value]);
      if (unmet === null) {
        known.set(at, { generation, version: record.version, commit: record.commit_id });
        pending.remove(at, blobs);
        return ok(record.version);
      }
      // Only blobs were in conflict, because a removal deleted them.
      if (!unmet.has(0) && !unmet.has(1)) pending.remove(at, blobs);
      const existing = unmet.get(0) ?? null;
      const existingGeneration = Number(existing?.life?.N ?? generation);
      if (existing?.leaving) {
        const removed = await awaitRemoval(table, at);
        if (!removed.ok) return removed;
      } else if (existing && !existing.gone) {
        const conflict = await resolveConflict(at, record, await readHead(table, known, at));
        if (conflict.ok || conflict.problem.code !== "thread_not_found") return conflict;
      }
      generation = Math.max(generation, existingGeneration + 1);
    }
    return unavailable("other processes keep creating and removing the thread");
  }

  /** A failure of the last attempt leaves open whether the record was written, so the commit id is checked. */
  async function confirmCommit(at: ThreadRef, record: StoredRecord, result: Result<number>): Promise<Result<number>> {
    if (result.ok || result.problem.code !== "store_unavailable") return result;
    try {
      const head = await readHead(table, known, at);
      // The record does not exist, but a delayed request may still write it, so the result must remain uncertain.
      if (head === null ? record.version === 0 : head.version < record.version) return result;
      return await resolveConflict(at, record, head);
    } catch (thrown) {
      if (storeFailure(thrown) === null) throw thrown;
      return result;
    }
  }

  const createWithOutbox: WriteMethods["createWithOutbox"] = async (at, record, meta, outbox) =>
    recordTooLarge(record) ??
    outboxTooLarge({ outbox }) ??
    confirmCommit(at, record, await table.retryUnavailable(() => createOnce(at, record, meta, outbox)));

  return {
    create: (at, record, meta) => createWithOutbox(at, record, meta, []),
    createWithOutbox,
    append: async (at, record, also = {}) =>
      recordTooLarge(record) ??
      anyBlobTooLarge(also.blobs) ??
      outboxTooLarge(also) ??
      confirmCommit(at, record, await table.retryUnavailable(() => appendOnce(at, record, also))),
  };
}
