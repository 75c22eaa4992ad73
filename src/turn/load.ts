// Loads a stored thread with one read and upgrades it to the current schema.
import { upgradeLoadedEntry, upgradeRecord, upgradeState } from "../migrate/upgrade.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import { type Entry, LOADED_ENTRIES, type Thread, type ThreadRecord } from "../schema/record.ts";
import type { Runtime } from "./runtime.ts";

type RecordSource = Pick<Runtime, "store" | "cache">;

export async function loadThread(rt: RecordSource, at: ThreadRef): Promise<Result<Thread>> {
  const rows = await rt.store.load(at, LOADED_ENTRIES);
  if (!rows.ok) return rows;
  const { head } = rows.value;
  const cache = rt.cache?.rows;
  const state = upgradeState(head.state, cache && { cache, thread: at.thread, version: head.version });
  if (!state.ok) return state;
  const entries: { version: number; entry: Entry }[] = [];
  for (const row of rows.value.entries) {
    const rowContext = cache && { cache, thread: at.thread, version: row.version };
    const entry = upgradeLoadedEntry(row.entry, rowContext);
    if (!entry.ok) return entry;
    entries.push({ version: row.version, entry: entry.value });
  }
  return ok({ version: head.version, state: state.value, entries });
}

/** Reads the records from `first` to `last`, inclusive. */
export async function readRecords(
  rt: RecordSource,
  at: ThreadRef,
  first: number,
  last: number,
): Promise<Result<readonly ThreadRecord[]>> {
  const rows = await rt.store.records(at, { after: first - 1, limit: last - first + 1 });
  if (!rows.ok) return rows;
  const cache = rt.cache?.rows;
  const records: ThreadRecord[] = [];
  for (const row of rows.value) {
    const record = upgradeRecord(row, cache && { cache, thread: at.thread, version: row.version });
    if (!record.ok) return record;
    records.push(record.value);
  }
  return ok(records);
}
