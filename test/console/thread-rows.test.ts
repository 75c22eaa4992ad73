// The rows of the thread list: merging, order, and the window of a list with ten thousand threads.
import { describe, expect, test } from "vitest";
import { listItems, mergeRows, type ThreadRow, titleOf, visibleWindow } from "../../src/console/shell/thread-rows.ts";

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

  test("a thread that waits is listed however old it is, and only once", () => {
    const gated = row(1, { state: "confirm", at: "waiting", gate: { kind: "plan" } as ThreadRow["gate"] });
    const page = { threads: [row(9), row(8)], cursor: "more" };
    const numbers = (rows: readonly ThreadRow[]) => rows.map(({ id }) => Number(id.slice(4)));
    expect(numbers(mergeRows([], page, [gated]))).toEqual([9, 8, 1]);
    expect(numbers(mergeRows([gated], page, [gated]))).toEqual([9, 8, 1]);
    // Its gate was answered: it stays, but no longer waits.
    expect(mergeRows([gated], page, []).at(-1)).toMatchObject({ id: gated.id, gate: null });
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

describe("the order of the list", () => {
  test("waiting threads come first, then the last activity", () => {
    const waiting = row(1, { state: "confirm", at: "waiting", gate: { kind: "plan" } as ThreadRow["gate"] });
    const old = row(2, { updated_at: new Date(9_000_000).toISOString() });
    const items = listItems([row(4), row(3), old, waiting]);
    expect(items.map((item) => (item.kind === "group" ? item.group : item.row.id))).toEqual([
      "waiting",
      waiting.id,
      "idle",
      old.id,
      row(4).id,
      row(3).id,
    ]);
  });

  test("the title given on creation stays when the goal changes", () => {
    expect(titleOf({ goal: "second goal", metadata: { title: "First goal" } })).toBe("First goal");
    expect(titleOf({ goal: "goal", metadata: { title: 7 } })).toBe("goal");
    expect(titleOf({ goal: "goal", metadata: null })).toBe("goal");
  });
});

describe("the window of a long list", () => {
  const items = listItems(newestFirst(9999, 0));
  const heightOf = (from: number, to: number): number => (to - from) * 62 + (from === 0 && to > 0 ? 34 - 62 : 0);

  test.each([0, 5000, 300_000, 619_000])("at %i pixels it renders few rows and keeps the height", (top) => {
    const { first, last, before, after } = visibleWindow(items, top, 900);
    expect(last - first).toBeLessThan(25);
    expect(before).toBe(heightOf(0, first));
    expect(before + after + heightOf(first, last)).toBe(heightOf(0, items.length));
    expect(before).toBeLessThanOrEqual(top + 62);
  });
});
