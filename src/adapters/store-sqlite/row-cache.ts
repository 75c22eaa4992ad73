// Caches the newest rows of active threads, so that a turn does not read back what the previous turn wrote. After a
// commit of another connection, a thread's rows are used again only if its newest record is still the same.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { HeldRecord, LoadedRows, StoredRecord } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { LOADED_ENTRIES } from "../../schema/record.ts";
import { createHeldHeads } from "./held-heads.ts";

/** Enough for about 480 threads with observations of 2 KB, or 1,400 threads of five turns. */
const CHARS_MAX = 33_554_432;
/** The number of threads whose last read is remembered. */
const LAST_READS_MAX = 2_000;

export type RowCache = {
  /** Null if the entries must be read. Checks whether another connection has committed. */
  readonly get: (at: ThreadRef, entries: number) => LoadedRows | null;
  /**
   * Adds rows that were read right after `get` returned null, without yielding in between, but only if the thread's
   * previous read was so recent that its rows would still be cached. If more threads are active than fit, caching their
   * rows would be wasted work.
   */
  readonly set: (at: ThreadRef, entries: number, rows: LoadedRows) => void;
  /**
   * The rows of the thread are not cached until `end` is called, right after the commit, with the appended record or
   * null. The first record of a thread is also cached, because its first turn usually follows soon.
   */
  readonly beginChange: (at: ThreadRef) => Change;
  /** Returns true if this is the newest record of the thread in the file. Its rows are no longer cached then. */
  readonly isNewest: (at: ThreadRef, held: HeldRecord) => boolean;
  readonly invalidate: (at: ThreadRef) => void;
  /** Changes when another connection has committed, as of the last `get`. */
  readonly lastDataVersion: () => unknown;
};

export type Change = {
  /** The newest record in the file, or null if it is unknown without a read. Cached rows do not contain its commit id. */
  readonly head: { readonly version: number; readonly commit_id: string | null } | null;
  /** If `held`, the caller holds the record, so its rows are not cached. */
  readonly end: (appended: StoredRecord | null, held?: boolean) => void;
};

type CachedRows = {
  readonly rows: LoadedRows;
  readonly requested: number;
  readonly chars: number;
  /** The data version of the file for which the rows were last known to be current. */
  readonly data_version: unknown;
};

/** An entry contains its commit id, so two threads, or two generations of one, never have the same newest record. */
const SELECT_NEWEST = `
SELECT version, commit_id, entry, state FROM records WHERE tenant = ?1 AND thread = ?2 ORDER BY version DESC LIMIT 1`;

