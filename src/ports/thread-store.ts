// The contract of a thread store. Rows are text: parsing, validating and upgrading old schemas happens above the port.
import type { TenantId, ThreadId, ThreadRef } from "../schema/ids.ts";
import type { Meta } from "../schema/meta.ts";
import type { Result } from "../schema/problem.ts";
import type { ThreadStateName } from "../schema/thread.ts";
import type { DocumentSave } from "./documents.ts";

/**
 * Every store accepts rows up to these sizes (UTF-8 bytes) and refuses larger ones with `record_too_large`. Text is returned
 * unchanged, except that a lone surrogate, which has no UTF-8 form, becomes U+FFFD.
 */
export const ENTRY_BYTES_MAX = 262_144;
export const STATE_ROW_BYTES_MAX = 65_536;
export const BLOB_BYTES_MAX = 8_388_608;

export type StoredRecord = {
  readonly version: number;
  /** Unique per attempt: the owner of a commit whose response was lost recognizes its own record by it. */
  readonly commit_id: string;
  readonly turn: number;
  readonly entry: string;
  readonly state: string;
};

export type LoadedRows = {
  readonly head: { readonly version: number; readonly state: string };
  /** The newest entries, oldest first; the last one belongs to the head. */
  readonly entries: readonly { readonly version: number; readonly entry: string }[];
};

/** A message or wake-up that must be processed because a record was committed. */
export type Delivery = {
  readonly id: string;
  readonly tenant: TenantId;
  readonly thread: ThreadId;
  readonly due_at: number;
  readonly attempts: number;
  readonly body: string;
};

/** The due time of a delivery that is not retried, but kept for inspection. */
export const NEVER_DUE = Number.MAX_SAFE_INTEGER;

/** A large text of a thread, named by its hash. */
export type StoredBlob = { readonly hash: string; readonly text: string };

export type AppendExtras = {
  readonly meta?: Meta;
  /** Texts that the record refers to. Only for stores with `appendsBlobs`; others receive them by `putBlob` before. */
  readonly blobs?: readonly StoredBlob[];
  readonly outbox?: readonly Delivery[];
  /** Ids of this thread's deliveries that the record has processed: they are removed in the same commit. */
  readonly taken?: readonly string[];
  /**
   * Documents that are saved in the same commit, only for a store with the `place` of their own store. If one is no longer at
   * the expected version, nothing is written: `document_moved`.
   */
  readonly documents?: readonly DocumentSave[];
};

/** A thread with everything that belongs to it. */
export type ThreadSnapshot = {
  /** All records from version 0 on, without a gap. */
  readonly records: readonly StoredRecord[];
  readonly blobs: readonly StoredBlob[];
  readonly meta: Meta;
  readonly outbox: readonly Delivery[];
};

export type RecordRange = {
  /** Only versions above this; -1 for all. */
  readonly after: number;
  readonly limit: number;
};

export type ListQuery = {
  readonly state?: ThreadStateName;
  /** Only threads with an open gate. */
  readonly gated?: boolean;
  readonly after?: { readonly created_at: string; readonly thread: ThreadId };
  readonly limit: number;
};

/** The place of a thread in the order of activity. */
export type ActivityPlace = { readonly updated_at: string; readonly thread: ThreadId };

