// The keys of the one table. A text from outside goes in only through `part`, so that no id can reach another key.
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { TenantId, type ThreadId, type ThreadRef } from "../../schema/ids.ts";

export type Item = Record<string, AttributeValue>;
export type Key = { readonly pk: string; readonly sk: string };

/** Leaves no `#`: an id such as "x#META" stays one part of a key, and lists of parts cannot be read in two ways. */
const encodePart = (text: string): string => encodeURIComponent(text.toWellFormed());
const zeroPadded = (value: number, digits: number): string => String(value).padStart(digits, "0");

export const threadPk = ({ tenant, thread }: ThreadRef): string => `t#${encodePart(tenant)}#${encodePart(thread)}`;
export const settingsKey = (tenant: TenantId): Key => ({ pk: `s#${encodePart(tenant)}`, sk: "SETTINGS" });
export const calendarKey = (tenant: TenantId, calendar: string): Key => ({
  pk: `c#${encodePart(tenant)}#${encodePart(calendar)}`,
  sk: "CALENDAR",
});

/** Of the whole table, whoever's threads are in it. */
export const SECRET_KEY: Key = { pk: "x#secret", sk: "SECRET" };
export const singleUseKey = (name: string): Key => ({ pk: `x#once#${encodePart(name)}`, sk: "ONCE" });

export const META = "META";
export const CLAIM = "CLAIM";
export const RECORDS = "R#";
export const DELIVERIES = "O#";
export const BLOBS = "B#";
export const BLOB_PARTS = "P#";

export const metaKey = (at: ThreadRef): Key => ({ pk: threadPk(at), sk: META });
export const claimKey = (at: ThreadRef): Key => ({ pk: threadPk(at), sk: CLAIM });
export const deliverySk = (id: string): string => `${DELIVERIES}${encodePart(id)}`;
export const blobKey = (at: ThreadRef, hash: string): Key => ({ pk: threadPk(at), sk: `${BLOBS}${encodePart(hash)}` });
export const blobPartsPrefix = (hash: string, digest: string): string => `${BLOB_PARTS}${encodePart(hash)}#${digest}#`;
export const blobPartSk = (hash: string, digest: string, n: number): string =>
  `${blobPartsPrefix(hash, digest)}${zeroPadded(n, 4)}`;

/**
 * An id that was removed may be created again: its records then belong to another life, and a writer that still holds
 * the old one cannot write into the new one. A life is the time of its creation, so that the newest sorts last.
 */
export const recordsPrefix = (generation: number): string => `${RECORDS}${zeroPadded(generation, 15)}#`;
export const recordSk = (generation: number, version: number): string =>
  `${recordsPrefix(generation)}${zeroPadded(version, 10)}`;
export const recordKey = (at: ThreadRef, generation: number, version: number): Key => ({
  pk: threadPk(at),
  sk: recordSk(generation, version),
});

export function readRecordSk(sk: string): { generation: number; version: number } {
  const [, life, version] = sk.split("#");
  return { generation: Number(life), version: Number(version) };
}

/** Index keys are spread over so many values: one busy tenant then is not one busy partition. Part of the layout. */
export const SHARDS = 4;
/** What waits to go out is one list for all tenants, so it is spread further. */
export const OUTBOX_SHARDS = 16;

function shardOf(thread: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < thread.length; i += 1) hash = Math.imul(hash ^ thread.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % shards;
}

/** Without a thread: the keys of all shards. */
const shardKeys = (prefix: string, thread?: string, shards = SHARDS): string[] =>
  thread === undefined
    ? Array.from({ length: shards }, (_, shard) => `${prefix}#${shard}`)
    : [`${prefix}#${shardOf(thread, shards)}`];

export const tenantShards = (tenant: string, thread?: string): string[] => shardKeys(encodePart(tenant), thread);
export const stateShards = (tenant: string, state: string, thread?: string): string[] =>
  shardKeys(`${encodePart(tenant)}#${encodePart(state)}`, thread);
export const outboxShards = (thread?: string): string[] => shardKeys("outbox", thread, OUTBOX_SHARDS);

/** Newest first within an index, as the port lists: by time, then by id. */
export const listedSortKey = (created_at: string, thread: string): string =>
  `${encodePart(created_at)}#${encodePart(thread)}`;
/** Tenant and thread make it unique, so that a page can begin after it. */
export const dueSortKey = (due_at: number, id: string, { tenant, thread }: ThreadRef): string =>
  `${dueTimeKey(due_at)}#${encodePart(id)}#${encodePart(tenant)}#${encodePart(thread)}`;
export const dueTimeKey = (due_at: number): string => zeroPadded(due_at, 16);

export const keyItem = ({ pk, sk }: Key): { pk: AttributeValue; sk: AttributeValue } => ({
  pk: { S: pk },
  sk: { S: sk },
});

/** Which delivery an item of the table's stream is; null for every other item. */
export function readDeliveryKey({ pk, sk }: Key): { at: ThreadRef; id: string } | null {
  const [kind, tenant, thread] = pk.split("#");
  if (kind !== "t" || !tenant || !thread || !sk.startsWith(DELIVERIES)) return null;
  const known = TenantId.safeParse(decodeURIComponent(tenant));
  if (!known.success) return null;
  // As it was put: documents that are no threads lie under names of their own.
  const at = { tenant: known.data, thread: decodeURIComponent(thread) as ThreadId };
  return { at, id: decodeURIComponent(sk.slice(DELIVERIES.length)) };
}
