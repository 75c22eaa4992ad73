// Caches parsed stored text. The processes of a history share one cache for its rows, which ends with the history. In
// every sixteenth history, each process has its own cache and validates all rows. The others trust rows that the runtime
// wrote, which changes nothing as long as those are valid.
import {
  createParsedRowCache,
  type ParsedRow,
  type ParsedRowCache,
  type RowKey,
} from "../../src/migrate/parsed-row-cache.ts";
import { upgradeRecord } from "../../src/migrate/upgrade.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import { createSystemPromptCache } from "../../src/prompt/system-prompt-cache.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import { deepFreeze } from "../../src/schema/json/deep-freeze.ts";
import type { Result } from "../../src/schema/problem.ts";
import type { ThreadRecord } from "../../src/schema/record.ts";
import { createRuntimeCache, type RuntimeCache } from "../../src/turn/runtime-cache.ts";
import { createThreadCache, type ThreadCache } from "../../src/turn/thread-cache.ts";
import type { World } from "./world.ts";

const VALIDATED_SHARE = 16;
/**
 * Caches the system prompts and resolved tools of all histories, in which tools are enabled and disabled in many
 * combinations.
 */
const SHARED = { ...createRuntimeCache(), system_prompts: createSystemPromptCache(1_000) };

export const validatesByDefault = (seed: number): boolean => seed % VALIDATED_SHARE === 0;

export const cacheFor = ({ validatesRows, rows }: Pick<World, "validatesRows" | "rows">): RuntimeCache => ({
  ...(validatesRows ? createRuntimeCache() : SHARED),
  rows: validatesRows ? createRows(true) : rows,
  threads: validatesRows ? withValidation(createThreadCache()) : createThreadCache(),
});

/** Keeps the validated text of a record instead of the record, and reads as often as without validation. */
const withValidation = (threads: ThreadCache): ThreadCache => ({
  ...threads,
  add(at, { version, entry, state }, chars) {
    const row = { version, entry: JSON.stringify(entry), state: JSON.stringify(state) };
    const read = upgradeRecord(row);
    if (!read.ok) throw new Error(`${at.thread} stored an invalid record ${version}: ${read.problem.message}`);
    threads.add(at, read.value, chars);
  },
});

export const parseStored = ({ rows }: Pick<World, "rows">, thread: string, row: StoredRecord): Result<ThreadRecord> =>
  upgradeRecord(row, { cache: rows, thread: thread as ThreadId, version: row.version });

type KeptRow = { readonly text: string; row: ParsedRow | null };

export type HistoryRows = ParsedRowCache & {
  /** Keeps a record that the runtime wrote without this cache, so that the checks trust its rows, too. */
  readonly keepWritten: (thread: ThreadId, record: StoredRecord) => void;
};

/** Also keeps what a runtime's cache drops because no load reads it: the checks read all rows. */
export function createRows(validatesRows: boolean): HistoryRows {
  const rows = createParsedRowCache(undefined, !validatesRows);
  const kept = new Map<string, KeptRow>();
  const keep = (key: RowKey, text: string): void => {
    const row = rows.get(key, text);
    if (row) kept.set(nameOf(key), { text, row });
  };
  return {
    get(key, text) {
      const row = rows.get(key, text);
      if (row) return row;
      const old = kept.get(nameOf(key));
      if (old?.text !== text) return null;
      old.row ??= { value: deepFreeze(JSON.parse(text) as object), full: true };
      return old.row;
    },
    set(key, text, full, value) {
      rows.set(key, text, full, value);
      keep(key, text);
    },
    trust(key, text, value) {
      rows.trust(key, text, value);
      keep(key, text);
    },
    keepWritten(thread, { version, entry, state }) {
      if (validatesRows) return;
      kept.set(nameOf({ column: "entry", thread, version }), { text: entry, row: null });
      kept.set(nameOf({ column: "state", thread, version }), { text: state, row: null });
    },
    delete: (thread) => rows.delete(thread),
  };
}

const nameOf = ({ column, thread, version }: RowKey): string => `${column} ${thread} ${version}`;
