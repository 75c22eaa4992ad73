// Caches threads as they are stored, so that a turn does not read back and parse what the previous turn wrote. A cached thread is used only if the
// store confirms that its newest record is still the same.
import type { HeldRecord } from "../ports/thread-store.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { deepFreeze } from "../schema/json/deep-freeze.ts";
import { frozenCopy } from "../schema/json/frozen-copy.ts";
import { LOADED_ENTRIES, type Thread, type ThreadRecord } from "../schema/record.ts";

/** Enough for about 960 threads with observations of 2 KB, or 2,800 threads of five turns. Their rows are not kept as text. */
const CHARS_MAX = 67_108_864;

/** A thread and the length of its rows, which is about the memory that it needs. */
type CachedThread = { readonly thread: Thread; readonly chars: number };

export type ThreadCache = {
  readonly get: (at: ThreadRef) => Thread | null;
  /** Stores a thread that was read, and freezes it. `chars` is the length of its rows. */
  readonly set: (at: ThreadRef, thread: Thread, chars: number) => void;
  /** Adds a record that this process wrote. A caller that later changes its copy does not change the cached record. */
  readonly add: (at: ThreadRef, record: ThreadRecord, chars: number) => void;
  readonly delete: (at: ThreadRef) => void;
};

/** Creates the cache. If `trust_own` is false, records that this process wrote are read and validated like all others, as in tests. */
export function createThreadCache(trust_own = true, chars_max = CHARS_MAX): ThreadCache {
  // There are two generations. A thread that is used moves to the young generation, and the old generation is dropped as a whole.
  let young = new Map<string, CachedThread>();
  let old = new Map<string, CachedThread>();
  let chars = 0;
  const remove = (key: string): void => {
    chars -= young.get(key)?.chars ?? 0;
    young.delete(key);
    old.delete(key);
  };
  const put = (key: string, one: CachedThread): void => {
    remove(key);
    if (one.chars > chars_max / 2) return;
    if (chars + one.chars > chars_max / 2) {
      old = young;
      young = new Map();
      chars = 0;
    }
    chars += one.chars;
    young.set(key, one);
  };
  return {
    get(at) {
      const key = keyOf(at);
      const fresh = young.get(key);
      if (fresh) return fresh.thread;
      const one = old.get(key);
      if (one) put(key, one);
      return one?.thread ?? null;
    },
    set: (at, thread, size) => put(keyOf(at), { thread: deepFreeze(thread), chars: size }),
    add(at, record, size) {
      if (!trust_own) return;
      const key = keyOf(at);
      const before = young.get(key) ?? old.get(key) ?? EMPTY;
      const next = before.thread.version === record.version - 1 ? withRecord(before, record, size) : null;
      if (next) put(key, next);
    },
    delete: (at) => remove(keyOf(at)),
  };
}

const EMPTY = { thread: { version: -1, entries: [] as Thread["entries"] }, chars: 0 };

function withRecord(
  { thread, chars }: typeof EMPTY,
  { version, entry, state }: ThreadRecord,
  size: number,
): CachedThread | null {
  const [keptEntry, keptState] = [frozenCopy(entry), sharesObjects(state) ? frozenCopy(state) : deepFreeze(state)];
  if (!keptEntry || !keptState) return null;
  const isFull = thread.entries.length >= LOADED_ENTRIES;
  const entries = isFull ? thread.entries.slice(1) : [...thread.entries];
  entries.push(Object.freeze({ version, entry: keptEntry }));
  const left = isFull ? chars - chars / LOADED_ENTRIES : chars;
  return { thread: { version, state: keptState, entries: Object.freeze(entries) }, chars: left + size };
}

/** True if parts of the state may be objects of a caller, such as arguments or a todo list. */
const sharesObjects = ({ gate, acting, todo }: Thread["state"]): boolean =>
  gate !== null || acting !== null || todo.length > 0;

const keyOf = ({ tenant, thread }: ThreadRef): string => `${tenant.length} ${tenant}${thread}`;

/** Describes the newest record of a cached thread to the store. */
export function heldRecord({ version, state, entries }: Thread): HeldRecord | null {
  const entry = entries.at(-1)?.entry;
  if (!entry) return null;
  const texts = { entry: () => JSON.stringify(entry), state: () => JSON.stringify(state) };
  return { version, commit_id: entry.commit_id, ...texts };
}
