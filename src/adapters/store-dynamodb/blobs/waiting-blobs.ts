// Blobs that were put and that no record of this process has named yet. The commit that follows makes them stay.
import { type TransactWriteItem, type Update, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import type { ThreadAt } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import { blobKey, keyItem, threadPk } from "../keys.ts";
import type { OpenTable } from "../table.ts";

/** What fits into the transaction of a commit, beside its record, meta row and deliveries. */
const SHARED_MAX = 40;
const SHARED_BYTES_MAX = 2_000_000;
/** A turn is over long before: what still waits then belongs to no turn any more and may expire. */
const WAIT_MS = 60 * 60_000;

type Waiting = { readonly hash: string; readonly bytes: number; readonly since: number };

export type WaitingBlobs = {
  readonly add: (at: ThreadAt, hash: string, bytes: number) => void;
  readonly of: (at: ThreadAt) => readonly Waiting[];
  /** They are kept by a commit, or gone: either way they do not wait any more. */
  readonly settle: (at: ThreadAt, blobs: readonly Waiting[]) => void;
};

export function createWaitingBlobs(now: () => number): WaitingBlobs {
  const threads = new Map<string, Map<string, Waiting>>();
  const dropOld = (): void => {
    for (const [pk, blobs] of threads) {
      for (const [hash, blob] of blobs) if (now() - blob.since > WAIT_MS) blobs.delete(hash);
      if (blobs.size === 0) threads.delete(pk);
    }
  };
  return {
    add(at, hash, bytes) {
      dropOld();
      const blobs = threads.get(threadPk(at)) ?? new Map<string, Waiting>();
      threads.set(threadPk(at), blobs.set(hash, { hash, bytes, since: now() }));
    },
    of: (at) => [...(threads.get(threadPk(at))?.values() ?? [])],
    settle(at, blobs) {
      const waiting = threads.get(threadPk(at));
      for (const { hash } of blobs) waiting?.delete(hash);
      if (waiting?.size === 0) threads.delete(threadPk(at));
    },
  };
}

/** A blob that a removal took away meanwhile must not come back as an empty one. */
export const keepBlob = (table: OpenTable, at: ThreadAt, hash: string): Update & { UpdateExpression: string } => ({
  TableName: table.name,
  Key: keyItem(blobKey(at, hash)),
  UpdateExpression: "REMOVE #expires",
  ConditionExpression: "attribute_exists(pk)",
  ExpressionAttributeNames: { "#expires": "expires" },
});

/** The updates for the commit. What would make its transaction too large is kept before it. */
export async function keepWaiting(
  table: OpenTable,
  at: ThreadAt,
  waiting: readonly Waiting[],
): Promise<Result<TransactWriteItem[]>> {
  const shared: TransactWriteItem[] = [];
  let room = SHARED_BYTES_MAX;
  for (const { hash, bytes } of waiting) {
    const Update = keepBlob(table, at, hash);
    if (shared.length < SHARED_MAX && bytes <= room) {
      shared.push({ Update });
      room -= bytes;
    } else {
      await table.client.send(new UpdateItemCommand(Update));
    }
  }
  return ok(shared);
}
