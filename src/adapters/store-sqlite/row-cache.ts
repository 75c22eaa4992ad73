// The newest rows of the threads at work, as they stand in the file: a turn need not read back what the one before it
// wrote. Text only, of one connection, and only for as long as no other connection has written anything.
import type { DatabaseSync } from "node:sqlite";
import type { LoadedRows, StoredRecord } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";

/** About 60 threads with observations of 2 KB. */
const CHARS_MAX = 4_194_304;
/** Threads of which it is known when they were read last. */
const LAST_READS_MAX = 1_000;

export type RowCache = {
  /** What a load of so many entries gives, or null: then it has to be read. Asks the file whether anybody else wrote. */
  readonly get: (at: ThreadRef, entries: number) => LoadedRows | null;
  /**
   * What was read right after `recall` gave nothing, without a pause in between. Held only if the thread was read so lately
   * that its rows would still be here: among more threads than there is room for, holding any would be work for nothing.
   */
  readonly set: (at: ThreadRef, entries: number, rows: LoadedRows) => void;
  /** Runs the commit of a next record. Until that is known to stand, nothing is held of its thread. */
  readonly commitNext: (at: ThreadRef, record: StoredRecord, commit: () => boolean) => boolean;
  readonly invalidate: (at: ThreadRef) => void;
};

type CachedRows = { readonly rows: LoadedRows; readonly requested: number; readonly chars: number };

export function createRowCache(db: DatabaseSync, maxChars = CHARS_MAX): RowCache {
  // Another number means that another connection, of this process or of any other, has committed something.
  const dataVersion = db.prepare("PRAGMA data_version");
  dataVersion.setReturnArrays(true);
  let version: unknown = null;
  /** Asked for last comes last. */
  const cache = new Map<string, CachedRows>();
  let chars = 0;
  /** At which load each thread was read last. */
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
      const [now] = dataVersion.get() as unknown as [unknown];
      loads += 1;
      if (now !== version) {
        cache.clear();
        lastReads.clear();
        chars = 0;
        version = now;
        return null;
      }
      const key = keyOf(at);
      const one = cache.get(key);
      if (one === undefined || entries > one.requested) return null;
      cache.delete(key);
      cache.set(key, one);
      return newestOf(one.rows, entries);
    },
    set(at, entries, rows) {
      const key = keyOf(at);
      const size = charsOf(rows);
      if (loadsSince(key) * size > maxChars) return;
      removeEntry(key);
      addEntry(key, { rows: newestOf(rows, entries), requested: entries, chars: size });
    },
    commitNext(at, record, commit) {
      const key = keyOf(at);
      const before = removeEntry(key);
      const committed = commit();
      if (!committed || before?.rows.head.version !== record.version - 1) return committed;
      const rows = withNextRecord(before.rows, before.requested, record);
      addEntry(key, { rows, requested: before.requested, chars: charsOf(rows) });
      return committed;
    },
    invalidate(at) {
      removeEntry(keyOf(at));
    },
  };
}

const keyOf = ({ tenant, thread }: ThreadRef): string => `${tenant.length} ${tenant}${thread}`;

const charsOf = ({ head, entries }: LoadedRows): number =>
  entries.reduce((sum, { entry }) => sum + entry.length, head.state.length);

/** A copy: callers may change what they were given. */
const newestOf = ({ head, entries }: LoadedRows, count: number): LoadedRows => ({
  head: { ...head },
  entries: entries.slice(-count).map((row) => ({ ...row })),
});

/** As it would be read: half a surrogate pair does not survive UTF-8. */
function withNextRecord(
  { entries }: LoadedRows,
  requested: number,
  { version, entry, state }: StoredRecord,
): LoadedRows {
  const next = { version, entry: entry.toWellFormed() };
  return {
    head: { version, state: state.toWellFormed() },
    entries: [...(entries.length < requested ? entries : entries.slice(1)), next],
  };
}
