// Removes a thread in three steps: seals it, deletes its content, and frees its id. A sealed thread cannot come back.
import { randomUUID } from "node:crypto";
import type { TransactWriteItem, WriteRequest } from "@aws-sdk/client-dynamodb";
import type { ThreadStore } from "../../../ports/thread-store.ts";
import type { ThreadRef } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import { writeAll } from "../batches.ts";
import type { PendingBlobs } from "../blobs/pending-blobs.ts";
import { conditionalWrite, unavailable } from "../failures.ts";
import { type Item, keyItem, META, metaKey, RECORDS, threadPk } from "../keys.ts";
import { getItem, type OpenTable } from "../table.ts";
import { KNOWN_HEAD_MS, type KnownHeads } from "./known-heads.ts";
import { INDEX_ATTRIBUTES, updateLiveMeta } from "./metas.ts";
import { newestFirst } from "./read-records.ts";
import { isTombstone, notFound, positionOf, tombstone } from "./record-item.ts";

/**
 * Much longer than a process may rely on a cached head. While the tombstones exist, every used position of the log
 * stays taken, so a late append finds a tombstone instead of a free key.
 */
const TOMBSTONE_MS = 200 * KNOWN_HEAD_MS;
/** A process that takes longer to empty a thread has probably died, so the next one that needs the id takes over. */
const EMPTYING_MS = 60_000;
const SEAL_ATTEMPTS_MAX = 50;

const expiry = (table: OpenTable): number => Math.floor((table.clock.now() + TOMBSTONE_MS) / 1000);

export function createRemove(table: OpenTable, known: KnownHeads, pending: PendingBlobs): ThreadStore["remove"] {
  /** Returns the sealed generation, or null if the thread does not exist or another removal was first. */
  async function seal(at: ThreadRef, removalId: string): Promise<Result<number | null>> {
    for (let tries = 0; tries < SEAL_ATTEMPTS_MAX; tries += 1) {
      const [newest] = await newestFirst(table, at, 1);
      if (newest === undefined) return ok(null);
      const { generation, version } = positionOf(newest);
      // The tombstone may be the seal of this removal if its reply was lost.
      if (isTombstone(newest)) return ok(newest.gone?.S === removalId ? generation : null);
      if (await putTombstone(table, at, generation, version + 1, removalId)) return ok(generation);
    }
    return unavailable("the thread keeps changing");
  }

  return async (at) => {
    const removalId = randomUUID();
    const sealed = await table.retryUnavailable(() => seal(at, removalId));
    known.forget(at);
    pending.remove(at, pending.list(at));
    if (!sealed.ok) return sealed;
    if (sealed.value === null) {
      const finished = await awaitRemoval(table, at);
      return finished.ok ? notFound(at) : finished;
    }
    return emptyAndRelease(table, at, sealed.value);
  };
}

/**
 * Appends a tombstone as the next record. It competes with appends under the same condition, so nothing can follow it.
 * False if another record or removal was first.
 */
async function putTombstone(
  table: OpenTable,
  at: ThreadRef,
  generation: number,
  version: number,
  removalId: string,
): Promise<boolean> {
  const Item = tombstone(at, generation, version, removalId, expiry(table));
  const leaving = { leaving: { N: String(table.clock.now()) } };
  const unmet = await conditionalWrite(() =>
    table.call("TransactWriteItems", {
      TransactItems: [
        { Put: { TableName: table.name, Item, ConditionExpression: "attribute_not_exists(pk)" } },
        { Update: updateLiveMeta(table, at, generation, leaving, INDEX_ATTRIBUTES) },
      ],
    }),
  );
  return unmet === null;
}

async function emptyAndRelease(table: OpenTable, at: ThreadRef, generation: number): Promise<Result<void>> {
  const emptied = await emptyThread(table, at, generation, expiry(table));
  if (!emptied.ok) return emptied;
  return table.retryUnavailable(async () => {
    await conditionalWrite(() =>
      table.call("PutItem", {
        TableName: table.name,
        Item: {
          ...keyItem(metaKey(at)),
          life: { N: String(generation) },
          gone: { BOOL: true },
          expires: { N: String(expiry(table)) },
        },
        ConditionExpression: "#life = :life",
        ExpressionAttributeNames: { "#life": "life" },
        ExpressionAttributeValues: { ":life": { N: String(generation) } },
      }),
    );
    return ok(undefined);
  });
}

