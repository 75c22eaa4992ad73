// Deletes the content of a sealed thread. Replaces its records by tombstones, which expire and cost as much as a
// deletion.
import type { WriteRequest } from "@aws-sdk/client-dynamodb";
import type { ThreadRef } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import { writeAll } from "../batches.ts";
import { type Item, keyItem, META, RECORDS, threadPk } from "../keys.ts";
import type { OpenTable } from "../table.ts";
import { isTombstone, positionOf, tombstone } from "./record-item.ts";

/** Works page by page and is idempotent. Keeps the meta row, which marks the thread as being removed. */
export async function emptyThread(
  table: OpenTable,
  at: ThreadRef,
  generation: number,
  expires: number,
): Promise<Result<void>> {
  let from: Item | undefined;
  do {
    const page = await table.retryUnavailable(async () => ok(await readKeys(table, at, from)));
    if (!page.ok) return page;
    const requests = page.value.items.flatMap((item) => emptyRequests(at, item, generation, expires));
    const written = await writeAll(table, requests);
    if (!written.ok) return written;
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

function emptyRequests(at: ThreadRef, item: Item, generation: number, expires: number): WriteRequest[] {
  const { pk, sk } = { pk: item.pk?.S ?? "", sk: item.sk?.S ?? "" };
  if (sk === META || isTombstone(item)) return [];
  if (!sk.startsWith(RECORDS)) return [{ DeleteRequest: { Key: keyItem({ pk, sk }) } }];
  const position = positionOf(item);
  if (position.generation !== generation) return [];
  return [{ PutRequest: { Item: tombstone(at, generation, position.version, "emptied", expires) } }];
}