export interface ThreadStore {
  /**
   * Writes record 0. A thread that already exists is `thread_moved` with details {version} and is unchanged. The same commit id
   * counts as created.
   */
  create(at: ThreadRef, record: StoredRecord, meta: Meta | null): Promise<Result<number>>;
  /**
   * A thread with all its records: before the last of them is stored, nothing of it can be loaded, listed, appended to or
   * removed. A thread that exists already is `thread_moved`; one that has the last record, by its commit id, counts as
   * created. In a store that does not have this, a thread that is imported can be seen before it is complete.
   */
  createFromSnapshot?(at: ThreadRef, snapshot: ThreadSnapshot): Promise<Result<number>>;
  /**
   * A thread with the records of `from` below `head`, then `head`, at a cost that does not depend on their number. It can read
   * the blobs of `from`. Either thread can be changed or removed without the other one changing. If `from` has no record with
   * the version of `head`: `thread_not_found`. An existing thread `to` is `thread_moved`; one that has `head`, by its commit id,
   * counts as created. With a store that does not have this, a fork copies the rows.
   */
  fork?(from: ThreadRef, to: ThreadId, head: StoredRecord, meta: Meta): Promise<Result<number>>;
  /** The head's state and the newest `entries` rows in one read, never older than an acknowledged write. */
  load(at: ThreadRef, entries: number): Promise<Result<LoadedRows>>;
  /**
   * Record n+1 must not exist yet: of two racing turns exactly one appends, the other gets `thread_moved` with
   * details {version}. An existing record with the same commit id counts as appended, because the first response was lost.
   * Meta rows, outbox rows and blobs are written in the same commit or not at all. A meta whose `metadata` is null keeps the
   * metadata of the stored row.
   */
  append(at: ThreadRef, record: StoredRecord, extras?: AppendExtras): Promise<Result<number>>;
  /** True if `append` writes `extras.blobs` in the same commit. In a store without it, every blob costs a commit of its own. */
  readonly appendsBlobs?: boolean;
  /** The database of this store, if `append` can save `extras.documents` there. */
  readonly place?: string;
  /** Complete records in ascending order of version. */
  records(at: ThreadRef, range: RecordRange): Promise<Result<readonly StoredRecord[]>>;
  /** Newest first by (created_at, thread). Rows added in the meantime never shift or repeat a page. */
  list(tenant: TenantId, query: ListQuery): Promise<Result<readonly Meta[]>>;
  /**
   * Last changed first by (updated_at, thread) of the stored rows, at a cost that depends on the limit only. A thread that
   * changes while pages are read moves before the cursor: no page repeats it, and a new first page shows it. A store that
   * would need a further write for this order does not have it.
   */
  listByActivity?(tenant: TenantId, after: ActivityPlace | null, limit: number): Promise<Result<readonly Meta[]>>;
  /** Stores a blob before the record that names it; idempotent. A blob is found only in its own thread. */
  putBlob(at: ThreadRef, hash: string, text: string): Promise<Result<void>>;
  getBlob(at: ThreadRef, hash: string): Promise<Result<string>>;
  /** Loads several blobs in few requests; a blob that does not exist is left out. Only stores where each request is a round trip have it. */
  getBlobs?(at: ThreadRef, hashes: readonly string[]): Promise<Result<ReadonlyMap<string, string>>>;
  /** Removes records, blobs, meta and waiting deliveries. `thread_not_found` if the thread does not exist. */
  remove(at: ThreadRef): Promise<Result<void>>;
  /** Deliveries of all tenants due at or before `now`, oldest first. */
  dueDeliveries(now: number, limit: number): Promise<Result<readonly Delivery[]>>;
  /**
   * Replaces a waiting delivery (a later attempt, a lease), or removes it if `next` is null, but only if it is unchanged since
   * it was read: same due_at and attempts. Returns true then, and also if `next` is already stored, because the first response
   * was lost. False: another worker was first, and nothing changed. So exactly one of two workers gets it.
   */
  settleDelivery(delivery: Delivery, next: Delivery | null): Promise<Result<boolean>>;
  /** Adds a delivery without a record. One with the same id is replaced. An unknown thread is `thread_not_found`. */
  putDelivery(delivery: Delivery): Promise<Result<void>>;
  /** The waiting deliveries of one thread by (due_at, id), including those that are never due; `prefix` filters by id. */
  deliveries(at: ThreadRef, limit: number, prefix?: string): Promise<Result<readonly Delivery[]>>;
  close(): Promise<void>;
}
