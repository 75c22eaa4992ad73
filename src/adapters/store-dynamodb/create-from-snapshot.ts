// Creates a thread with all its records at once. If they do not fit into one transaction, a tombstone that sorts after
// all of them hides them from readers until the transaction that writes the meta row deletes it. Of several concurrent
// imports, only the newest can be published, because its tombstone hides the older ones.
import { randomUUID } from "node:crypto";
import { recordTooLarge } from "../../ports/row-limits.ts";
import type { StoredRecord, ThreadSnapshot, ThreadStore } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { writeAll } from "./batches.ts";
import { snapshotBlobs } from "./blobs/blobs.ts";
import { keepPending, type PendingBlobs } from "./blobs/pending-blobs.ts";
import { conditionalWrite, unavailable } from "./failures.ts";
import { importKey, keyItem, metaKey, recordKey } from "./keys.ts";
import { deliveryWrites, outboxTooLarge } from "./outbox.ts";
import type { KnownHeads } from "./records/known-heads.ts";
import { createMeta } from "./records/metas.ts";
import { readCommit, readHead } from "./records/read-records.ts";
import { recordItem, threadMoved } from "./records/record-item.ts";
import { awaitRemoval } from "./records/removal.ts";
import type { WriteMethods } from "./records/write-records.ts";
import { getItem, type OpenTable } from "./table.ts";

/** The highest version that fits into a key, above every version that a thread can reach. */
const TOMBSTONE_VERSION = 9_999_999_999;

/** A generation is a time in milliseconds. It is taken only if another caller creates the thread at the same time. */
const GENERATIONS_TRIED = 20;

type Parts = Pick<ThreadStore, "putBlob"> &
  Pick<WriteMethods, "createWithOutbox"> & { readonly known: KnownHeads; readonly waiting: PendingBlobs };

export function createFromSnapshotOn(table: OpenTable, { putBlob, createWithOutbox, known, waiting }: Parts) {
  /** Null if the thread does not exist. A request whose reply was lost may have created it from this snapshot. */
  async function existingThread(at: ThreadRef, last: StoredRecord): Promise<Result<number> | null> {
    const head = await readHead(table, known, at);
    if (head === null) return null;
    const commit = await readCommit(table, at, head.generation, last.version);
    return commit === last.commit_id ? ok(last.version) : threadMoved(at, head.version);
  }

  async function outcome(at: ThreadRef, last: StoredRecord): Promise<Result<number>> {
    const existing = await table.retryUnavailable(async () => ok(await existingThread(at, last)));
    if (!existing.ok) return existing;
    return existing.value ?? unavailable("other callers keep creating and removing the thread");
  }

  async function publish(at: ThreadRef, generation: number, snapshot: ThreadSnapshot): Promise<boolean> {
    const blobs = waiting.list(at);
    const kept = await keepPending(table, at, blobs);
    if (!kept.ok) return false;
    const tombstone = { TableName: table.name, Key: keyItem(recordKey(at, generation, TOMBSTONE_VERSION)) };
    try {
      const unmet = await conditionalWrite(() =>
        table.call("TransactWriteItems", {
          TransactItems: [
            { Put: createMeta(table, at, generation, snapshot.meta) },
            { Delete: { ...tombstone, ConditionExpression: "attribute_exists(pk)" } },
            { Delete: { ...reservation(table, at, generation), ConditionExpression: "#life = :life" } },
            ...deliveryWrites(table, at, { outbox: snapshot.outbox }),
            ...kept.value,
          ],
        }),
      );
      return unmet === null;
    } finally {
      waiting.remove(at, blobs);
    }
  }

  return async (at: ThreadRef, snapshot: ThreadSnapshot): Promise<Result<number>> => {
    const last = snapshot.records.at(-1);
    if (!last) throw new Error("a thread has at least one record");
    const tooLarge = snapshot.records.map(recordTooLarge).find(Boolean);
    if (tooLarge) return tooLarge;
    // A thread with one record and no blobs, such as a new one with its first wake-up, fits into one transaction.
    if (snapshot.records.length === 1 && snapshot.blobs.length === 0 && !outboxTooLarge(snapshot))
      return createWithOutbox(at, last, snapshot.meta, snapshot.outbox);
    const found = await table.retryUnavailable(async () => ok(await existingThread(at, last)));
    if (!found.ok || found.value) return found.ok ? (found.value as Result<number>) : found;
    const reserved = await reserveGeneration(table, at, snapshot.records[0] ?? last);
    if (!reserved.ok) return reserved;
    const generation = reserved.value;
    if (generation === null) return outcome(at, last);
    const { puts, large } = await snapshotBlobs(at, snapshot.blobs);
    for (const { hash, text } of large) {
      const put = await putBlob(at, hash, text);
      if (!put.ok) return put;
    }
    const rest = snapshot.records.slice(1);
    const records = rest.map((record) => ({ PutRequest: { Item: recordItem(at, generation, record) } }));
    const written = await writeAll(table, [...puts, ...records]);
    if (!written.ok) return written;
    const published = await table.retryUnavailable(async () => ok(await publish(at, generation, snapshot)));
    if (!published.ok) return published;
    // The thread was published by this attempt, by an earlier one whose reply was lost, or by another caller.
    return outcome(at, last);
  };
}

