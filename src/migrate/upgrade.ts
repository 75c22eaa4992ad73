// Stored text → the newest shape. Old shapes are lifted here, at load, and nowhere else; newer ones are refused untouched.
import type { ThreadId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { Entry, type ThreadRecord } from "../schema/record.ts";
import { STATE_SCHEMA, ThreadState } from "../schema/thread.ts";
import { invalidField } from "./entry-shape.ts";
import type { ParsedRowCache } from "./parsed-row-cache.ts";

const ENTRY_SCHEMA = 1;

/** Where a row stands, and those that were read before. */
export type RowContext = { readonly cache: ParsedRowCache; readonly thread: ThreadId; readonly version: number };

/**
 * The head's state is checked whole: everything the next turn does rests on it. What comes out is the stored object
 * itself, its fields in their stored order: an answer told again from it must be the same bytes.
 */
export function upgradeState(text: string, context?: RowContext): Result<ThreadState> {
  return upgrade("state", text, true, context, STATE_SCHEMA, (raw) => {
    const state = ThreadState.safeParse(raw);
    return state.success ? null : (state.error.issues[0]?.path.join(".") ?? "?");
  });
}

/**
 * Entries were checked when they were written and are only looked at, so a load checks no more than the fields a turn
 * reads; `liftEntry` checks them whole where they are handed out.
 */
export const upgradeLoadedEntry = (text: string, context?: RowContext): Result<Entry> =>
  upgrade("entry", text, false, context, ENTRY_SCHEMA, invalidField);

export function upgradeEntry(text: string, context?: RowContext): Result<Entry> {
  return upgrade("entry", text, true, context, ENTRY_SCHEMA, (raw) => {
    const entry = Entry.safeParse(raw);
    return entry.success ? null : (entry.error.issues[0]?.path.join(".") ?? "?");
  });
}

export function upgradeRecord(
  row: { version: number; entry: string; state: string },
  context?: RowContext,
): Result<ThreadRecord> {
  const entry = upgradeEntry(row.entry, context);
  if (!entry.ok) return entry;
  const state = upgradeState(row.state, context);
  if (!state.ok) return state;
  return ok({ version: row.version, entry: entry.value, state: state.value });
}

/** What the text says, unless it has a flaw; read before, it need not be read again. */
function upgrade<T extends object>(
  column: "entry" | "state",
  text: string,
  full: boolean,
  context: RowContext | undefined,
  newest: number,
  validate: (raw: Record<string, unknown>) => string | null,
): Result<T> {
  const key = context && { column, thread: context.thread, version: context.version };
  const cached = key && context?.cache.get(key, text);
  if (cached && (cached.full || !full)) return ok(cached.value as T);
  const raw = cached ? ok(cached.value as Record<string, unknown>) : readRow(text, newest, column);
  if (!raw.ok) return raw;
  const invalidPath = validate(raw.value);
  if (invalidPath !== null) return corrupt(column, invalidPath);
  if (key) context?.cache.set(key, text, full, raw.value);
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
