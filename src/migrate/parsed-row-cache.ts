// Caches parsed rows. A row with different bytes is parsed again, so a damaged row is always refused.
import type { ThreadId } from "../schema/ids.ts";
import { deepFreeze } from "../schema/json/deep-freeze.ts";
import { frozenCopy } from "../schema/json/frozen-copy.ts";
import { LOADED_ENTRIES } from "../schema/record.ts";

/** The limit is enough for about 480 threads with observations of 2 KB, or 1,400 threads with five turns. */
const CHARS_MAX = 33_554_432;

export type RowKey = { readonly column: "entry" | "state"; readonly thread: ThreadId; readonly version: number };
export type ParsedRow = { readonly value: object; readonly full: boolean };
/** `value` is null until the first read if the written value could not be copied. */
type CachedRow = { readonly text: string; readonly full: boolean; value: object | null };
type RowsByThread = Map<ThreadId, Map<number, CachedRow>>;

export type ParsedRowCache = {
  /** Returns the parsed value of these bytes if it is cached, and whether it was fully validated. */
  readonly get: (key: RowKey, text: string) => ParsedRow | null;
  readonly set: (key: RowKey, text: string, full: boolean, value: object) => void;
  /** Bytes that this process wrote are not validated when they are read. Keeps a copy that shares no object with the written value. */
  readonly trust: (key: RowKey, text: string, value: object) => void;
  readonly delete: (thread: ThreadId) => void;
};

/** If `trust_own` is false, rows that this process wrote are validated, too, as in tests. */
export function createParsedRowCache(chars_max = CHARS_MAX, trust_own = true): ParsedRowCache {
  // There are two generations. An entry that is read moves to the young generation, and the old generation is dropped as a whole.
  let young: RowsByThread = new Map();
  let old: RowsByThread = new Map();
  let chars = 0;
  const put = (key: RowKey, row: CachedRow): void => {
    if (chars + row.text.length > chars_max / 2) {
      old = young;
      young = new Map();
      chars = 0;
    }
    chars += row.text.length;
    const rows = young.get(key.thread);
    if (rows) rows.set(rowIndex(key), row);
    else young.set(key.thread, new Map([[rowIndex(key), row]]));
  };
  /** A load reads only the newest state and the newest entries, so this row makes an older one obsolete. */
  const dropOutdated = ({ column, thread, version }: RowKey): void => {
    const outdated = rowIndex({ column, thread, version: version - (column === "state" ? 1 : LOADED_ENTRIES) });
    const row = young.get(thread)?.get(outdated);
    if (row) chars -= row.text.length;
    young.get(thread)?.delete(outdated);
    old.get(thread)?.delete(outdated);
  };
  return {
    get(key, text) {
      const row = rowIndex(key);
      const fresh = young.get(key.thread)?.get(row);
      const cached = fresh ?? old.get(key.thread)?.get(row);
      if (cached === undefined || cached.text !== text) return null;
      if (!fresh) put(key, cached);
      const value = cached.value ?? deepFreeze(JSON.parse(text) as object);
      cached.value = value;
      return { value, full: cached.full };
    },
    set(key, text, full, value) {
      if (text.length > chars_max / 2) return;
      put(key, { text, value: deepFreeze(value), full });
      dropOutdated(key);
    },
    trust(key, text, value) {
      if (!trust_own || text.length > chars_max / 2) return;
      put(key, { text, value: frozenCopy(value), full: true });
      dropOutdated(key);
    },
    delete(thread) {
      for (const threads of [young, old]) threads.delete(thread);
    },
  };
}

/** Assigns adjacent numbers to the two columns of a record. */
const rowIndex = ({ column, version }: RowKey): number => 2 * version + (column === "state" ? 1 : 0);
