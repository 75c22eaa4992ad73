// Reads and writes many items in as few requests as possible. Retries the items that DynamoDB left unprocessed, for
// example because of throttling.
import type { WriteRequest } from "@aws-sdk/client-dynamodb";
import { ok, type Result } from "../../schema/problem.ts";
import { type Item, type Key, keyItem } from "./keys.ts";
import type { OpenTable } from "./table.ts";

const WRITES_MAX = 25;
const READS_MAX = 100;

/** Counts as busy, so that the unprocessed items are retried after a pause. */
function unprocessedError(count: number): Error {
  const error = new Error(`${count} items of a batch were left unprocessed`);
  error.name = "ThrottlingException";
  return error;
}

function* chunks<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);
}

export async function writeAll(table: OpenTable, requests: readonly WriteRequest[]): Promise<Result<void>> {
  for (const chunk of chunks(requests, WRITES_MAX)) {
    let unprocessed: WriteRequest[] = chunk;
    const written = await table.retryUnavailable(async () => {
      const response = await table.call("BatchWriteItem", { RequestItems: { [table.name]: unprocessed } });
      unprocessed = response.UnprocessedItems?.[table.name] ?? [];
      if (unprocessed.length > 0) throw unprocessedError(unprocessed.length);
      return ok(undefined);
    });
    if (!written.ok) return written;
  }
  return ok(undefined);
}

/** Returns the items in the order of the keys, with null for each missing item. */
export async function readAll(table: OpenTable, keys: readonly Key[]): Promise<Result<(Item | null)[]>> {
  const found = new Map<string, Item>();
  const nameOf = (pk: string | undefined, sk: string | undefined): string => JSON.stringify([pk, sk]);
  for (const chunk of chunks(keys, READS_MAX)) {
    let unprocessed: Item[] = chunk.map(keyItem);
    const read = await table.retryUnavailable(async () => {
      const RequestItems = { [table.name]: { Keys: unprocessed, ConsistentRead: true } };
      const response = await table.call("BatchGetItem", { RequestItems });
      for (const item of response.Responses?.[table.name] ?? []) found.set(nameOf(item.pk?.S, item.sk?.S), item);
      unprocessed = response.UnprocessedKeys?.[table.name]?.Keys ?? [];
      if (unprocessed.length > 0) throw unprocessedError(unprocessed.length);
      return ok(undefined);
    });
    if (!read.ok) return read;
  }
  return ok(keys.map(({ pk, sk }) => found.get(nameOf(pk, sk)) ?? null));
}