/** Waits for the end of a removal, or takes over one whose process has died. Succeeds if there is none. */
export async function awaitRemoval(table: OpenTable, at: ThreadRef): Promise<Result<void>> {
  const stalled = await table.retryUnavailable(async (): Promise<Result<number | null>> => {
    const meta = await getItem(table, metaKey(at));
    if (meta?.leaving === undefined) return ok(null);
    const since = table.clock.now() - Number(meta.leaving.N);
    if (since >= 0 && since < EMPTYING_MS) throw removalInProgress();
    return ok(Number(meta.life?.N));
  });
  if (!stalled.ok) return stalled;
  return stalled.value === null ? ok(undefined) : emptyAndRelease(table, at, stalled.value);
}

/** Counts as busy, so that the check is repeated after a pause. */
function removalInProgress(): Error {
  const error = new Error("the thread is being removed");
  error.name = "TransactionConflictException";
  return error;
}

/** Works page by page and is idempotent. Keeps the meta row, which marks the thread as being removed. */
async function emptyThread(
  table: OpenTable,
  at: ThreadRef,
  generation: number,
  expires: number,
): Promise<Result<void>> {
  let from: Item | undefined;
  do {
    const page = await table.retryUnavailable(async () => ok(await readKeys(table, at, from)));
    if (!page.ok) return page;
    const { items } = page.value;
    const requests = items.flatMap((item) => tombstoneRequests(at, item, generation, expires));
    const written = await writeAll(table, requests);
    if (!written.ok) return written;
    const others = items.filter((item) => item.sk?.S !== META && !isRecord(item));
    const deleted = await deleteWhileLeaving(table, at, generation, others);
    if (!deleted.ok || !deleted.value) return deleted.ok ? ok(undefined) : deleted;
    from = page.value.from;
  } while (from);
  return ok(undefined);
}

async function readKeys(table: OpenTable, at: ThreadRef, from: Item | undefined) {
  const page = await table.call("Query", {
    TableName: table.name,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": { S: threadPk(at) } },
    ProjectionExpression: "pk, sk, #gone",
    ExpressionAttributeNames: { "#gone": "gone" },
    ConsistentRead: true,
    ...(from ? { ExclusiveStartKey: from } : {}),
  });
  return { items: page.Items ?? [], from: page.LastEvaluatedKey };
}

function tombstoneRequests(at: ThreadRef, item: Item, generation: number, expires: number): WriteRequest[] {
  if (!isRecord(item) || isTombstone(item)) return [];
  const position = positionOf(item);
  if (position.generation !== generation) return [];
  return [{ PutRequest: { Item: tombstone(at, generation, position.version, "emptied", expires) } }];
}

const isRecord = ({ sk }: Item): boolean => sk?.S?.startsWith(RECORDS) ?? false;

/** The deleted items of a transaction have at most 4 MB. */
const TRANSACTION_DELETES_MAX = 10;

/**
 * Deletes blobs and deliveries, whose keys do not contain the generation. False if the removal is no longer in progress:
 * a process that was frozen must not delete those of a thread that was created with the id since then.
 */
async function deleteWhileLeaving(
  table: OpenTable,
  at: ThreadRef,
  generation: number,
  items: readonly Item[],
): Promise<Result<boolean>> {
  const isLeaving: TransactWriteItem = {
    ConditionCheck: {
      TableName: table.name,
      Key: keyItem(metaKey(at)),
      ConditionExpression: "#life = :life AND attribute_exists(#leaving)",
      ExpressionAttributeNames: { "#life": "life", "#leaving": "leaving" },
      ExpressionAttributeValues: { ":life": { N: String(generation) } },
    },
  };
  for (let first = 0; first < items.length; first += TRANSACTION_DELETES_MAX) {
    const deletes = items.slice(first, first + TRANSACTION_DELETES_MAX).map(({ pk, sk }): TransactWriteItem => {
      const Key = keyItem({ pk: pk?.S ?? "", sk: sk?.S ?? "" });
      return { Delete: { TableName: table.name, Key } };
    });
    const TransactItems = [isLeaving, ...deletes];
    const unmet = await table.retryUnavailable(async () =>
      ok(await conditionalWrite(() => table.call("TransactWriteItems", { TransactItems }))),
    );
    if (!unmet.ok || unmet.value !== null) return unmet.ok ? ok(false) : unmet;
  }
  return ok(true);
}
