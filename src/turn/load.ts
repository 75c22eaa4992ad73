// Loads a stored thread with one read and upgrades it to the current schema.
import type { ParsedRowCache } from "../migrate/parsed-row-cache.ts";
import { upgradeLoadedEntry, upgradeRecord, upgradeState } from "../migrate/upgrade.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import { type Entry, LOADED_ENTRIES, type Thread, type ThreadRecord } from "../schema/record.ts";
import type { Runtime } from "./runtime.ts";
import { heldRecord, type ThreadCache } from "./thread-cache.ts";

type RecordSource = Pick<Runtime, "store" | "cache">;

/** True if this runtime keeps the threads that it stores, and only asks the store whether they are current. */
export const holdsRecords = ({ store, cache }: RecordSource): boolean =>
  cache?.threads !== undefined && store.isNewest !== undefined;

export async function loadThread(rt: RecordSource, at: ThreadRef): Promise<Result<Thread>> {
  const { store, cache } = rt;
  if (!cache?.threads || !store.isNewest) return readThread(rt, at, cache?.rows);
  const known = cache.threads.get(at);
  const held = known && heldRecord(known);
  const newest = held && (await store.isNewest(at, held));
  if (known && newest?.ok && newest.value) return ok(known);
  return readThread(rt, at, undefined, cache.threads);
}

async function readThread(
  { store }: RecordSource,
  at: ThreadRef,
  cache: ParsedRowCache | undefined,
  threads?: ThreadCache,
): Promise<Result<Thread>> {
  const rows = await store.load(at, LOADED_ENTRIES);
  if (!rows.ok) return rows;
  const { head } = rows.value;
  const state = upgradeState(head.state, cache && { cache, thread: at.thread, version: head.version });
  if (!state.ok) return state;
  const entries: { version: number; entry: Entry }[] = [];
  let chars = head.state.length;
  for (const row of rows.value.entries) {
    const rowContext = cache && { cache, thread: at.thread, version: row.version };
    const entry = upgradeLoadedEntry(row.entry, rowContext);
    if (!entry.ok) return entry;
    entries.push({ version: row.version, entry: entry.value });
    chars += row.entry.length;
  }
  const thread = { version: head.version, state: state.value, entries };
  threads?.set(at, thread, chars);
  return ok(thread);
}

/** `first` and `last` are both included. */
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
