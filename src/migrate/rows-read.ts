// Rows that this process has read before, with what they say: the same bytes are not parsed and checked twice.
// A row with other bytes is read as if there had been none, so a damaged row is refused whatever was known of it.

import type { ThreadId } from "../schema/ids.ts";
import { frozen } from "../schema/json/frozen.ts";

/** About 60 threads with observations of 2 KB. */
const CHARS_MAX = 4_194_304;

export type Place = { readonly column: "entry" | "state"; readonly thread: ThreadId; readonly version: number };
export type RowRead = { readonly value: object; readonly whole: boolean };
type Held = RowRead & { readonly text: string };
type Threads = Map<ThreadId, Map<number, Held>>;

export type RowsRead = {
  /** What these bytes say, if they were read before, and whether they were checked whole. */
  readonly recall: (place: Place, text: string) => RowRead | null;
  /** From here on nobody can change the value. */
  readonly keep: (place: Place, text: string, whole: boolean, value: object) => void;
  readonly forget: (thread: ThreadId) => void;
};

export function createRowsRead(chars_max = CHARS_MAX): RowsRead {
  // Two halves: what is asked for again moves to the young one, and the old one is dropped whole.
  let young: Threads = new Map();
  let old: Threads = new Map();
  let chars = 0;
  const put = (place: Place, held: Held): void => {
    if (chars + held.text.length > chars_max / 2) {
      old = young;
      young = new Map();
      chars = 0;
    }
    chars += held.text.length;
    const rows = young.get(place.thread);
    if (rows) rows.set(rowOf(place), held);
    else young.set(place.thread, new Map([[rowOf(place), held]]));
  };
  return {
    recall(place, text) {
      const row = rowOf(place);
      const fresh = young.get(place.thread)?.get(row);
      const held = fresh ?? old.get(place.thread)?.get(row);
      if (held === undefined || held.text !== text) return null;
      if (!fresh) put(place, held);
      return held;
    },
    keep(place, text, whole, value) {
      if (text.length <= chars_max / 2) put(place, { text, value: frozen(value), whole });
    },
    forget(thread) {
      for (const threads of [young, old]) threads.delete(thread);
    },
  };
}

/** Two columns of a record, side by side. */
const rowOf = ({ column, version }: Place): number => 2 * version + (column === "state" ? 1 : 0);
