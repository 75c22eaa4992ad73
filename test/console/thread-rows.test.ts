// Tests the rows of the thread list: merging, order, the pages that are read, and the window of a list with ten
// thousand threads.
import { describe, expect, test } from "vitest";
import type { Api } from "../../src/console/client/api.ts";
import {
  findThreads,
  NO_WAITING_ROWS,
  nextPage,
  readWaiting,
  refreshPages,
} from "../../src/console/shell/thread-pages.ts";
import {
  listItems,
  mergeRows,
  type ThreadRow,
  titleOf,
  topsOf,
  visibleWindow,
} from "../../src/console/shell/thread-rows.ts";
import { ok } from "../../src/schema/problem.ts";

const row = (n: number, fields: Partial<ThreadRow> = {}): ThreadRow => ({
  id: `thr_${String(n).padStart(5, "0")}`,
  state: "rest",
  at: null,
  outcome: "completed",
  agent: "default",
  goal: `goal ${n}`,
  gate: null,
  created_at: new Date(n * 1000).toISOString(),
  updated_at: new Date(n * 1000).toISOString(),
  version: 1,
  metadata: null,
  ...fields,
});
const newestFirst = (from: number, to: number): ThreadRow[] =>
  Array.from({ length: from - to + 1 }, (_, i) => row(from - i));

