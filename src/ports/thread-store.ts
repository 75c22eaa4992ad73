// Defines the contract of a thread store. Rows are text: parsing, validating and upgrading old schemas happens above the port.
import type { TenantId, ThreadId, ThreadRef } from "../schema/ids.ts";
import type { Meta } from "../schema/meta.ts";
import type { Result } from "../schema/problem.ts";
import type { ThreadStateName } from "../schema/thread.ts";
import type { DocumentSave } from "./documents.ts";

/** Every store accepts rows up to these UTF-8 bytes and refuses larger ones with `record_too_large`. A lone surrogate becomes U+FFFD. */
export const ENTRY_BYTES_MAX = 262_144;
export const STATE_ROW_BYTES_MAX = 65_536;
export const BLOB_BYTES_MAX = 8_388_608;

export type StoredRecord = {
  readonly version: number;
  /** Unique per attempt. The owner of a commit uses it to recognize its own record after a lost response. */
  readonly commit_id: string;
  readonly turn: number;
  readonly entry: string;
  readonly state: string;
};

export type LoadedRows = {
  readonly head: { readonly version: number; readonly state: string };
  /** The newest entries, oldest first. The last one belongs to the head. */
  readonly entries: readonly { readonly version: number; readonly entry: string }[];
};

/** A record that the caller holds in memory. It is serialized only if the store has to compare it. */
export type HeldRecord = {
  readonly version: number;
  readonly commit_id: string;
  readonly entry: () => string;
  readonly state: () => string;
};

/** A row beside the log of a thread: a wake-up, a schedule tick, a webhook, a queued message, or a line of a webhook's log. */
export type Delivery = {
  readonly id: string;
  readonly tenant: TenantId;
  readonly thread: ThreadId;
  readonly due_at: number;
  readonly attempts: number;
  readonly body: string;
};

/** The due time of a delivery that no worker picks up: a queued message, a dead letter or a line of a log. */
export const NEVER_DUE = Number.MAX_SAFE_INTEGER;

export type StoredBlob = { readonly hash: string; readonly text: string };

export type AppendExtras = {
  /**
   * The commit id of record n that the caller read. If the store has another one there, because the thread was removed and created again, the
   * append fails with `thread_moved`. Without it only the version counts. Only stores with `checksFollows` compare it.
   */
  readonly follows?: string;
  readonly meta?: Meta;
  /** Blobs that the record refers to. Only for stores with `appendsBlobs`; others receive them by `putBlob` first. */
  readonly blobs?: readonly StoredBlob[];
  readonly outbox?: readonly Delivery[];
  /** Ids of this thread's deliveries that the record has processed. They are removed in the same commit. */
  readonly taken?: readonly string[];
  /** Saved in the same commit, if their store has the same `place`. If one has moved, nothing is written and the append fails with `document_moved`. */
  readonly documents?: readonly DocumentSave[];
  /** True if the caller holds the record and will ask `isNewest`, so that the store need not keep its text for the next load. */
  readonly held?: boolean;
};

export type ThreadSnapshot = {
  /** All records from version 0 without gaps. */
  readonly records: readonly StoredRecord[];
  readonly blobs: readonly StoredBlob[];
  readonly meta: Meta;
  readonly outbox: readonly Delivery[];
};

export type RecordRange = {
  /** Returns only versions above this one. Use -1 for all. */
  readonly after: number;
  readonly limit: number;
};

export type ListQuery = {
  readonly state?: ThreadStateName;
  readonly gated?: boolean;
  readonly after?: { readonly created_at: string; readonly thread: ThreadId };
  readonly limit: number;
};

export type ActivityPlace = { readonly updated_at: string; readonly thread: ThreadId };

