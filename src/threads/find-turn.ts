// Reads the log by turn and by event. Neither is stored separately, so both are found through the records.
import type { DurableEvent } from "../schema/event.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { ThreadRecord } from "../schema/record.ts";
import { eventsOf } from "../turn/commit/events.ts";
import { readRecords } from "../turn/load.ts";
import type { Runtime } from "../turn/runtime.ts";

type RecordSource = Pick<Runtime, "store">;

/** Every turn has at least one record, so turn n never starts before record n. */
export async function findTurn(
  rt: RecordSource,
  at: ThreadRef,
  turn: number,
): Promise<Result<readonly ThreadRecord[]>> {
  const first = await searchVersion(rt, at, (record) => record.entry.turn >= turn);
  if (!first.ok) return first;
  if (first.value === null) return fail("turn_not_found", `Thread ${at.thread} has no turn ${turn}.`);
  const candidates = await readRecords(rt, at, first.value, first.value + 7);
  if (!candidates.ok) return candidates;
  const records = candidates.value.filter(({ entry }) => entry.turn === turn);
  return records.length > 0 ? ok(records) : fail("turn_not_found", `Thread ${at.thread} has no turn ${turn}.`);
}

export async function lastRecordOf(rt: RecordSource, at: ThreadRef, turn: number): Promise<Result<ThreadRecord>> {
  const last = await lastRecordBefore(rt, at, (record) => record.entry.turn > turn);
  if (!last.ok) return last;
  if (last.value?.entry.turn === turn) return ok(last.value);
  return fail("turn_not_found", `Thread ${at.thread} has no turn ${turn}.`);
}

/** The newest record before the condition becomes true and stays true, or null if the first record already meets it. */
export async function lastRecordBefore(
  rt: RecordSource,
  at: ThreadRef,
  isLater: (record: ThreadRecord) => boolean,
): Promise<Result<ThreadRecord | null>> {
  const next = await searchVersion(rt, at, isLater);
  if (!next.ok) return next;
  const head = next.value === null ? await rt.store.load(at, 1) : ok({ head: { version: next.value - 1 } });
  if (!head.ok) return head;
  const { version } = head.value.head;
  const records = version < 0 ? ok([]) : await readRecords(rt, at, version, version);
  return records.ok ? ok(records.value[0] ?? null) : records;
}

/** Events with a sequence number above `after`, from at most `limit` records. */
export async function eventsAfter(
  rt: RecordSource,
  at: ThreadRef,
  after: number,
  limit: number,
): Promise<Result<readonly DurableEvent[]>> {
  const first = await searchVersion(rt, at, ({ entry }) => entry.events.first + entry.events.count - 1 > after);
  if (!first.ok) return first;
  if (first.value === null) return ok([]);
  const records = await readRecords(rt, at, first.value, first.value + limit - 1);
  if (!records.ok) return records;
  return ok(records.value.flatMap((record) => eventsOf(at.thread, record)).filter((event) => event.seq > after));
}

/** The condition must stay true from the first version that meets it on. A binary search needs few reads, even in a long log. */
async function searchVersion(
  rt: RecordSource,
  at: ThreadRef,
  matches: (record: ThreadRecord) => boolean,
): Promise<Result<number | null>> {
  const head = await rt.store.load(at, 1);
  if (!head.ok) return head;
  let low = 0;
  let high = head.value.head.version + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const record = await readRecords(rt, at, middle, middle);
    if (!record.ok) return record;
    const found = record.value[0];
    if (!found) return fail("state_corrupt", `Record ${middle} of thread ${at.thread} is missing.`);
    if (matches(found)) high = middle;
    else low = middle + 1;
  }
  return ok(low > head.value.head.version ? null : low);
}
