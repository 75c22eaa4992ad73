// Tracks blobs that were written but are not yet referenced by a record of this process. The next commit makes them
// permanent.
import type { TransactWriteItem, Update } from "@aws-sdk/client-dynamodb";
import type { ThreadRef } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import { blobKey, keyItem, threadPk } from "../keys.ts";
import type { OpenTable } from "../table.ts";

/** The transaction of a commit also contains the record, its meta row and its deliveries. */
const TRANSACTION_BLOBS_MAX = 40;
const TRANSACTION_BYTES_MAX = 2_000_000;
/** Longer than any turn. A blob that is still pending after this time belongs to no turn and may expire. */
const PENDING_MS_MAX = 60 * 60_000;

type PendingBlob = { readonly hash: string; readonly bytes: number; readonly since: number };

export type PendingBlobs = {
  readonly add: (at: ThreadRef, hash: string, bytes: number) => void;
  readonly list: (at: ThreadRef) => readonly PendingBlob[];
  /** For blobs that were made permanent by a commit, or deleted. */
  readonly remove: (at: ThreadRef, blobs: readonly PendingBlob[]) => void;
};

export function createPendingBlobs(now: () => number): PendingBlobs {
  const threads = new Map<string, Map<string, PendingBlob>>();
  const dropOld = (): void => {
    for (const [pk, blobs] of threads) {
      for (const [hash, blob] of blobs) if (now() - blob.since > PENDING_MS_MAX) blobs.delete(hash);
      if (blobs.size === 0) threads.delete(pk);
    }
  };
  return {
    add(at, hash, bytes) {
      dropOld();
      const blobs = threads.get(threadPk(at)) ?? new Map<string, PendingBlob>();
      threads.set(threadPk(at), blobs.set(hash, { hash, bytes, since: now() }));
    },
    list: (at) => [...(threads.get(threadPk(at))?.values() ?? [])],
    remove(at, blobs) {
      const pending = threads.get(threadPk(at));
      for (const { hash } of blobs) pending?.delete(hash);
      if (pending?.size === 0) threads.delete(threadPk(at));
    },
  };
}

/** The condition keeps the update from creating an empty item if the blob was deleted with its thread. */
export const keepBlob = (table: OpenTable, at: ThreadRef, hash: string): Update & { UpdateExpression: string } => ({
  TableName: table.name,
  Key: keyItem(blobKey(at, hash)),
  UpdateExpression: "REMOVE #expires",
  ConditionExpression: "attribute_exists(pk)",
  ExpressionAttributeNames: { "#expires": "expires" },
});

/** Returns updates for the commit. Blobs that would make its transaction too large are made permanent immediately. */
export async function keepPending(
  table: OpenTable,
  at: ThreadRef,
  pending: readonly PendingBlob[],
): Promise<Result<TransactWriteItem[]>> {
  const updates: TransactWriteItem[] = [];
  let remainingBytes = TRANSACTION_BYTES_MAX;
  for (const { hash, bytes } of pending) {
    const Update = keepBlob(table, at, hash);
    if (updates.length < TRANSACTION_BLOBS_MAX && bytes <= remainingBytes) {
      updates.push({ Update });
      remainingBytes -= bytes;
    } else {
      await table.call("UpdateItem", Update);
    }
  }
  return ok(updates);
}
