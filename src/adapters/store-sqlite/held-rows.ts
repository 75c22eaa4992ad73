// The newest rows of the threads at work, as they stand in the file: a turn need not read back what the one before it
// wrote. Text only, of one connection, and only for as long as no other connection has written anything.
import type { DatabaseSync } from "node:sqlite";
import type { LoadedRows, StoredRecord } from "../../ports/thread-store.ts";
import type { ThreadAt } from "../../schema/ids.ts";

/** About 60 threads with observations of 2 KB. */
const CHARS_MAX = 4_194_304;
/** Threads of which it is known when they were read last. */
const LATELY_MAX = 1_000;

export type HeldRows = {
  /** What a load of so many entries gives, or null: then it has to be read. Asks the file whether anybody else wrote. */
  readonly recall: (at: ThreadAt, entries: number) => LoadedRows | null;
  /**
   * What was read right after `recall` gave nothing, without a pause in between. Held only if the thread was read so lately
   * that its rows would still be here: among more threads than there is room for, holding any would be work for nothing.
   */
  readonly keep: (at: ThreadAt, entries: number, rows: LoadedRows) => void;
  /** Runs the commit of a next record. Until that is known to stand, nothing is held of its thread. */
  readonly follow: (at: ThreadAt, record: StoredRecord, commit: () => boolean) => boolean;
  readonly forget: (at: ThreadAt) => void;
};

type Held = { readonly rows: LoadedRows; readonly asked: number; readonly chars: number };

export function holdRows(db: DatabaseSync, chars_max = CHARS_MAX): HeldRows {
  // Another number means that another connection, of this process or of any other, has committed something.
  const dataVersion = db.prepare("PRAGMA data_version");
  dataVersion.setReturnArrays(true);
  let version: unknown = null;
  /** Asked for last comes last. */
  const held = new Map<string, Held>();
  let chars = 0;
  /** At which load each thread was read last. */
  const lately = new Map<string, number>();
  let loads = 0;

  function take(key: string): Held | undefined {
    const one = held.get(key);
    if (one === undefined) return undefined;
    held.delete(key);
    chars -= one.chars;
    return one;
  }

  function put(key: string, one: Held): void {
    if (one.chars > chars_max) return;
    held.set(key, one);
    chars += one.chars;
    for (const oldest of held.keys()) {
      if (chars <= chars_max) return;
      take(oldest);
    }
  }

  function loadsSince(key: string): number {
    const before = lately.get(key) ?? Number.NEGATIVE_INFINITY;
    lately.delete(key);
    lately.set(key, loads);
    const [oldest] = lately.size > LATELY_MAX ? lately.keys() : [];
    if (oldest !== undefined) lately.delete(oldest);
    return loads - before;
  }

  return {
    recall(at, entries) {
      const [now] = dataVersion.get() as unknown as [unknown];
      loads += 1;
      if (now !== version) {
        held.clear();
        lately.clear();
        chars = 0;
        version = now;
        return null;
      }
      const key = keyOf(at);
      const one = held.get(key);
      if (one === undefined || entries > one.asked) return null;
      held.delete(key);
      held.set(key, one);
      return newestOf(one.rows, entries);
    },
    keep(at, entries, rows) {
      const key = keyOf(at);
      const size = charsOf(rows);
      if (loadsSince(key) * size > chars_max) return;
      take(key);
      put(key, { rows: newestOf(rows, entries), asked: entries, chars: size });
    },
    follow(at, record, commit) {
      const key = keyOf(at);
      const before = take(key);
      const stands = commit();
      if (!stands || before?.rows.head.version !== record.version - 1) return stands;
      const rows = withNext(before.rows, before.asked, record);
      put(key, { rows, asked: before.asked, chars: charsOf(rows) });
      return stands;
    },
    forget(at) {
      take(keyOf(at));
    },
  };
}

const keyOf = ({ tenant, thread }: ThreadAt): string => `${tenant.length} ${tenant}${thread}`;

const charsOf = ({ head, entries }: LoadedRows): number =>
  entries.reduce((sum, { entry }) => sum + entry.length, head.state.length);

/** A copy: callers may change what they were given. */
const newestOf = ({ head, entries }: LoadedRows, count: number): LoadedRows => ({
  head: { ...head },
  entries: entries.slice(-count).map((row) => ({ ...row })),
});

/** As it would be read: half a surrogate pair does not survive UTF-8. */
function withNext({ entries }: LoadedRows, asked: number, { version, entry, state }: StoredRecord): LoadedRows {
  const next = { version, entry: entry.toWellFormed() };
  return {
    head: { version, state: state.toWellFormed() },
    entries: [...(entries.length < asked ? entries : entries.slice(1)), next],
  };
}
