// Stored text → the newest shape. Old shapes are lifted here, at load, and nowhere else; newer ones are refused untouched.
import { fail, ok, type Result } from "../schema/problem.ts";
import { Entry, type ThreadRecord } from "../schema/record.ts";
import { STATE_SCHEMA, ThreadState } from "../schema/thread.ts";
import { misshapenField } from "./entry-shape.ts";

const ENTRY_SCHEMA = 1;

/**
 * The head's state is checked whole: everything the next turn does rests on it. What comes out is the stored object
 * itself, its fields in their stored order: an answer told again from it must be the same bytes.
 */
export function liftState(text: string): Result<ThreadState> {
  const raw = readRow(text, STATE_SCHEMA, "state");
  if (!raw.ok) return raw;
  const state = ThreadState.safeParse(raw.value);
  if (state.success) return ok(raw.value as ThreadState);
  return corrupt("state", state.error.issues[0]?.path.join(".") ?? "?");
}

/**
 * Entries were checked when they were written and are only looked at, so a load checks no more than the fields a turn
 * reads; `liftEntry` checks them whole where they are handed out.
 */
export function liftLoadedEntry(text: string): Result<Entry> {
  const raw = readRow(text, ENTRY_SCHEMA, "entry");
  if (!raw.ok) return raw;
  const flaw = misshapenField(raw.value);
  return flaw === null ? ok(raw.value as Entry) : corrupt("entry", flaw);
}

export function liftEntry(text: string): Result<Entry> {
  const raw = readRow(text, ENTRY_SCHEMA, "entry");
  if (!raw.ok) return raw;
  const entry = Entry.safeParse(raw.value);
  if (entry.success) return ok(raw.value as Entry);
  return corrupt("entry", entry.error.issues[0]?.path.join(".") ?? "?");
}

export function liftRecord(row: { version: number; entry: string; state: string }): Result<ThreadRecord> {
  const entry = liftEntry(row.entry);
  if (!entry.ok) return entry;
  const state = liftState(row.state);
  if (!state.ok) return state;
  return ok({ version: row.version, entry: entry.value, state: state.value });
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
