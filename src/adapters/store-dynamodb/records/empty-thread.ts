// Takes everything out of a sealed thread. Records leave tombstones, which cost what a deletion costs and expire.
import { QueryCommand, type WriteRequest } from "@aws-sdk/client-dynamodb";
import type { ThreadAt } from "../../../schema/ids.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import { writeAll } from "../batches.ts";
import { type Item, keyItem, META, RECORDS, threadPk } from "../keys.ts";
import type { OpenTable } from "../table.ts";
import { isGone, placeOf, tombstone } from "./record-item.ts";

/** Page by page; twice is harmless. The meta row stays: it says that the thread is leaving. */
export async function emptyThread(
  table: OpenTable,
  at: ThreadAt,
  life: number,
  expires: number,
): Promise<Result<void>> {
  let from: Item | undefined;
  do {
    const page = await table.insist(async () => ok(await readKeys(table, at, from)));
    if (!page.ok) return page;
    const written = await writeAll(
      table,
      page.value.items.flatMap((item) => emptying(at, item, life, expires)),
    );
    if (!written.ok) return written;
    from = page.value.from;
  } while (from);
  return ok(undefined);
}

async function readKeys(table: OpenTable, at: ThreadAt, from: Item | undefined) {
  const page = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: threadPk(at) } },
      ProjectionExpression: "pk, sk, #gone",
      ExpressionAttributeNames: { "#gone": "gone" },
      ConsistentRead: true,
      ...(from ? { ExclusiveStartKey: from } : {}),
    }),
  );
  return { items: page.Items ?? [], from: page.LastEvaluatedKey };
}

function emptying(at: ThreadAt, item: Item, life: number, expires: number): WriteRequest[] {
  const { pk, sk } = { pk: item.pk?.S ?? "", sk: item.sk?.S ?? "" };
  if (sk === META || isGone(item)) return [];
  if (!sk.startsWith(RECORDS)) return [{ DeleteRequest: { Key: keyItem({ pk, sk }) } }];
  const place = placeOf(item);
  if (place.life !== life) return [];
  return [{ PutRequest: { Item: tombstone(at, life, place.version, "emptied", expires) } }];
}
