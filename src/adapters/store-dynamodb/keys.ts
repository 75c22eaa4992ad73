// Builds the keys of the table. External text is always encoded with `encodePart`, so that no id can produce the key of
// another item.
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { DocumentRef } from "../../ports/documents.ts";
import { TenantId, type ThreadId, type ThreadRef } from "../../schema/ids.ts";

export type Item = Record<string, AttributeValue>;
export type Key = { readonly pk: string; readonly sk: string };

/** Encodes `#`, so that an id such as "x#META" stays one part of a key. */
const encodePart = (text: string): string => encodeURIComponent(text.toWellFormed());
const zeroPadded = (value: number, digits: number): string => String(value).padStart(digits, "0");

export const threadPk = ({ tenant, thread }: ThreadRef): string => `t#${encodePart(tenant)}#${encodePart(thread)}`;
export const settingsKey = (tenant: TenantId): Key => ({ pk: `s#${encodePart(tenant)}`, sk: "SETTINGS" });
/** Calendars were stored before there were other kinds, and keep their original key. */
export function documentKey({ tenant, kind, id }: DocumentRef): Key {
  const name = `${encodePart(tenant)}#${encodePart(id)}`;
  return kind === "calendar"
    ? { pk: `c#${name}`, sk: "CALENDAR" }
    : { pk: `d#${encodePart(kind)}#${name}`, sk: "DOCUMENT" };
}

/** One secret serves the whole table, regardless of the tenant. */
export const SECRET_KEY: Key = { pk: "x#secret", sk: "SECRET" };
export const singleUseKey = (name: string): Key => ({ pk: `x#once#${encodePart(name)}`, sk: "ONCE" });

export const META = "META";
export const CLAIM = "CLAIM";
const IMPORT = "IMPORT";
export const RECORDS = "R#";
export const DELIVERIES = "O#";
export const BLOBS = "B#";
export const BLOB_PARTS = "P#";

export const metaKey = (at: ThreadRef): Key => ({ pk: threadPk(at), sk: META });
export const importKey = (at: ThreadRef): Key => ({ pk: threadPk(at), sk: IMPORT });
export const claimKey = (at: ThreadRef): Key => ({ pk: threadPk(at), sk: CLAIM });
export const deliverySk = (id: string): string => `${DELIVERIES}${encodePart(id)}`;
export const blobKey = (at: ThreadRef, hash: string): Key => ({ pk: threadPk(at), sk: `${BLOBS}${encodePart(hash)}` });
export const blobPartsPrefix = (hash: string, digest: string): string => `${BLOB_PARTS}${encodePart(hash)}#${digest}#`;
export const blobPartSk = (hash: string, digest: string, n: number): string =>
  `${blobPartsPrefix(hash, digest)}${zeroPadded(n, 4)}`;

/**
 * A thread id may be created again after its removal. The new records belong to a new generation, into which a writer
 * of the old generation cannot write. Generations are numbered by creation time, so that the newest sorts last.
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

/** Shards spread a busy tenant over several partitions. Their number is part of the stored layout. */
export const SHARDS = 4;
/** The outbox is one list for all tenants, so it needs more shards. */
export const OUTBOX_SHARDS = 16;

function shardOf(thread: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < thread.length; i += 1) hash = Math.imul(hash ^ thread.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % shards;
}

/** Without a thread, returns the keys of all shards. */
const shardKeys = (prefix: string, thread?: string, shards = SHARDS): string[] =>
  thread === undefined
    ? Array.from({ length: shards }, (_, shard) => `${prefix}#${shard}`)
    : [`${prefix}#${shardOf(thread, shards)}`];

export const tenantShards = (tenant: string, thread?: string): string[] => shardKeys(encodePart(tenant), thread);
export const stateShards = (tenant: string, state: string, thread?: string): string[] =>
  shardKeys(`${encodePart(tenant)}#${encodePart(state)}`, thread);
export const outboxShards = (thread?: string): string[] => shardKeys("outbox", thread, OUTBOX_SHARDS);

/** Sorts by creation time, then by id, as the port requires. */
export const listedSortKey = (created_at: string, thread: string): string =>
  `${encodePart(created_at)}#${encodePart(thread)}`;
/** Tenant and thread make the key unique, so that a page can begin after it. */
export const dueSortKey = (due_at: number, id: string, { tenant, thread }: ThreadRef): string =>
  `${dueTimeKey(due_at)}#${encodePart(id)}#${encodePart(tenant)}#${encodePart(thread)}`;
export const dueTimeKey = (due_at: number): string => zeroPadded(due_at, 16);

export const keyItem = ({ pk, sk }: Key): { pk: AttributeValue; sk: AttributeValue } => ({
  pk: { S: pk },
  sk: { S: sk },
});

/** Null for an item of the table's stream that is not a delivery. */
export function readDeliveryKey({ pk, sk }: Key): { at: ThreadRef; id: string } | null {
  const [kind, tenant, thread] = pk.split("#");
  if (kind !== "t" || !tenant || !thread || !sk.startsWith(DELIVERIES)) return null;
  const known = TenantId.safeParse(decodeURIComponent(tenant));
  if (!known.success) return null;
  // Schedules and webhooks are stored like threads but under names of another form, so the thread id is not validated.
  const at = { tenant: known.data, thread: decodeURIComponent(thread) as ThreadId };
  return { at, id: decodeURIComponent(sk.slice(DELIVERIES.length)) };
}
