// Tests the write tools: place, move, batch_move, swap, unplace and undo. A refusal leaves the calendar unchanged.
import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/testing/expect.ts";
import { createCalendar } from "../../../src/toolkits/timetable/create.ts";
import type { Calendar } from "../../../src/toolkits/timetable/schema/calendar.ts";
import {
  at,
  calendarAfter,
  call,
  changesOf,
  ESSAY,
  expectDone,
  LECTURE,
  PENDING,
  REPORT,
  SHORT,
  smallCalendar,
  task,
} from "./small-calendar.ts";

/** Expects a refusal that contains these strings and an unchanged calendar. */
function expectRefusal(calendar: Calendar, name: string, args: unknown, ...texts: string[]): void {
  const before = structuredClone(calendar);
  const outcome = call(calendar, name, args);
  expect(outcome.ok).toBe(false);
  for (const text of texts) expect(outcome.text).toContain(text);
  expect(calendar).toEqual(before);
}

describe("place", () => {
  test("makes a pending task suggested and reports the remaining ones", () => {
    const outcome = expectDone(call(smallCalendar(), "place", { task_id: PENDING, day: 4, slot_start: 5 }));
    expect(task(outcome.calendar, PENDING)).toMatchObject({ status: "suggested", slots: [at(4, 5, 6)] });
    expect(outcome.text).toBe(
      [
        "Placed [7] Worksheet on day 4 (week 1, Thu) slots 5-6. 2 pending tasks left.",
        "Day 4 (week 1, Thu): 2/12 slots in use (courses 0/12, tasks 2/12).",
        "- [7] Worksheet, slots 5-6 (suggested)",
        "Free: slots 1-4 (4), slots 7-12 (6).",
      ].join("\n"),
    );
  });

  test("names the conflicting task, whether it is fixed, and shows the day", () => {
    expectRefusal(
      smallCalendar(),
      "place",
      { task_id: PENDING, day: 1, slot_start: 2 },
      "[7] Worksheet cannot go there: day 1 (week 1, Mon) slots 2-3 is taken: [1] Lecture (fixed) has slots 1-2; [4] Essay has slots 3-4.",
      "Nothing was changed.",
      "Free: slots 7-12 (6).",
    );
  });

  test.each([
    [{ task_id: PENDING, day: 15, slot_start: 1 }, "day: day 15 is outside this calendar"],
    [
      { task_id: PENDING, day: 1, slot_start: 12 },
      "slot_start: [7] Worksheet needs 2 slots; from slot 12 it would end at slot 13",
    ],
  ])("rejects %j", (args, text) => {
    expectRefusal(smallCalendar(), "place", args, text);
  });
});

describe("move", () => {
  test("keeps the length and reports the old and new position", () => {
    const outcome = expectDone(call(smallCalendar(), "move", { task_id: ESSAY, new_day: 5, new_slot_start: 11 }));
    expect(task(outcome.calendar, ESSAY).slots).toEqual([at(5, 11, 12)]);
    expect(outcome.text).toContain(
      "Moved [4] Essay from day 1 (week 1, Mon) slots 3-4 (10:00-12:00) to day 5 (week 1, Fri) slots 11-12 (18:00-20:00).",
    );
    expect(outcome.text).toContain("Day 1 (week 1, Mon): 4/12");
    expect(outcome.text).toContain("Day 5 (week 1, Fri): 2/12");
  });

  test("a task does not conflict with itself", () => {
    const calendar = calendarAfter(smallCalendar(), "move", { task_id: REPORT, new_day: 1, new_slot_start: 6 });
    expect(task(calendar, REPORT).slots).toEqual([at(1, 6, 7)]);
  });

  test("to the current position changes nothing and reports it", () => {
    const calendar = smallCalendar();
    const outcome = expectDone(call(calendar, "move", { task_id: ESSAY, new_day: 1, new_slot_start: 3 }));
    expect(outcome.calendar).toBe(calendar);
    expect(outcome.text).toContain("already lies on day 1 (week 1, Mon) slots 3-4. Nothing was changed.");
  });

  test("a task with several positions gets one position of the same length", () => {
    const tasks = [{ name: "Split", status: "suggested", slots: [at(1, 1), at(2, 1, 2)] } as const];
    const calendar = succeeded(createCalendar({ total_days: 3, tasks }));
    expect(task(calendarAfter(calendar, "move", { task_id: 1, new_day: 3, new_slot_start: 4 }), 1).slots).toEqual([
      at(3, 4, 6),
    ]);
  });
});

