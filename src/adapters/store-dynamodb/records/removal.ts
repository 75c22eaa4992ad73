// Removing a thread: sealed at once, then emptied, then its id is free again. Nothing comes back in between.
import { randomUUID } from "node:crypto";
import { GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import type { ThreadStore } from "../../../ports/thread-store.ts";
import type { ThreadAt } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import type { WaitingBlobs } from "../blobs/waiting-blobs.ts";
import { unavailable, unmetConditions } from "../failures.ts";
import { keyItem, metaKey } from "../keys.ts";
import type { OpenTable } from "../table.ts";
import { emptyThread } from "./empty-thread.ts";
import { KNOWN_MS, type KnownHeads } from "./known-heads.ts";
import { INDEX_ATTRIBUTES, livingMeta } from "./metas.ts";
import { newestFirst } from "./read-records.ts";
import { isGone, notFound, placeOf, tombstone } from "./record-item.ts";

/**
 * Far longer than anybody may rely on a record that it has seen: until then each place in the log stays taken, so
 * that a late append of whatever version finds a tombstone and not an empty place.
 */
const TOMBSTONE_MS = 200 * KNOWN_MS;
/** Whoever empties a thread needs less; after this it has died, and the next one who needs the id takes over. */
const EMPTYING_MS = 60_000;
const SEAL_TRIES = 50;

const expiry = (table: OpenTable): number => Math.floor((table.clock.now() + TOMBSTONE_MS) / 1000);

export function removal(table: OpenTable, known: KnownHeads, waiting: WaitingBlobs): ThreadStore["remove"] {
  /** The life that this removal sealed; null: there is none, or another removal was first. */
  async function seal(at: ThreadAt, by: string): Promise<Result<number | null>> {
    for (let tries = 0; tries < SEAL_TRIES; tries += 1) {
      const [newest] = await newestFirst(table, at, 1);
      if (newest === undefined) return ok(null);
      const { life, version } = placeOf(newest);
      // Perhaps our own seal, whose reply was lost.
      if (isGone(newest)) return ok(newest.gone?.S === by ? life : null);
      if (await putSeal(table, at, life, version + 1, by)) return ok(life);
    }
    return unavailable("the thread keeps moving");
  }

  return async (at) => {
    const by = randomUUID();
    const sealed = await table.insist(() => seal(at, by));
    known.forget(at);
    waiting.settle(at, waiting.of(at));
    if (!sealed.ok) return sealed;
    if (sealed.value === null) {
      const over = await awaitRemoval(table, at);
      return over.ok ? notFound(at) : over;
    }
    return emptyAndFree(table, at, sealed.value);
  };
}

/**
 * A tombstone as the next record: it races with appends by the same condition, so nothing can come behind it. The meta
 * row leaves every index with it. False when another record or removal was faster.
 */
async function putSeal(table: OpenTable, at: ThreadAt, life: number, version: number, by: string): Promise<boolean> {
  const Item = tombstone(at, life, version, by, expiry(table));
  const leaving = { leaving: { N: String(table.clock.now()) } };
  try {
    await table.client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName: table.name, Item, ConditionExpression: "attribute_not_exists(pk)" } },
          { Update: livingMeta(table, at, life, leaving, INDEX_ATTRIBUTES) },
        ],
      }),
    );
    return true;
  } catch (thrown) {
    if (unmetConditions(thrown) === null) throw thrown;
    return false;
  }
}

async function emptyAndFree(table: OpenTable, at: ThreadAt, life: number): Promise<Result<void>> {
  const emptied = await emptyThread(table, at, life, expiry(table));
  if (!emptied.ok) return emptied;
  return table.insist(async () => {
    try {
      await table.client.send(
        new PutItemCommand({
          TableName: table.name,
          Item: {
            ...keyItem(metaKey(at)),
            life: { N: String(life) },
            gone: { BOOL: true },
            expires: { N: String(expiry(table)) },
          },
          ConditionExpression: "#life = :life",
          ExpressionAttributeNames: { "#life": "life" },
          ExpressionAttributeValues: { ":life": { N: String(life) } },
        }),
      );
    } catch (thrown) {
      if (unmetConditions(thrown) === null) throw thrown;
    }
    return ok(undefined);
  });
}

/** Waits until a removal under way is over, or takes over one that has died. Fine where there is none. */
export async function awaitRemoval(table: OpenTable, at: ThreadAt): Promise<Result<void>> {
  const dead = await table.insist(async (): Promise<Result<number | null>> => {
    const Key = keyItem(metaKey(at));
    const { Item } = await table.client.send(new GetItemCommand({ TableName: table.name, Key, ConsistentRead: true }));
    if (Item?.leaving === undefined) return ok(null);
    const since = table.clock.now() - Number(Item.leaving.N);
    if (since >= 0 && since < EMPTYING_MS) throw beingRemoved();
    return ok(Number(Item.life?.N));
  });
  if (!dead.ok) return dead;
  return dead.value === null ? ok(undefined) : emptyAndFree(table, at, dead.value);
}

/** Sorted as busy, so that it is asked again after a pause. */
function beingRemoved(): Error {
  const error = new Error("the thread is being removed");
  error.name = "TransactionConflictException";
  return error;
}
