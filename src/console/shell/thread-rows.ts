// The rows of the thread list: merged with the newest page, grouped, ordered by activity, and cut to what is visible. Pure.
import type { Meta } from "../../schema/meta.ts";
import type { Group } from "../messages/en-shell.ts";
import { GROUPS, groupOf } from "../parts/state-labels.ts";

export type ThreadRow = Omit<Meta, "thread"> & { readonly id: string };

type Page = {
  readonly threads: readonly ThreadRow[];
  readonly cursor: string | null;
  /** What the page is ordered by. */
  readonly order?: "created" | "activity";
};

/**
 * Rows that the page should contain but does not were deleted or no longer match. `waiting`: all rows that wait for the person,
 * however old; null if they were not read.
 */
export function mergeRows(
  known: readonly ThreadRow[],
  { threads, cursor, order = "created" }: Page,
  waiting: readonly ThreadRow[] | null = null,
): readonly ThreadRow[] {
  const last = threads.at(-1);
  if (!cursor || !last) return threads;
  const inPage = new Set([...threads, ...(waiting ?? [])].map(({ id }) => id));
  const time = (row: ThreadRow): string => (order === "activity" ? row.updated_at : row.created_at);
  const isOlder = (row: ThreadRow): boolean => time(row) < time(last) || (time(row) === time(last) && row.id < last.id);
  return [
    ...threads,
    ...(waiting ?? []).filter(isOlder),
    ...known
      .filter((row) => !inPage.has(row.id) && isOlder(row))
      .map((row) => (row.gate && waiting ? { ...row, gate: null, at: null } : row)),
  ];
}

/** The longest title that the server stores. */
export const TITLE_CHARS = 120;

/** The name of a thread: given by a person or on creation, else the goal of its current run. */
export const titleOf = ({ goal, title, metadata }: Pick<ThreadRow, "goal" | "title" | "metadata">): string =>
  title || (typeof metadata?.title === "string" && metadata.title ? metadata.title : goal);

export type ListItem =
  | { readonly kind: "group"; readonly group: Group; readonly amount: number }
  | { readonly kind: "thread"; readonly row: ThreadRow };

/** Waiting threads first, then by group; within a group the last activity first. */
export function listItems(rows: readonly ThreadRow[]): readonly ListItem[] {
  const groups = Map.groupBy(rows, groupOf);
  return GROUPS.flatMap((group): readonly ListItem[] => {
    const members = groups.get(group);
    if (!members) return [];
    const ordered = members.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
    return [
      { kind: "group", group, amount: members.length },
      ...ordered.map((row): ListItem => ({ kind: "thread", row })),
    ];
  });
}

export const GROUP_PX = 34;
export const ROW_PX = 62;
const heightOf = (item: ListItem): number => (item.kind === "group" ? GROUP_PX : ROW_PX);

export type Window = { readonly first: number; readonly last: number; readonly before: number; readonly after: number };

/** The items within the visible part of the list, and the height of those above and below it. */
export function visibleWindow(items: readonly ListItem[], top: number, height: number): Window {
  let [first, before, position] = [0, 0, 0];
  let last = items.length;
  let after = 0;
  for (const [i, item] of items.entries()) {
    const end = position + heightOf(item);
    if (end < top) [first, before] = [i + 1, end];
    if (position > top + height && i < last) last = i;
    if (i >= last) after += heightOf(item);
    position = end;
  }
  return { first, last, before, after };
}
