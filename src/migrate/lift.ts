// Stored text → the newest shape. Old shapes are lifted here, at load, and nowhere else; newer ones are refused untouched.
import type { ThreadId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { Entry, type ThreadRecord } from "../schema/record.ts";
import { STATE_SCHEMA, ThreadState } from "../schema/thread.ts";
import { misshapenField } from "./entry-shape.ts";
import type { RowsRead } from "./rows-read.ts";

const ENTRY_SCHEMA = 1;

/** Where a row stands, and those that were read before. */
export type Before = { readonly rows_read: RowsRead; readonly thread: ThreadId; readonly version: number };

/**
 * The head's state is checked whole: everything the next turn does rests on it. What comes out is the stored object
 * itself, its fields in their stored order: an answer told again from it must be the same bytes.
 */
export function liftState(text: string, before?: Before): Result<ThreadState> {
  return lift("state", text, true, before, STATE_SCHEMA, (raw) => {
    const state = ThreadState.safeParse(raw);
    return state.success ? null : (state.error.issues[0]?.path.join(".") ?? "?");
  });
}

/**
 * Entries were checked when they were written and are only looked at, so a load checks no more than the fields a turn
 * reads; `liftEntry` checks them whole where they are handed out.
 */
export const liftLoadedEntry = (text: string, before?: Before): Result<Entry> =>
  lift("entry", text, false, before, ENTRY_SCHEMA, misshapenField);

export function liftEntry(text: string, before?: Before): Result<Entry> {
  return lift("entry", text, true, before, ENTRY_SCHEMA, (raw) => {
    const entry = Entry.safeParse(raw);
    return entry.success ? null : (entry.error.issues[0]?.path.join(".") ?? "?");
  });
}

export function liftRecord(
  row: { version: number; entry: string; state: string },
  before?: Before,
): Result<ThreadRecord> {
  const entry = liftEntry(row.entry, before);
  if (!entry.ok) return entry;
  const state = liftState(row.state, before);
  if (!state.ok) return state;
  return ok({ version: row.version, entry: entry.value, state: state.value });
}

/** What the text says, unless it has a flaw; read before, it need not be read again. */
function lift<T extends object>(
  column: "entry" | "state",
  text: string,
  whole: boolean,
  before: Before | undefined,
  newest: number,
  flawIn: (raw: Record<string, unknown>) => string | null,
): Result<T> {
  const place = before && { column, thread: before.thread, version: before.version };
  const known = place && before?.rows_read.recall(place, text);
  if (known && (known.whole || !whole)) return ok(known.value as T);
  const raw = known ? ok(known.value as Record<string, unknown>) : readRow(text, newest, column);
  if (!raw.ok) return raw;
  const flaw = flawIn(raw.value);
  if (flaw !== null) return corrupt(column, flaw);
  if (place) before?.rows_read.keep(place, text, whole, raw.value);
  return ok(raw.value as T);
}

function readRow(text: string, newest: number, what: string): Result<Record<string, unknown>> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return corrupt(what, "not JSON");
  }
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return corrupt(what, "not an object");
  const { schema } = raw as { schema?: unknown };
  if (typeof schema !== "number") return corrupt(what, "no schema number");
  if (schema > newest)
    return fail("newer_version", `This ${what} has schema ${schema}; this release knows up to ${newest}.`);
  return ok(raw as Record<string, unknown>);
}

const corrupt = (what: string, where: string) =>
  fail("state_corrupt", `The stored ${what} cannot be read (${where}). It was left as it is.`);
