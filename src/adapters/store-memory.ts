// Keeps threads in process memory and implements the whole store contract. The threads are lost at exit.
import { anyBlobTooLarge, blobTooLarge, recordTooLarge } from "../ports/row-limits.ts";
import type { Delivery, ListQuery, StoredBlob, StoredRecord, ThreadStore } from "../ports/thread-store.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { type Meta, readMeta } from "../schema/meta.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";

/** Stored as text, as in the other stores, so that no caller can mutate a stored object. */
type MetaRow = {
  readonly created_at: string;
  readonly thread: string;
  readonly state: string;
  readonly gated: boolean;
  readonly has_metadata: boolean;
  readonly updated_at: string;
  readonly text: string;
};
/** Stored without a copy, because a delivery has only immutable fields. */
type DeliveryRow = { readonly at: string; readonly delivery: Delivery };

export type MemoryData = {
  readonly records: Map<string, StoredRecord[]>;
  readonly blobs: Map<string, Map<string, string>>;
  /** Keyed by tenant, then by thread. */
  readonly metas: Map<string, Map<string, MetaRow>>;
  readonly outbox: Map<string, DeliveryRow>;
};

export const createMemoryData = (): MemoryData => ({
  records: new Map(),
  blobs: new Map(),
  metas: new Map(),
  outbox: new Map(),
});

/** Neither a tenant nor a thread id can contain the separator. */
const keyOf = (at: ThreadRef): string => `${at.tenant}/${at.thread}`;
const notFound = (at: ThreadRef): Failed => fail("thread_not_found", `Thread ${at.thread} does not exist.`);
const moved = (at: ThreadRef, version: number): Failed =>
  fail("thread_moved", `Thread ${at.thread} is at version ${version}.`, { version });

function toStoredRecord(record: StoredRecord): StoredRecord {
  const { version, commit_id, turn, entry, state } = record;
  return { version, commit_id, turn, entry: entry.toWellFormed(), state: state.toWellFormed() };
}

const readRow = (row: MetaRow): Meta => readMeta(row, () => JSON.parse(row.text));

function putMeta(data: MemoryData, at: ThreadRef, meta: Meta): void {
  const rows = data.metas.get(at.tenant) ?? new Map<string, MetaRow>();
  const { created_at, updated_at, state, gate } = meta;
  const before = rows.get(at.thread);
  const metadata = meta.metadata ?? (before?.has_metadata ? readRow(before).metadata : null);
  const text = JSON.stringify({ ...meta, metadata });
  const facts = { gated: gate !== null, has_metadata: metadata !== null };
  rows.set(at.thread, { created_at, updated_at, thread: at.thread, state, ...facts, text });
  data.metas.set(at.tenant, rows);
}

/** The first text stored under a name is kept. */
function putBlob(data: MemoryData, at: ThreadRef, { hash, text }: StoredBlob): void {
  const blobs = data.blobs.get(keyOf(at)) ?? new Map<string, string>();
  if (!blobs.has(hash)) blobs.set(hash, text.toWellFormed());
  data.blobs.set(keyOf(at), blobs);
}

const deliveryKey = (delivery: Delivery): string => `${keyOf(delivery)}/${delivery.id}`;

function putDelivery(data: MemoryData, delivery: Delivery): void {
  const { id, tenant, thread, due_at, attempts, body } = delivery;
  const kept = Object.freeze({ id, tenant, thread, due_at, attempts, body: body.toWellFormed() });
  data.outbox.set(deliveryKey(delivery), { at: keyOf(delivery), delivery: kept });
}

const isSameDelivery = (current: Delivery, next: Delivery | null): boolean =>
  next !== null && current.due_at === next.due_at && current.attempts === next.attempts && current.body === next.body;

function selectDeliveries(data: MemoryData, limit: number, matches: (row: DeliveryRow) => boolean): Delivery[] {
  const rows: Delivery[] = [];
  for (const row of data.outbox.values()) if (matches(row)) rows.push(row.delivery);
  rows.sort((a, b) => compare(a.due_at, b.due_at) || compare(a.id, b.id));
  return rows.slice(0, limit);
}

const compare = (a: string | number, b: string | number): number => Number(a > b) - Number(a < b);
const newestFirst = (a: MetaRow, b: MetaRow): number =>
  compare(b.created_at, a.created_at) || compare(b.thread, a.thread);

function matches(row: MetaRow, query: ListQuery): boolean {
  if (query.state !== undefined && row.state !== query.state) return false;
  if (query.gated === true && !row.gated) return false;
  if (query.after === undefined) return true;
  const { created_at, thread } = query.after;
  return (compare(row.created_at, created_at) || compare(row.thread, thread)) < 0;
}

const byActivity = (a: Pick<MetaRow, "updated_at" | "thread">, b: Pick<MetaRow, "updated_at" | "thread">): number =>
  compare(b.updated_at, a.updated_at) || compare(b.thread, a.thread);

/** The same commit has already written the record, or another record has its version. */
function resolveConflict(at: ThreadRef, rows: readonly StoredRecord[], record: StoredRecord): Result<number> {
  if (rows[record.version]?.commit_id === record.commit_id) return ok(record.version);
  return moved(at, rows.length - 1);
}