describe("merging the newest page", () => {
  test("keeps older pages, replaces changed rows and drops deleted ones", () => {
    const known = newestFirst(9, 0);
    const page = { threads: [row(10), row(9), row(7, { state: "failed" }), row(6)], cursor: "more" };
    const merged = mergeRows(known, page);
    expect(merged.map(({ id }) => Number(id.slice(4)))).toEqual([10, 9, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(merged[2]?.state).toBe("failed");
  });

  test("a page by activity keeps what changed before its last row, however new it is", () => {
    const changed = row(1, { updated_at: new Date(9_000_000).toISOString() });
    const page = { threads: [changed, row(8)], cursor: "more", order: "activity" } as const;
    const merged = mergeRows([row(9), row(8), row(7), row(1)], page);
    expect(
      merged.map(({ id }) => Number(id.slice(4))),
      "9 was deleted, 1 moved",
    ).toEqual([1, 8, 7]);
  });

  test("a complete list replaces everything", () => {
    expect(mergeRows(newestFirst(9, 0), { threads: [row(3)], cursor: null })).toHaveLength(1);
  });
});

const numbers = (rows: readonly ThreadRow[]): number[] => rows.map(({ id }) => Number(id.slice(4)));
const waitingRow = (n: number, fields: Partial<ThreadRow> = {}): ThreadRow =>
  row(n, { state: "confirm", at: "waiting", gate: { kind: "plan" } as ThreadRow["gate"], ...fields });

describe("the order of the list", () => {
  const shown = (...given: Parameters<typeof listItems>) =>
    listItems(...given).map((item) => (item.kind === "group" ? `${item.group} ${item.amount}` : item.row.id));

  test("waiting threads come first however old they are, then the others by their last activity", () => {
    const failed = row(2, { updated_at: new Date(9_000_000).toISOString(), state: "failed" });
    const waiting = { rows: [waitingRow(1)], more: false };
    expect(shown([row(4), row(3), failed, waitingRow(1)], waiting)).toEqual([
      "waiting 1",
      row(1).id,
      "recent 3",
      failed.id,
      row(4).id,
      row(3).id,
    ]);
  });

  test("a thread whose gate was answered no longer waits, unless not all that wait were read", () => {
    const answered = waitingRow(1);
    const last = (more: boolean) => listItems([answered], { rows: [], more }).at(-1);
    expect(last(false)).toMatchObject({ row: { id: answered.id, gate: null, at: null } });
    expect(last(true)).toMatchObject({ row: { id: answered.id, gate: { kind: "plan" } } });
  });

  test("the title given on creation stays when the goal changes", () => {
    expect(titleOf({ goal: "second goal", metadata: { title: "First goal" } })).toBe("First goal");
    expect(titleOf({ goal: "goal", metadata: { title: 7 } })).toBe("goal");
    expect(titleOf({ goal: "goal", metadata: null })).toBe("goal");
  });
});

/** Returns a server that lists these threads in pages. */
function serve(threads: () => readonly ThreadRow[], pageSize: number) {
  let requests = 0;
  const list: Api["list"] = async ({ cursor, limit = 50, status, q = "" } = {}) => {
    requests += 1;
    const all = threads().toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
    const from = cursor ? all.findIndex(({ updated_at }) => updated_at < cursor) : 0;
    const page = all.slice(from, from + Math.min(limit, pageSize));
    const next = all[from + page.length] ? (page.at(-1)?.updated_at ?? null) : null;
    const matches = page.filter((one) => (status !== "waiting" || one.gate) && one.goal.includes(q));
    return ok({ threads: matches, cursor: next, order: "activity" as const });
  };
  return { api: { list } as Api, requests: () => requests };
}

const ALL = { q: "", status: "", agent: "" } as const;
const NONE = { threads: [], cursor: null };
const unwrapped = <T>(result: { ok: true; value: T } | { ok: false }): T => {
  if (!result.ok) throw new Error("the list was not read");
  return result.value;
};

describe("reading the list", () => {
  test("rows that changed while the list was scrolled down leave no gap, and none is listed twice", async () => {
    let threads = newestFirst(999, 0);
    const { api } = serve(() => threads, 100);
    let pages = unwrapped(await refreshPages(api, ALL, NONE));
    for (let i = 0; i < 3; i++) pages = unwrapped(await nextPage(api, ALL, pages));
    expect(numbers(pages.threads)).toEqual(numbers(newestFirst(999, 600)));
    // The list changes by more than a page: there are new threads, and one moves from below the loaded pages to the
    // top.
    const moved = row(20, { updated_at: new Date(2_000_000).toISOString() });
    threads = [...newestFirst(1249, 0).filter(({ id }) => id !== moved.id), moved];
    pages = unwrapped(await refreshPages(api, ALL, pages));
    expect(numbers(pages.threads)).toEqual([20, ...numbers(newestFirst(1249, 600))]);
    while (pages.cursor) pages = unwrapped(await nextPage(api, ALL, pages));
    expect(numbers(pages.threads)).toEqual([20, ...numbers(newestFirst(1249, 0)).filter((n) => n !== 20)]);
  });

  test("after too many changes the list begins again, and continues without a gap", async () => {
    let threads = newestFirst(999, 0);
    const { api } = serve(() => threads, 100);
    let pages = unwrapped(await refreshPages(api, ALL, NONE));
    threads = newestFirst(2999, 0);
    pages = unwrapped(await refreshPages(api, ALL, pages));
    expect(pages.threads.length).toBeLessThan(1000);
    while (pages.cursor) pages = unwrapped(await nextPage(api, ALL, pages));
    expect(numbers(pages.threads)).toEqual(numbers(threads));
  });

  test("all threads that wait are read, up to a limit that is reported", async () => {
    const { api } = serve(() => newestFirst(499, 0).map((one, i) => (i % 2 ? waitingRow(499 - i) : one)), 200);
    const waiting = unwrapped(await readWaiting(api, ALL));
    expect([waiting.rows.length, waiting.more]).toEqual([250, false]);
    const many = serve(() => newestFirst(2999, 0).map((_, i) => waitingRow(2999 - i)), 200);
    const first = unwrapped(await readWaiting(many.api, ALL));
    expect([first.rows.length, first.more]).toEqual([2000, true]);
  });

  test("the palette finds a thread that is many pages away", async () => {
    const { api } = serve(() => newestFirst(999, 0), 100);
    expect(numbers(unwrapped(await findThreads(api, "goal 7", 8)))).toEqual([799, 798, 797, 796, 795, 794, 793, 792]);
    expect(numbers(unwrapped(await findThreads(api, "goal 77", 50)))).toEqual([...numbers(newestFirst(779, 770)), 77]);
  });
});

describe("the window of a long list", () => {
  const tops = topsOf(listItems(newestFirst(9999, 0), NO_WAITING_ROWS));

  test.each([0, 33, 34, 5000, 300_000, 539_000])("at %i pixels it renders few rows and keeps the height", (top) => {
    const { first, last, before, after } = visibleWindow(tops, top, 900);
    expect(last - first).toBeLessThan(25);
    expect([before, after]).toEqual([tops[first], (tops.at(-1) ?? 0) - (tops[last] ?? 0)]);
    expect(before).toBeLessThanOrEqual(top);
    expect((tops.at(-1) ?? 0) - after).toBeGreaterThanOrEqual(Math.min(top + 900, tops.at(-1) ?? 0));
  });

  test("an empty list has an empty window", () => {
    expect(visibleWindow(topsOf([]), 0, 900)).toEqual({ first: 0, last: 0, before: 0, after: 0 });
  });
});