describe("batch_move", () => {
  const exchange = [
    { task_id: ESSAY, new_day: 1, new_slot_start: 5 },
    { task_id: REPORT, new_day: 1, new_slot_start: 3 },
  ];

  test.each([
    ["in order", exchange],
    ["in reverse order", exchange.toReversed()],
  ])("two tasks exchange positions, %s", (_order, moves) => {
    const calendar = calendarAfter(smallCalendar(), "batch_move", { moves });
    expect(task(calendar, ESSAY).slots).toEqual([at(1, 5, 6)]);
    expect(task(calendar, REPORT).slots).toEqual([at(1, 3, 4)]);
  });

  test("three tasks of different length rotate", () => {
    const calendar = calendarAfter(smallCalendar(), "batch_move", {
      moves: [
        { task_id: ESSAY, new_day: 1, new_slot_start: 4 },
        { task_id: REPORT, new_day: 1, new_slot_start: 6 },
        { task_id: SHORT, new_day: 1, new_slot_start: 3 },
      ],
    });
    expect([ESSAY, REPORT, SHORT].map((id) => task(calendar, id).slots)).toEqual([
      [at(1, 4, 5)],
      [at(1, 6, 7)],
      [at(1, 3)],
    ]);
  });

  test("rejects a duplicate task and names the item", () => {
    const moves = [...exchange, { task_id: ESSAY, new_day: 9, new_slot_start: 1 }];
    expectRefusal(smallCalendar(), "batch_move", { moves }, "moves[2].task_id: task 4 occurs twice.");
  });

  test("rejects two tasks that move to the same slots", () => {
    const moves = [ESSAY, REPORT].map((task_id) => ({ task_id, new_day: 9, new_slot_start: 1 }));
    expectRefusal(smallCalendar(), "batch_move", { moves }, "[5] error analysis cannot go there");
  });

  test("one invalid move rejects the batch, and every invalid move is reported", () => {
    const moves = [
      { task_id: ESSAY, new_day: 9, new_slot_start: 1 },
      { task_id: LECTURE, new_day: 9, new_slot_start: 3 },
      { task_id: REPORT, new_day: 77, new_slot_start: 1 },
    ];
    expectRefusal(
      smallCalendar(),
      "batch_move",
      { moves },
      "moves[1].task_id: [1] Lecture is fixed",
      "moves[2].new_day: day 77",
    );
  });

  test("rejects a batch that is too long to review", () => {
    const moves = Array.from({ length: 9 }, (_, index) => ({ task_id: ESSAY, new_day: index + 1, new_slot_start: 1 }));
    expectRefusal(smallCalendar(), "batch_move", { moves }, "moves: must have at most 8 moves");
  });
});

describe("swap", () => {
  test("exchanges two positions", () => {
    const outcome = call(smallCalendar(), "swap", { task_a: ESSAY, task_b: REPORT });
    expect(changesOf(outcome)).toEqual([
      { task_id: ESSAY, name: "Essay", from: [at(1, 3, 4)], to: [at(1, 5, 6)] },
      { task_id: REPORT, name: "error analysis", from: [at(1, 5, 6)], to: [at(1, 3, 4)] },
    ]);
  });

  test.each([
    ["the same task", { task_a: ESSAY, task_b: ESSAY }, "task_b: is the same task as task_a."],
    ["different lengths", { task_a: ESSAY, task_b: SHORT }, "[4] Essay has 2 slots and [6] Vocabulary has 1 slot"],
    ["a pending task", { task_a: ESSAY, task_b: PENDING }, "task_b: [7] Worksheet is pending"],
  ])("rejects %s", (_name, args, text) => {
    expectRefusal(smallCalendar(), "swap", args, text);
  });
});

describe("undo_last_change", () => {
  test.each([
    ["place", { task_id: PENDING, day: 2, slot_start: 3 }],
    ["move", { task_id: ESSAY, new_day: 2, new_slot_start: 3 }],
    ["swap", { task_a: ESSAY, task_b: REPORT }],
    ["unplace", { task_id: ESSAY }],
    ["spread_even", { task_ids: [ESSAY, REPORT, SHORT] }],
  ])("restores everything after %s, including links", (name, args) => {
    const before = smallCalendar();
    const undone = calendarAfter(calendarAfter(before, name, args), "undo_last_change", {});
    expect(undone).toEqual(before);
  });

  test("works once", () => {
    const undone = calendarAfter(calendarAfter(smallCalendar(), "unplace", { task_id: ESSAY }), "undo_last_change", {});
    expectRefusal(undone, "undo_last_change", {}, "There is no change to undo.");
  });

  test("reverts only the last change and ignores refusals", () => {
    const first = calendarAfter(smallCalendar(), "move", { task_id: ESSAY, new_day: 4, new_slot_start: 1 });
    const second = calendarAfter(first, "move", { task_id: REPORT, new_day: 5, new_slot_start: 1 });
    expect(call(second, "move", { task_id: LECTURE, new_day: 5, new_slot_start: 1 }).ok).toBe(false);
    const undone = calendarAfter(second, "undo_last_change", {});
    expect(task(undone, REPORT).slots).toEqual([at(1, 5, 6)]);
    expect(task(undone, ESSAY).slots).toEqual([at(4, 1, 2)]);
  });
});
