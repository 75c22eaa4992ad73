// A whole thread at once. Its records do not fit into one transaction, so they are written behind a tombstone that sorts
// after all of them: whoever reads finds a thread that is gone. The transaction that writes the meta row takes it away.
import { randomUUID } from "node:crypto";
import { GetItemCommand, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { recordTooLarge } from "../../ports/row-limits.ts";
import type { StoredRecord, ThreadStore, WholeThread } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { writeAll } from "./batches.ts";
import { keepPending, type PendingBlobs } from "./blobs/pending-blobs.ts";
import { unavailable, unmetConditions } from "./failures.ts";
import { keyItem, metaKey, recordKey } from "./keys.ts";
import { deliveryWrites, outboxTooLarge } from "./outbox.ts";
import type { KnownHeads } from "./records/known-heads.ts";
import { createMeta } from "./records/metas.ts";
import { readCommit, readHead } from "./records/read-records.ts";
import { recordItem, threadMoved } from "./records/record-item.ts";
import { awaitRemoval } from "./records/removal.ts";
import type { WriteMethods } from "./records/write-records.ts";
import type { OpenTable } from "./table.ts";

/** Above every version that a thread can reach: the last that a key has room for. */
const CURTAIN_VERSION = 9_999_999_999;

/** Each is taken only by somebody who creates the same thread in the same millisecond. */
const LIVES_TRIED = 20;

type Parts = Pick<ThreadStore, "putBlob"> &
  Pick<WriteMethods, "createWithOutbox"> & { readonly known: KnownHeads; readonly waiting: PendingBlobs };

export function createWholeOn(table: OpenTable, { putBlob, createWithOutbox, known, waiting }: Parts) {
  /** What stands there: the same thread, created before by a request whose reply was lost, or another one. */
  async function standing(at: ThreadRef, last: StoredRecord): Promise<Result<number> | null> {
    const head = await readHead(table, known, at);
    if (head === null) return null;
    const commit = await readCommit(table, at, head.generation, last.version);
    return commit === last.commit_id ? ok(last.version) : threadMoved(at, head.version);
  }

  async function publish(at: ThreadRef, life: number, whole: WholeThread): Promise<boolean> {
    const blobs = waiting.list(at);
    const kept = await keepPending(table, at, blobs);
    if (!kept.ok) return false;
    const curtain = { TableName: table.name, Key: keyItem(recordKey(at, life, CURTAIN_VERSION)) };
    try {
      await table.client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            { Put: createMeta(table, at, life, whole.meta) },
            { Delete: { ...curtain, ConditionExpression: "attribute_exists(pk)" } },
            ...deliveryWrites(table, at, { outbox: whole.outbox }),
            ...kept.value,
          ],
        }),
      );
      return true;
    } catch (thrown) {
      if (unmetConditions(thrown) === null) throw thrown;
      return false;
    } finally {
      waiting.remove(at, blobs);
    }
  }

  return async (at: ThreadRef, whole: WholeThread): Promise<Result<number>> => {
    const last = whole.records.at(-1);
    if (!last) throw new Error("a thread has at least one record");
    for (const record of whole.records) {
      const large = recordTooLarge(record);
      if (large) return large;
    }
    // A new thread with its first wake-up fits into one transaction.
    if (whole.records.length === 1 && whole.blobs.length === 0 && !outboxTooLarge(whole))
      return createWithOutbox(at, last, whole.meta, whole.outbox);
    const there = await table.retryUnavailable(async () => ok(await standing(at, last)));
    if (!there.ok || there.value) return there.ok ? (there.value as Result<number>) : there;
    const life = await reserveLife(table, at, whole.records[0] ?? last);
    if (!life.ok) return life;
    for (const { hash, text } of whole.blobs) {
      const put = await putBlob(at, hash, text);
      if (!put.ok) return put;
    }
    const rest = whole.records.slice(1);
    const Puts = rest.map((record) => ({ PutRequest: { Item: recordItem(at, life.value, record) } }));
    const written = await writeAll(table, Puts);
    if (!written.ok) return written;
    const published = await table.retryUnavailable(async () => ok(await publish(at, life.value, whole)));
    if (!published.ok) return published;
    // Not published: somebody else was faster, or it was published by a request whose reply was lost.
    const stands = await table.retryUnavailable(async () => ok(await standing(at, last)));
    if (!stands.ok) return stands;
    return stands.value ?? unavailable("the thread is being created and removed by others");
  };
}

/** Later than every life that the id had, and nobody else's. */
async function reserveLife(table: OpenTable, at: ThreadRef, first: StoredRecord): Promise<Result<number>> {
  const over = await awaitRemoval(table, at);
  if (!over.ok) return over;
  return table.retryUnavailable(async () => {
    const Key = keyItem(metaKey(at));
    const { Item } = await table.client.send(new GetItemCommand({ TableName: table.name, Key, ConsistentRead: true }));
    const earliest = Math.max(table.clock.now(), Number(Item?.life?.N ?? 0) + 1);
    for (let life = earliest; life < earliest + LIVES_TRIED; life++)
      if (await drawCurtain(table, at, life, first)) return ok(life);
    return unavailable("the thread is being created by many others");
  });
}

/**
 * Also writes the first record: then no other life of the same millisecond can have these places. False: one has them. The
 * curtain never expires: what an import that broke off has left behind it must not become a thread one day.
 */
async function drawCurtain(table: OpenTable, at: ThreadRef, life: number, first: StoredRecord): Promise<boolean> {
  const curtain = { ...keyItem(recordKey(at, life, CURTAIN_VERSION)), gone: { S: `whole ${randomUUID()}` } };
  const free = { TableName: table.name, ConditionExpression: "attribute_not_exists(pk)" };
  try {
    await table.client.send(
      new TransactWriteItemsCommand({
        TransactItems: [{ Put: { ...free, Item: curtain } }, { Put: { ...free, Item: recordItem(at, life, first) } }],
      }),
    );
    return true;
  } catch (thrown) {
    if (unmetConditions(thrown) === null) throw thrown;
    return false;
  }
}
