// Rows that this process has read before, with what they say: the same bytes are not parsed and checked twice.
// A row with other bytes is read as if there had been none, so a damaged row is refused whatever was known of it.
import { frozen } from "../schema/frozen.ts";
import type { ThreadId } from "../schema/ids.ts";

/** About 60 threads with observations of 2 KB. */
const CHARS_MAX = 4_194_304;

export type Place = { readonly column: "entry" | "state"; readonly thread: ThreadId; readonly version: number };
export type RowRead = { readonly value: object; readonly whole: boolean };
type Held = RowRead & { readonly text: string };

export type RowsRead = {
  /** What these bytes say, if they were read before, and whether they were checked whole. */
  readonly recall: (place: Place, text: string) => RowRead | null;
  /** From here on nobody can change the value. */
  readonly keep: (place: Place, text: string, whole: boolean, value: object) => void;
  readonly forget: (thread: ThreadId) => void;
};

export function createRowsRead(chars_max = CHARS_MAX): RowsRead {
  // Two halves: what is asked for again moves to the young one, and the old one is dropped whole.
  let young = new Map<string, Held>();
  let old = new Map<string, Held>();
  let chars = 0;
  const put = (key: string, held: Held): void => {
    if (chars + held.text.length > chars_max / 2) {
      old = young;
      young = new Map();
      chars = 0;
    }
    chars += held.text.length;
    young.set(key, held);
  };
  return {
    recall(place, text) {
      const key = keyOf(place);
      const fresh = young.get(key);
      const held = fresh ?? old.get(key);
      if (held === undefined || held.text !== text) return null;
      if (!fresh) put(key, held);
      return held;
    },
    keep(place, text, whole, value) {
      if (text.length <= chars_max / 2) put(keyOf(place), { text, value: frozen(value), whole });
    },
    forget(thread) {
      for (const rows of [young, old]) for (const key of rows.keys()) if (key.startsWith(thread)) rows.delete(key);
    },
  };
}

const keyOf = ({ column, thread, version }: Place): string =>
  column === "entry" ? `${thread} ${version}` : `${thread} ${version} state`;
