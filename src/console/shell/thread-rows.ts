// Computes the rows of the thread list: merges pages, puts waiting threads first, cuts to the visible part.
import type { Meta } from "../../schema/meta.ts";

export type ThreadRow = Omit<Meta, "thread"> & { readonly id: string };

/** The rows from the beginning of the list, in its order. */
export type NewestRows = {
  readonly threads: readonly ThreadRow[];
  readonly cursor: string | null;
  /** The order of the rows. If it is undefined, they are in the order of creation. */
  readonly order?: "created" | "activity" | undefined;
};

const timeIn = (order: NewestRows["order"], row: ThreadRow): string =>
  order === "activity" ? row.updated_at : row.created_at;

const follows =
  (order: NewestRows["order"], last: ThreadRow) =>
  (row: ThreadRow): boolean => {
    const [time, end] = [timeIn(order, row), timeIn(order, last)];
    return time < end || (time === end && row.id < last.id);
  };

/** Reports whether the new rows overlap the known ones, so that no row between them is missing. */
export function overlapsKnown(known: readonly ThreadRow[], { threads, order }: NewestRows): boolean {
  const [first, last] = [known[0], threads.at(-1)];
  return first !== undefined && last !== undefined && timeIn(order, last) <= timeIn(order, first);
}

/** Drops known rows that should be among the newest but are not, because they were deleted or no longer match. */
export function mergeRows(known: readonly ThreadRow[], newest: NewestRows): readonly ThreadRow[] {
  const { threads, cursor, order } = newest;
  const last = threads.at(-1);
  if (!cursor || !last) return threads;
  const isRead = new Set(threads.map(({ id }) => id));
  const isOlder = follows(order, last);
  return [...threads, ...known.filter((row) => !isRead.has(row.id) && isOlder(row))];
}

/** The maximum length of a title that the server stores. */
export const TITLE_CHARS = 120;

/** Returns the title of a thread: the one that a user gave it, the one given on creation, or the goal of its current run. */
export const titleOf = ({ goal, title, metadata }: Pick<ThreadRow, "goal" | "title" | "metadata">): string =>
  title || (typeof metadata?.title === "string" && metadata.title ? metadata.title : goal);

/** The threads that wait for the user. `more` is true if there are further ones. */
export type WaitingRows = { readonly rows: readonly ThreadRow[]; readonly more: boolean };

export type ListItem =
  | { readonly kind: "group"; readonly group: "waiting" | "recent"; readonly amount: number; readonly more: boolean }
  | { readonly kind: "thread"; readonly row: ThreadRow };

const newerFirst = (a: ThreadRow, b: ThreadRow): number =>
  a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? 1 : -1;

/** Lists waiting threads first, and then the others, both by last activity. Pages that follow are added at the end. */
export function listItems(threads: readonly ThreadRow[], waiting: WaitingRows): readonly ListItem[] {
  const waits = new Set(waiting.rows.map(({ id }) => id));
  const others = threads.filter(({ id }) => !waits.has(id));
  const recent = waiting.more ? others : others.map((row) => (row.gate ? { ...row, gate: null, at: null } : row));
  return [
    ...group("waiting", waiting.rows.toSorted(newerFirst), waiting.more),
    ...group("recent", recent.toSorted(newerFirst), false),
  ];
}

const group = (name: "waiting" | "recent", rows: readonly ThreadRow[], more: boolean): readonly ListItem[] =>
  rows.length === 0
    ? []
    : [
        { kind: "group", group: name, amount: rows.length, more },
        ...rows.map((row): ListItem => ({ kind: "thread", row })),
      ];

export const GROUP_PX = 34;
export const ROW_PX = 54;

/** Returns where each item begins and, as the last value, where the list ends, in pixels. */
export function topsOf(items: readonly ListItem[]): readonly number[] {
  const tops = [0];
  for (const item of items) tops.push((tops.at(-1) ?? 0) + (item.kind === "group" ? GROUP_PX : ROW_PX));
  return tops;
}

export function itemAt(tops: readonly number[], position: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

export type Window = { readonly first: number; readonly last: number; readonly before: number; readonly after: number };

/** Returns the items within the visible part of the list, and the height of those above and below it. */
export function visibleWindow(tops: readonly number[], top: number, height: number): Window {
  const end = tops.at(-1) ?? 0;
  const first = itemAt(tops, top);
  const last = Math.min(tops.length - 1, itemAt(tops, top + height) + 1);
  return { first, last, before: tops[first] ?? 0, after: end - (tops[last] ?? end) };
}