const reservation = (table: OpenTable, at: ThreadRef, generation: number) => ({
  TableName: table.name,
  Key: keyItem(importKey(at)),
  ExpressionAttributeNames: { "#life": "life" },
  ExpressionAttributeValues: { ":life": { N: String(generation) } },
});

/** The generation is later than all earlier ones of the thread id. Null if the thread was created in the meantime. */
async function reserveGeneration(table: OpenTable, at: ThreadRef, first: StoredRecord): Promise<Result<number | null>> {
  const over = await awaitRemoval(table, at);
  if (!over.ok) return over;
  return table.retryUnavailable(async () => {
    const meta = await getItem(table, metaKey(at));
    const earliest = Math.max(table.clock.now(), Number(meta?.life?.N ?? 0) + 1);
    for (let generation = earliest; generation < earliest + GENERATIONS_TRIED; generation++) {
      const hidden = await hideGeneration(table, at, generation, first);
      if (hidden === "exists") return ok(null);
      if (hidden === "hidden") return ok(generation);
    }
    return unavailable("many other callers are creating the thread");
  });
}

/**
 * Reserves the generation and writes its tombstone and first record, so that no other import in the same millisecond
 * can use the same keys. "taken" means that they are in use or that a newer generation is reserved. The tombstone never
 * expires, because the records of an interrupted import must never become a thread.
 */
async function hideGeneration(
  table: OpenTable,
  at: ThreadRef,
  generation: number,
  first: StoredRecord,
): Promise<"hidden" | "taken" | "exists"> {
  const tombstone = {
    ...keyItem(recordKey(at, generation, TOMBSTONE_VERSION)),
    gone: { S: `snapshot ${randomUUID()}` },
  };
  const free = { TableName: table.name, ConditionExpression: "attribute_not_exists(pk)" };
  const { Key, ...newest } = reservation(table, at, generation);
  const notLive = {
    TableName: table.name,
    Key: keyItem(metaKey(at)),
    ConditionExpression: "attribute_not_exists(pk) OR attribute_exists(#gone)",
    ExpressionAttributeNames: { "#gone": "gone" },
  };
  const ConditionExpression = "attribute_not_exists(pk) OR #life < :life";
  const reserved = { ...newest, Item: { ...Key, life: { N: String(generation) } }, ConditionExpression };
  const unmet = await conditionalWrite(() =>
    table.call("TransactWriteItems", {
      TransactItems: [
        { ConditionCheck: notLive },
        { Put: { ...free, Item: tombstone } },
        { Put: { ...free, Item: recordItem(at, generation, first) } },
        { Put: reserved },
      ],
    }),
  );
  if (unmet === null) return "hidden";
  return unmet.has(0) ? "exists" : "taken";
}
