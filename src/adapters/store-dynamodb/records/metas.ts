// Stores the meta row: the current generation of a thread and the attributes by which it is listed. Lists are read from
// sparse indexes.
import type { Put, TransactWriteItem, Update } from "@aws-sdk/client-dynamodb";
import type { ListQuery, ThreadStore } from "../../../ports/thread-store.ts";
import type { TenantId, ThreadRef } from "../../../schema/ids.ts";
import { type Meta, type MetaPlace, readMeta } from "../../../schema/meta.ts";
import { compressText, decompressText } from "../blobs/compressed-text.ts";
import { type Item, keyItem, listedSortKey, metaKey, stateShards, tenantShards } from "../keys.ts";
import type { IndexName, OpenTable } from "../table.ts";
import { readPage } from "./index-pages.ts";

function attributesOf(at: ThreadRef, { metadata, ...body }: Meta): { set: Item; remove: readonly string[] } {
  const [in_tenant = ""] = tenantShards(at.tenant, at.thread);
  const [in_state = ""] = stateShards(at.tenant, body.state, at.thread);
  const set: Item = {
    body: compressText(JSON.stringify(body)),
    in_tenant: { S: in_tenant },
    in_state: { S: in_state },
    listed: { S: listedSortKey(body.created_at, at.thread) },
    // If there is no new metadata, the stored value is kept.
    ...(metadata === null ? {} : { metadata: compressText(JSON.stringify(metadata)) }),
  };
  if (body.gate === null) return { set, remove: ["in_gated"] };
  return { set: { ...set, in_gated: { S: in_tenant } }, remove: [] };
}

export const INDEX_ATTRIBUTES = ["in_tenant", "in_state", "in_gated", "listed"] as const;

/** Requires that the thread has no generation, or an older one that is completely removed. */
export function createMeta(table: OpenTable, at: ThreadRef, generation: number, meta: Meta | null): Put {
  return {
    TableName: table.name,
    Item: { ...keyItem(metaKey(at)), life: { N: String(generation) }, ...(meta ? attributesOf(at, meta).set : {}) },
    ConditionExpression: "attribute_not_exists(pk) OR (attribute_exists(#gone) AND #life < :life)",
    ExpressionAttributeNames: { "#gone": "gone", "#life": "life" },
    ExpressionAttributeValues: { ":life": { N: String(generation) } },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

/** Fails if the generation has changed or the removal of the thread has begun. */
export function metaUpdate(table: OpenTable, at: ThreadRef, generation: number, meta: Meta): TransactWriteItem {
  const { set, remove } = attributesOf(at, meta);
  return { Update: updateLiveMeta(table, at, generation, set, remove) };
}

export function updateLiveMeta(
  table: OpenTable,
  at: ThreadRef,
  generation: number,
  set: Item,
  remove: readonly string[],
): Update & { readonly UpdateExpression: string } {
  const names = [...Object.keys(set), ...remove, "life", "leaving"];
  const sets = Object.keys(set).map((name) => `#${name} = :${name}`);
  const removes = remove.map((name) => `#${name}`);
  const values = Object.entries(set).map(([name, value]) => [`:${name}`, value] as const);
  return {
    TableName: table.name,
    Key: keyItem(metaKey(at)),
    UpdateExpression: [
      sets.length > 0 ? `SET ${sets.join(", ")}` : "",
      removes.length > 0 ? `REMOVE ${removes.join(", ")}` : "",
    ].join(" "),
    ConditionExpression: "#life = :life AND attribute_not_exists(#leaving)",
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: { ...Object.fromEntries(values), ":life": { N: String(generation) } },
  };
}

export function listMethods(table: OpenTable): Pick<ThreadStore, "list"> {
  return {
    list: (tenant, query) =>
      readPage(table, {
        ...indexFor(tenant, query),
        descending: true,
        after: query.after ? listedSortKey(query.after.created_at, query.after.thread) : null,
        until: null,
        limit: query.limit,
        read: (item, order) => readListed(item, order, query),
      }),
  };
}

/** Gated threads are few, so they are filtered by state only after reading. */
function indexFor(tenant: TenantId, query: ListQuery): { index: IndexName; shards: string[] } {
  if (query.gated) return { index: "by_gate", shards: tenantShards(tenant) };
  if (query.state) return { index: "by_state", shards: stateShards(tenant, query.state) };
  return { index: "by_age", shards: tenantShards(tenant) };
}

function readListed(item: Item, order: string, query: ListQuery): Meta | null {
  if (item.listed?.S !== order) return null;
  const meta = readMeta(placeOf(order, query), () => ({
    ...(JSON.parse(decompressText(item.body)) as Omit<Meta, "metadata">),
    metadata: item.metadata ? JSON.parse(decompressText(item.metadata)) : null,
  }));
  if (meta.damaged) return meta;
  if (query.state && meta.state !== query.state) return null;
  return query.gated && meta.gate === null ? null : meta;
}

function placeOf(order: string, { state = "failed" }: ListQuery): MetaPlace {
  const [created_at = "", thread = ""] = order.split("#").map(decodeURIComponent);
  return { created_at, thread, state };
}
