// Upgrades stored text to the current schema. Old schemas are upgraded only here, at load; newer ones are refused.
import type { ThreadId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { ENTRY_SCHEMA, Entry, type ThreadRecord } from "../schema/record.ts";
import { STATE_SCHEMA, ThreadState } from "../schema/thread.ts";
import { invalidField } from "./entry-shape.ts";
import type { ParsedRowCache } from "./parsed-row-cache.ts";

/** Schema 2 allows more values, so every entry of schema 1 is valid in it. */
const liftEntry = (raw: StoredObject): StoredObject => ({ ...raw, schema: ENTRY_SCHEMA });

const liftState = (raw: StoredObject): StoredObject => ({
  // The first release had no toolkits. With null, such a thread keeps the tools that it had.
  toolkits: null,
  ...raw,
  schema: STATE_SCHEMA,
  evidence_kind: evidenceKindOf(raw),
  results: [],
  changes: [],
});

function evidenceKindOf({ evidence, proofs }: StoredObject): string | null {
  if (evidence !== "proven") return evidence === "none" ? "none" : null;
  const kinds = new Set(Array.isArray(proofs) ? proofs.map((proof) => (proof as { kind?: unknown } | null)?.kind) : []);
  if (kinds.has("write")) return "written";
  return kinds.has("observation") ? "observed" : kinds.has("reply") ? "replied" : "none";
}

const COLUMNS = {
  entry: { newest: ENTRY_SCHEMA, lift: liftEntry },
  state: { newest: STATE_SCHEMA, lift: liftState },
} as const;

export type RowContext = { readonly cache: ParsedRowCache; readonly thread: ThreadId; readonly version: number };

/** Fully validated, because the next turn depends on it. The fields keep their order, so that a replayed response has the same bytes. */
export function upgradeState(text: string, context?: RowContext): Result<ThreadState> {
  return upgrade("state", text, true, context, (raw) => {
    const state = ThreadState.safeParse(raw);
    return state.success ? null : (state.error.issues[0]?.path.join(".") ?? "?");
  });
}

/** An entry was validated when it was written, so a load checks only the fields that a turn reads. `upgradeEntry` checks all of them. */
export const upgradeLoadedEntry = (text: string, context?: RowContext): Result<Entry> =>
  upgrade("entry", text, false, context, invalidField);

export function upgradeEntry(text: string, context?: RowContext): Result<Entry> {
  return upgrade("entry", text, true, context, (raw) => {
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
  return state.ok ? ok({ version: row.version, entry: entry.value, state: state.value }) : state;
}

function upgrade<T extends object>(
  column: "entry" | "state",
  text: string,
  full: boolean,
  context: RowContext | undefined,
  validate: (raw: Record<string, unknown>) => string | null,
): Result<T> {
  const key = context && { column, thread: context.thread, version: context.version };
  const cached = key && context?.cache.get(key, text);
  if (cached && (cached.full || !full)) return ok(cached.value as T);
  const raw = cached ? ok(cached.value as Record<string, unknown>) : readRow(text, column);
  if (!raw.ok) return raw;
  const invalidPath = validate(raw.value);
  if (invalidPath !== null) return corrupt(column, invalidPath);
  if (key) context?.cache.set(key, text, full, raw.value);
  return ok(raw.value as T);
}

function readRow(text: string, what: "entry" | "state"): Result<StoredObject> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return corrupt(what, "not JSON");
  }
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return corrupt(what, "not an object");
  const { schema } = raw as { schema?: unknown };
  if (typeof schema !== "number") return corrupt(what, "no schema number");
  const { newest, lift } = COLUMNS[what];
  if (schema > newest)
    return fail("newer_version", `This ${what} has schema ${schema}; this release supports up to ${newest}.`);
  return ok(schema === newest ? (raw as StoredObject) : lift(raw as StoredObject));
}

const corrupt = (what: string, where: string) =>
  fail("state_corrupt", `The stored ${what} cannot be read (${where}). It was left unchanged.`);

type StoredObject = Record<string, unknown>;
