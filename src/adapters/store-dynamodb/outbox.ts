// Finds and settles the pending deliveries of the outbox. Most deliveries are written by the commit that causes them.
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { type AppendExtras, type Delivery, NEVER_DUE, type ThreadStore } from "../../ports/thread-store.ts";
import { TenantId, type ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { compressText, decompressText } from "./blobs/compressed-text.ts";
import { conditionalWrite } from "./failures.ts";
import { deliverySk, dueSortKey, dueTimeKey, type Item, keyItem, metaKey, outboxShards, threadPk } from "./keys.ts";
import { readPage } from "./records/index-pages.ts";
import { queryItems } from "./records/read-records.ts";
import { notFound } from "./records/record-item.ts";
import type { OpenTable } from "./table.ts";

/** A transaction is limited to 100 items and 4 MB, and also contains the record, its meta row and its blobs. */
const DELIVERIES_MAX = 50;
const BYTES_MAX = 1_000_000;
const BODY_BYTES_MAX = 390_000;

const keyOf = (at: ThreadRef, id: string) => keyItem({ pk: threadPk(at), sk: deliverySk(id) });

function deliveryItem(delivery: Delivery): Item {
  const { id, tenant, thread, due_at, attempts, body } = delivery;
  const [in_outbox = ""] = outboxShards(thread);
  return {
    ...keyOf(delivery, id),
    id: { S: id },
    tenant: { S: tenant },
    thread: { S: thread },
    due_at: { N: String(due_at) },
    attempts: { N: String(attempts) },
    body: compressText(body),
    // A delivery that is never due is not in the index, so that no poll reads it.
    ...(due_at === NEVER_DUE ? {} : { in_outbox: { S: in_outbox }, due: { S: dueSortKey(due_at, id, delivery) } }),
  };
}

const readDelivery = (item: Item): Delivery => ({
  id: item.id?.S ?? "",
  tenant: TenantId.parse(item.tenant?.S),
  // Schedules and webhooks are stored like threads but under names of another form, so the thread id is not validated.
  thread: String(item.thread?.S) as ThreadId,
  due_at: Number(item.due_at?.N),
  attempts: Number(item.attempts?.N),
  body: decompressText(item.body),
});

/** At most one write per delivery id, because a transaction must not contain an item twice. */
export function deliveryWrites(
  table: OpenTable,
  at: ThreadRef,
  { outbox = [], taken = [] }: AppendExtras,
): TransactWriteItem[] {
  const writes = new Map<string, TransactWriteItem>();
  const TableName = table.name;
  for (const delivery of outbox) writes.set(delivery.id, { Put: { TableName, Item: deliveryItem(delivery) } });
  for (const id of taken) writes.set(id, { Delete: { TableName, Key: keyOf(at, id) } });
  return [...writes.values()];
}

export function outboxTooLarge({ outbox = [], taken = [] }: AppendExtras): Failed | null {
  const sizes = outbox.map(({ body }) => Buffer.byteLength(body));
  const sum = sizes.reduce((total, size) => total + size, 0);
  const count = outbox.length + taken.length;
  if (count <= DELIVERIES_MAX && sum <= BYTES_MAX && sizes.every((size) => size <= BODY_BYTES_MAX)) return null;
  const message = `${count} deliveries of ${sum} bytes do not fit into one commit.`;
  return fail("record_too_large", message, { part: "outbox" });
}

const byDue = (a: Delivery, b: Delivery): number => a.due_at - b.due_at || Number(a.id > b.id) - Number(a.id < b.id);

const isSame = (stored: Delivery, next: Delivery): boolean =>
  stored.due_at === next.due_at && stored.attempts === next.attempts && stored.body === next.body.toWellFormed();

type OutboxMethods = Pick<ThreadStore, "dueDeliveries" | "settleDelivery" | "putDelivery" | "deliveries">;

export function outboxMethods(table: OpenTable): OutboxMethods {
  const scan = { not_before: 0 };
  return {
    dueDeliveries: (now, limit) =>
      readPage(table, {
        index: "by_due",
        shards: outboxShards(),
        descending: false,
        after: null,
        until: `${dueTimeKey(now)}~`,
        limit,
        scan,
        // The index lags behind the table, so the delivery may have been settled or postponed.
        read: (item, order) => (item.due?.S === order ? readDelivery(item) : null),
      }),
    settleDelivery: (delivery, next) => settleDelivery(table, delivery, next),
    putDelivery: async (delivery) =>
      outboxTooLarge({ outbox: [delivery] }) ?? table.retryUnavailable(() => putDelivery(table, delivery)),
    deliveries: (at, limit, prefix = "") =>
      table.retryUnavailable(async () => {
        const KeyConditionExpression = "pk = :pk AND begins_with(sk, :deliveries)";
        const values = { ":pk": { S: threadPk(at) }, ":deliveries": { S: deliverySk(prefix) } };
        const query = { KeyConditionExpression, ExpressionAttributeValues: values };
        const items = await queryItems(table, query, Number.POSITIVE_INFINITY);
        return ok(items.map(readDelivery).sort(byDue).slice(0, limit));
      }),
  };
}

/** Changes a delivery only if no other worker has changed it since it was read. */
async function settleDelivery(table: OpenTable, read: Delivery, next: Delivery | null): Promise<Result<boolean>> {
  const unchangedSinceRead = {
    TableName: table.name,
    ConditionExpression: "#due_at = :due_at AND #attempts = :attempts",
    ExpressionAttributeNames: { "#due_at": "due_at", "#attempts": "attempts" },
    ExpressionAttributeValues: { ":due_at": { N: String(read.due_at) }, ":attempts": { N: String(read.attempts) } },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  let tries = 0;
  return table.retryUnavailable(async () => {
    tries += 1;
    const unmet = await conditionalWrite(() =>
      next === null
        ? table.call("DeleteItem", { ...unchangedSinceRead, Key: keyOf(read, read.id) })
        : table.call("PutItem", { ...unchangedSinceRead, Item: deliveryItem(next) }),
    );
    if (unmet === null) return ok(true);
    const stored = unmet.get(0);
    // An earlier attempt may have succeeded although its reply was lost.
    if (!stored) return ok(next === null && tries > 1);
    return ok(next !== null && isSame(readDelivery(stored), next));
  });
}

async function putDelivery(table: OpenTable, delivery: Delivery): Promise<Result<void>> {
  const threadExists = {
    TableName: table.name,
    Key: keyItem(metaKey(delivery)),
    ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(#leaving) AND attribute_not_exists(#gone)",
    ExpressionAttributeNames: { "#leaving": "leaving", "#gone": "gone" },
  };
  const TransactItems = [
    { ConditionCheck: threadExists },
    { Put: { TableName: table.name, Item: deliveryItem(delivery) } },
  ];
  const unmet = await conditionalWrite(() => table.call("TransactWriteItems", { TransactItems }));
  return unmet ? notFound(delivery) : ok(undefined);
}
