// A stored thread in the newest shape: one read.
import { liftLoadedEntry, liftRecord, liftState } from "../migrate/lift.ts";
import type { ThreadAt } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import { type Entry, LOADED_ENTRIES, type Thread, type ThreadRecord } from "../schema/record.ts";
import type { Runtime } from "./runtime.ts";

type Log = Pick<Runtime, "store" | "remembered">;

export async function loadThread(rt: Log, at: ThreadAt): Promise<Result<Thread>> {
  const rows = await rt.store.load(at, LOADED_ENTRIES);
  if (!rows.ok) return rows;
  const { head } = rows.value;
  const rows_read = rt.remembered?.rows;
  const state = liftState(head.state, rows_read && { rows_read, thread: at.thread, version: head.version });
  if (!state.ok) return state;
  const entries: { version: number; entry: Entry }[] = [];
  for (const row of rows.value.entries) {
    const before = rows_read && { rows_read, thread: at.thread, version: row.version };
    const entry = liftLoadedEntry(row.entry, before);
    if (!entry.ok) return entry;
    entries.push({ version: row.version, entry: entry.value });
  }
  return ok({ version: head.version, state: state.value, entries });
}

/** Records `first` to `last`, both included. */
export async function readRecords(
  rt: Log,
  at: ThreadAt,
  first: number,
  last: number,
): Promise<Result<readonly ThreadRecord[]>> {
  const rows = await rt.store.records(at, { after: first - 1, limit: last - first + 1 });
  if (!rows.ok) return rows;
  const rows_read = rt.remembered?.rows;
  const records: ThreadRecord[] = [];
  for (const row of rows.value) {
    const record = liftRecord(row, rows_read && { rows_read, thread: at.thread, version: row.version });
    if (!record.ok) return record;
    records.push(record.value);
  }
  return ok(records);
}
