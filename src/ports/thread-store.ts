// What a store of threads must promise. Rows are text: reading, checking and lifting old shapes happen above the port.
import type { TenantId, ThreadId, ThreadRef } from "../schema/ids.ts";
import type { Meta } from "../schema/meta.ts";
import type { Result } from "../schema/problem.ts";
import type { ThreadStateName } from "../schema/thread.ts";

/**
 * Every store takes rows up to these sizes (UTF-8 bytes) and refuses larger ones with `record_too_large`. Text comes
 * back as it was given, but half a surrogate pair, which UTF-8 cannot hold, as U+FFFD.
 */
export const ENTRY_BYTES_MAX = 262_144;
export const STATE_ROW_BYTES_MAX = 65_536;
export const BLOB_BYTES_MAX = 8_388_608;

export type StoredRecord = {
  readonly version: number;
  /** Unique per attempt: how the owner of a commit whose reply was lost knows its own record again. */
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

/** One message to the outside that must go out because a record was committed. */
export type Delivery = {
  readonly id: string;
  readonly tenant: TenantId;
  readonly thread: ThreadId;
  readonly due_at: number;
  readonly attempts: number;
  readonly body: string;
};

/** A delivery that is not to be tried again, but kept to be looked at. */
export const NEVER_DUE = Number.MAX_SAFE_INTEGER;

export type AppendExtras = {
  readonly meta?: Meta;
  readonly outbox?: readonly Delivery[];
  /** Ids of this thread's deliveries that the record has dealt with: they are taken out in the same commit. */
  readonly taken?: readonly string[];
};

/** A thread with everything that belongs to it. */
export type WholeThread = {
  /** From version 0 on, without a gap. */
  readonly records: readonly StoredRecord[];
  readonly blobs: readonly { readonly hash: string; readonly text: string }[];
  readonly meta: Meta;
  readonly outbox: readonly Delivery[];
};

export type RecordRange = {
  /** Only versions above this; -1 from the beginning. */
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

export interface ThreadStore {
  /**
   * Record 0. A thread that exists already is `thread_moved` with details {version}; nothing of it changes. The same
   * commit id again counts as created.
   */
  create(at: ThreadRef, record: StoredRecord, meta: Meta | null): Promise<Result<number>>;
  /**
   * A thread with all its records: before the last of them is stored, nothing of it can be loaded, listed, appended to or
   * removed. A thread that exists already is `thread_moved`; one that has the last record, by its commit id, counts as
   * created. In a store that does not have this, a thread that is imported can be seen before it is complete.
   */
  createWhole?(at: ThreadRef, whole: WholeThread): Promise<Result<number>>;
  /** The head's state and the newest `entries` rows in one read, never older than an acknowledged write. */
  load(at: ThreadRef, entries: number): Promise<Result<LoadedRows>>;
  /**
   * Record n+1 must not exist yet: of two racing turns exactly one appends, the other gets `thread_moved` with
   * details {version}. A record that is there with the same commit id counts as appended: the first reply was lost.
   * Meta and outbox rows are written in the same commit or not at all. A meta whose `metadata` is null keeps the
   * metadata that the stored row has.
   */
  append(at: ThreadRef, record: StoredRecord, extras?: AppendExtras): Promise<Result<number>>;
  /** Whole records in ascending order of version. */
  records(at: ThreadRef, range: RecordRange): Promise<Result<readonly StoredRecord[]>>;
  /** Newest first by (created_at, thread). Rows added meanwhile never shift or repeat a page. */
  list(tenant: TenantId, query: ListQuery): Promise<Result<readonly Meta[]>>;
  /** Put before the record that names it; putting it again is harmless. Another thread's blob is not found. */
  putBlob(at: ThreadRef, hash: string, text: string): Promise<Result<void>>;
  getBlob(at: ThreadRef, hash: string): Promise<Result<string>>;
  /** Records, blobs, meta and waiting deliveries. Removing what is not there is `thread_not_found`. */
  remove(at: ThreadRef): Promise<Result<void>>;
  /** Deliveries of all tenants due at or before `now`, oldest first. */
  dueDeliveries(now: number, limit: number): Promise<Result<readonly Delivery[]>>;
  /**
   * Replaces a waiting delivery (a later try, a claim for a while), or takes it out when `next` is null; but only if it
   * still waits as it was read: due_at and attempts unchanged. True then, and also when `next` stands there already: the
   * first reply was lost. False: somebody else was first, and nothing changed. So of two workers exactly one has it.
   */
  settleDelivery(delivery: Delivery, next: Delivery | null): Promise<Result<boolean>>;
  /** A delivery without a record. One of the same id is replaced. An unknown thread is `thread_not_found`. */
  putDelivery(delivery: Delivery): Promise<Result<void>>;
  /** What waits in one thread, by (due_at, id), those that are never due included; only ids that begin so. */
  deliveries(at: ThreadRef, limit: number, prefix?: string): Promise<Result<readonly Delivery[]>>;
  close(): Promise<void>;
}