export function createRowCache(db: DatabaseSync, maxChars = CHARS_MAX): RowCache {
  // A changed number means that another connection, of this or another process, has committed.
  const dataVersion = db.prepare("PRAGMA data_version");
  dataVersion.setReturnArrays(true);
  let lastDataVersion: unknown = null;
  const readDataVersion = (): unknown => {
    lastDataVersion = (dataVersion.get() as unknown as [unknown])[0];
    return lastDataVersion;
  };
  let newest: StatementSync | null = null;
  const readNewest = (at: ThreadRef) => {
    newest ??= db.prepare(SELECT_NEWEST);
    return newest.get(at.tenant, at.thread);
  };
  const heads = createHeldHeads();
  /** The cached rows by thread, least recently used first. */
  const cache = new Map<string, CachedRows>();
  let chars = 0;
  /** The value of `loads` at the last load of each thread. */
  const lastReads = new Map<string, number>();
  let loads = 0;

  function removeEntry(key: string): CachedRows | undefined {
    const one = cache.get(key);
    if (one === undefined) return undefined;
    cache.delete(key);
    chars -= one.chars;
    return one;
  }

  function addEntry(key: string, one: CachedRows): void {
    if (one.chars > maxChars) return;
    cache.set(key, one);
    chars += one.chars;
    for (const oldest of cache.keys()) {
      if (chars <= maxChars) return;
      removeEntry(oldest);
    }
  }

  /** Null unless the cached rows match the file. */
  function currentEntry(at: ThreadRef, key: string): CachedRows | null {
    const one = cache.get(key);
    const now = readDataVersion();
    if (one === undefined || one.data_version === now) return one ?? null;
    const row = readNewest(at);
    const { head, entries } = one.rows;
    removeEntry(key);
    if (row?.version !== head.version || row.state !== head.state || row.entry !== entries.at(-1)?.entry) return null;
    const checked = { ...one, data_version: now };
    addEntry(key, checked);
    return checked;
  }

  function loadsSince(key: string): number {
    const before = lastReads.get(key) ?? Number.NEGATIVE_INFINITY;
    lastReads.delete(key);
    lastReads.set(key, loads);
    const [oldest] = lastReads.size > LAST_READS_MAX ? lastReads.keys() : [];
    if (oldest !== undefined) lastReads.delete(oldest);
    return loads - before;
  }

  return {
    get(at, entries) {
      loads += 1;
      const key = keyOf(at);
      const one = currentEntry(at, key);
      if (one === null || entries > one.requested) return null;
      cache.delete(key);
      cache.set(key, one);
      return newestOf(one.rows, entries);
    },
    set(at, entries, rows) {
      const key = keyOf(at);
      const size = charsOf(rows);
      if (loadsSince(key) * size > maxChars) return;
      removeEntry(key);
      addEntry(key, {
        rows: newestOf(rows, entries),
        requested: entries,
        chars: size,
        data_version: readDataVersion(),
      });
    },
    beginChange(at) {
      const key = keyOf(at);
      // The check runs inside the transaction, so no other connection can commit between it and the append.
      const before = currentEntry(at, key);
      const data_version = lastDataVersion;
      removeEntry(key);
      const head = before ? { version: before.rows.head.version, commit_id: null } : heads.get(key, data_version);
      heads.delete(key);
      const end = (appended: StoredRecord | null, held = false): void => {
        // Another change in the same transaction may have cached its own record, which is no longer the head.
        removeEntry(key);
        heads.delete(key);
        if (appended && held) heads.set(key, appended, data_version);
        if (held || appended === null || appended.version !== (head?.version ?? -1) + 1) return;
        const { requested, rows: known } = before ?? { requested: LOADED_ENTRIES, rows: NO_ROWS };
        const rows = withNextRecord(known, requested, appended);
        addEntry(key, { rows, requested, chars: charsOf(rows), data_version });
      };
      return { head, end };
    },
    isNewest(at, held) {
      const key = keyOf(at);
      const now = readDataVersion();
      const head = heads.get(key, now);
      if (head) return head.version === held.version && head.commit_id === held.commit_id;
      const row = readNewest(at);
      const isSame = row?.version === held.version && row.commit_id === held.commit_id;
      heads.delete(key);
      if (!isSame || row.state !== held.state() || row.entry !== held.entry()) return false;
      heads.set(key, held, now);
      removeEntry(key);
      return true;
    },
    invalidate(at) {
      removeEntry(keyOf(at));
      heads.delete(keyOf(at));
    },
    lastDataVersion: () => lastDataVersion,
  };
}

const NO_ROWS: Pick<LoadedRows, "entries"> = { entries: [] };

const keyOf = ({ tenant, thread }: ThreadRef): string => `${tenant.length} ${tenant}${thread}`;

const charsOf = ({ head, entries }: LoadedRows): number =>
  entries.reduce((sum, { entry }) => sum + entry.length, head.state.length);

/** A copy, because callers may modify it. */
const newestOf = ({ head, entries }: LoadedRows, count: number): LoadedRows => ({
  head: { ...head },
  entries: entries.slice(-count).map((row) => ({ ...row })),
});

/** The record as it would be read back: a lone surrogate does not survive UTF-8. */
function withNextRecord(
  { entries }: Pick<LoadedRows, "entries">,
  requested: number,
  { version, entry, state }: StoredRecord,
): LoadedRows {
  const next = { version, entry: entry.toWellFormed() };
  return {
    head: { version, state: state.toWellFormed() },
    entries: [...(entries.length < requested ? entries : entries.slice(1)), next],
  };
}
