// Parses the states of stored rows. Checks read the newest rows of all threads repeatedly while a history runs.
import type { StoredRecord } from "../../../src/ports/thread-store.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";

const parsed = new WeakMap<StoredRecord, { readonly text: string; readonly state: ThreadState }>();

export function stateOf(row: StoredRecord): ThreadState {
  const known = parsed.get(row);
  if (known?.text === row.state) return known.state;
  const state = JSON.parse(row.state) as ThreadState;
  parsed.set(row, { text: row.state, state });
  return state;
}