/** Stores that are created with the same data share their threads. */
export function createMemoryStore(data: MemoryData = createMemoryData()): ThreadStore {
  return {
    appendsBlobs: true,
    checksFollows: true,
    async create(at, record, meta) {
      const tooLarge = recordTooLarge(record);
      if (tooLarge) return tooLarge;
      const rows = data.records.get(keyOf(at));
      if (rows !== undefined) return resolveConflict(at, rows, record);
      data.records.set(keyOf(at), [toStoredRecord(record)]);
      if (meta !== null) putMeta(data, at, meta);
      return ok(record.version);
    },
    async createFromSnapshot(at, { records, blobs, meta, outbox }) {
      const large = records.map(recordTooLarge).find(Boolean) ?? anyBlobTooLarge(blobs);
      if (large) return large;
      const last = records.at(-1);
      if (!last) throw new Error("a thread has at least one record");
      const rows = data.records.get(keyOf(at));
      if (rows !== undefined) return resolveConflict(at, rows, last);
      data.records.set(keyOf(at), records.map(toStoredRecord));
      data.blobs.set(keyOf(at), new Map(blobs.map(({ hash, text }) => [hash, text.toWellFormed()])));
      putMeta(data, at, meta);
      for (const delivery of outbox) putDelivery(data, delivery);
      return ok(last.version);
    },
    async fork(from, thread, head, meta) {
      const tooLarge = recordTooLarge(head);
      if (tooLarge) return tooLarge;
      const at = { tenant: from.tenant, thread };
      const origin = data.records.get(keyOf(from));
      if (!origin?.[head.version]) return notFound(from);
      const rows = data.records.get(keyOf(at));
      if (rows !== undefined) return resolveConflict(at, rows, head);
      // Rows and blobs never change, so both threads may refer to the same objects.
      data.records.set(keyOf(at), [...origin.slice(0, head.version), toStoredRecord(head)]);
      data.blobs.set(keyOf(at), new Map(data.blobs.get(keyOf(from))));
      putMeta(data, at, meta);
      return ok(head.version);
    },
    async load(at, entries) {
      const rows = data.records.get(keyOf(at));
      const head = rows?.at(-1);
      if (rows === undefined || head === undefined) return notFound(at);
      return ok({
        head: { version: head.version, state: head.state },
        entries: rows.slice(-entries).map(({ version, entry }) => ({ version, entry })),
      });
    },
    async append(at, record, also = {}) {
      const large = recordTooLarge(record) ?? anyBlobTooLarge(also.blobs);
      if (large) return large;
      const rows = data.records.get(keyOf(at));
      if (rows === undefined) return notFound(at);
      if (record.version !== rows.length) return resolveConflict(at, rows, record);
      if (also.follows !== undefined && rows.at(-1)?.commit_id !== also.follows) return moved(at, rows.length - 1);
      rows.push(toStoredRecord(record));
      for (const blob of also.blobs ?? []) putBlob(data, at, blob);
      if (also.meta) putMeta(data, at, also.meta);
      for (const delivery of also.outbox ?? []) putDelivery(data, delivery);
      for (const id of also.taken ?? []) data.outbox.delete(`${keyOf(at)}/${id}`);
      return ok(record.version);
    },
    async records(at, { after, limit }) {
      const rows = data.records.get(keyOf(at));
      if (rows === undefined) return notFound(at);
      return ok(rows.slice(after + 1, after + 1 + limit).map((row) => ({ ...row })));
    },
    async list(tenant, query) {
      const rows = [...(data.metas.get(tenant)?.values() ?? [])].filter((row) => matches(row, query));
      const page = rows.sort(newestFirst).slice(0, query.limit);
      return ok(page.map(readRow));
    },
    async listByActivity(tenant, after, limit) {
      const rows = [...(data.metas.get(tenant)?.values() ?? [])].filter((row) => !after || byActivity(row, after) > 0);
      return ok(rows.sort(byActivity).slice(0, limit).map(readRow));
    },
    async putBlob(at, hash, text) {
      const large = blobTooLarge(text);
      if (large) return large;
      putBlob(data, at, { hash, text });
      return ok(undefined);
    },
    async getBlob(at, hash) {
      const text = data.blobs.get(keyOf(at))?.get(hash);
      return text === undefined ? fail("blob_not_found", `Thread ${at.thread} has no blob ${hash}.`) : ok(text);
    },
    async remove(at) {
      data.blobs.delete(keyOf(at));
      if (!data.records.delete(keyOf(at))) return notFound(at);
      data.metas.get(at.tenant)?.delete(at.thread);
      for (const [key, row] of data.outbox) if (row.at === keyOf(at)) data.outbox.delete(key);
      return ok(undefined);
    },
    dueDeliveries: async (now, limit) => ok(selectDeliveries(data, limit, ({ delivery }) => delivery.due_at <= now)),
    async settleDelivery(delivery, next) {
      const held = data.outbox.get(deliveryKey(delivery))?.delivery;
      if (!held) return ok(false);
      if (held.due_at !== delivery.due_at || held.attempts !== delivery.attempts) return ok(isSameDelivery(held, next));
      if (next === null) data.outbox.delete(deliveryKey(delivery));
      else putDelivery(data, next);
      return ok(true);
    },
    async putDelivery(delivery) {
      if (!data.records.has(keyOf(delivery))) return notFound(delivery);
      putDelivery(data, delivery);
      return ok(undefined);
    },
    async deliveries(at, limit, prefix = "") {
      const key = keyOf(at);
      return ok(selectDeliveries(data, limit, (row) => row.at === key && row.delivery.id.startsWith(prefix)));
    },
    async close() {},
  };
}