export interface ThreadStore {
  /**
   * Writes record 0. Fails with `thread_moved` and details {version}, without a change, if the thread exists. A record with the same commit id
   * counts as created. `held` has the meaning that it has in `AppendExtras`.
   */
  create(at: ThreadRef, record: StoredRecord, meta: Meta | null, held?: boolean): Promise<Result<number>>;
  /**
   * Stores a thread with all its records. Until the last one is stored, the thread cannot be loaded, listed, appended to or removed. Fails with
   * `thread_moved` if the thread exists; one that has the last record by its commit id counts as created. In a store without this method, an
   * imported thread can be seen before it is complete.
   */
  createFromSnapshot?(at: ThreadRef, snapshot: ThreadSnapshot): Promise<Result<number>>;
  /**
   * Creates a thread with the records of `from` below `head`, then `head`, at a cost that does not depend on their number. It can read the blobs of
   * `from`. Changing or removing either thread does not affect the other. Fails with `thread_not_found` if `from` has no record with the version of
   * `head`. Fails with `thread_moved` if the thread `to` exists; one that has `head` by its commit id counts as created. In a store without this
   * method, a fork copies the rows.
   */
  fork?(from: ThreadRef, to: ThreadId, head: StoredRecord, meta: Meta): Promise<Result<number>>;
  /** Returns the head's state and the newest `entries` rows in one read, never older than an acknowledged write. */
  load(at: ThreadRef, entries: number): Promise<Result<LoadedRows>>;
  /**
   * Returns true if the thread's newest record is this one, as of a time not before the call. It costs less than a load. A caller without this
   * method loads the rows.
   */
  isNewest?(at: ThreadRef, held: HeldRecord): Promise<Result<boolean>>;
  /**
   * Appends record n+1, which must not exist yet: of two racing turns exactly one appends, and the other gets `thread_moved` with details
   * {version}. An existing record with the same commit id counts as appended, because the first response was lost. Meta rows, outbox rows and blobs
   * are written in the same commit or not at all. If the `metadata` of a meta is null, the stored row keeps its metadata.
   */
  append(at: ThreadRef, record: StoredRecord, extras?: AppendExtras): Promise<Result<number>>;
  /** True if `append` writes `extras.blobs` in the same commit. In a store without it, every blob costs a separate commit. */
  readonly appendsBlobs?: boolean;
  /** True if `append` compares `extras.follows`. In a store without it, a late turn may continue a thread that was created again. */
  readonly checksFollows?: boolean;
  /** The database of this store, if `append` can save `extras.documents` there. */
  readonly place?: string;
  /** Returns complete records in ascending order of version. */
  records(at: ThreadRef, range: RecordRange): Promise<Result<readonly StoredRecord[]>>;
  /** Lists rows, newest first by (created_at, thread). Rows added in the meantime never shift or repeat a page. */
  list(tenant: TenantId, query: ListQuery): Promise<Result<readonly Meta[]>>;
  /**
   * Lists rows, last changed first by (updated_at, thread) of the stored rows, at a cost that depends only on the limit. A thread that changes
   * while pages are read moves before the cursor: no page repeats it, and a new first page shows it. A store that would need an additional write
   * for this order does not have this method.
   */
  listByActivity?(tenant: TenantId, after: ActivityPlace | null, limit: number): Promise<Result<readonly Meta[]>>;
  /** Stores a blob before the record that names it. Idempotent. A blob is found only in its own thread. */
  putBlob(at: ThreadRef, hash: string, text: string): Promise<Result<void>>;
  getBlob(at: ThreadRef, hash: string): Promise<Result<string>>;
  /** Loads several blobs in few requests and omits those that do not exist. Only stores where each request is a round trip have this method. */
  getBlobs?(at: ThreadRef, hashes: readonly string[]): Promise<Result<ReadonlyMap<string, string>>>;
  /** Removes records, blobs, meta and waiting deliveries. Fails with `thread_not_found` if the thread does not exist. */
  remove(at: ThreadRef): Promise<Result<void>>;
  /** Returns the deliveries of all tenants due at or before `now`, oldest first. */
  dueDeliveries(now: number, limit: number): Promise<Result<readonly Delivery[]>>;
  /**
   * Replaces a waiting delivery (a later attempt, a lease), or removes it if `next` is null, but only if it is unchanged since it was read: same
   * due_at and attempts. Returns true if it did, and also if `next` is already stored because the first response was lost. Returns false if another
   * worker was first, and then changes nothing. So exactly one of two workers gets the delivery.
   */
  settleDelivery(delivery: Delivery, next: Delivery | null): Promise<Result<boolean>>;
  /** Adds a delivery without a record. One with the same id is replaced. Fails with `thread_not_found` if the thread does not exist. */
  putDelivery(delivery: Delivery): Promise<Result<void>>;
  /** Returns the waiting deliveries of one thread by (due_at, id), including those that are never due. `prefix` filters by id. */
  deliveries(at: ThreadRef, limit: number, prefix?: string): Promise<Result<readonly Delivery[]>>;
  close(): Promise<void>;
}
