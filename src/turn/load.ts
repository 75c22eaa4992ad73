// A stored thread in the newest shape: one read.
import { liftLoadedEntry, liftRecord, liftState } from "../migrate/lift.ts";
import type { ThreadAt } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import { type Entry, LOADED_ENTRIES, type Thread, type ThreadRecord } from "../schema/record.ts";
import type { Runtime } from "./runtime.ts";

export async function loadThread(rt: Pick<Runtime, "store">, at: ThreadAt): Promise<Result<Thread>> {
  const rows = await rt.store.load(at, LOADED_ENTRIES);
  if (!rows.ok) return rows;
  const { head } = rows.value;
  const state = liftState(head.state);
  if (!state.ok) return state;
  const entries: { version: number; entry: Entry }[] = [];
  for (const row of rows.value.entries) {
    const entry = liftLoadedEntry(row.entry);
    if (!entry.ok) return entry;
    entries.push({ version: row.version, entry: entry.value });
  }
  return ok({ version: head.version, state: state.value, entries });
}

/** Records `first` to `last`, both included. */
export async function readRecords(
  rt: Pick<Runtime, "store">,
  at: ThreadAt,
  first: number,
  last: number,
): Promise<Result<readonly ThreadRecord[]>> {
  const rows = await rt.store.records(at, { after: first - 1, limit: last - first + 1 });
  if (!rows.ok) return rows;
  const records: ThreadRecord[] = [];
  for (const row of rows.value) {
    const record = liftRecord(row);
    if (!record.ok) return record;
    records.push(record.value);
  }
  return ok(records);
}
