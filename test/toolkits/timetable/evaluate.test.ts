// Tests `evaluate` and the two writes that arrange several tasks.
import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/testing/expect.ts";
import { createCalendar, type TaskDraft } from "../../../src/toolkits/timetable/create.ts";
import { imbalance } from "../../../src/toolkits/timetable/queries/measure.ts";
import { sampleSemester } from "../../../src/toolkits/timetable/sample.ts";
import type { Calendar, Position } from "../../../src/toolkits/timetable/schema/calendar.ts";
import { at, calendarAfter, call, changesOf, expectDone, LECTURE, smallCalendar, task } from "./small-calendar.ts";

type Verdict = {
  good_enough: boolean;
  reasons: string[];
  imbalance: number;
  hard_conflicts: { tasks: number[]; day: number; solved_by: { task_id: number; to: Position } | null }[];
  pending: { task_id: number; fits: Position | null }[];
  best_move: { task_id: number; to: Position; imbalance: number } | null;
  rules_broken: { task_id: number; why: string }[];
};
const verdict = (calendar: Calendar, args: unknown = {}) =>
  expectDone(call(calendar, "evaluate", args)).data as Verdict;

const make = (tasks: readonly TaskDraft[], total_days = 5, classes: Calendar["classes"] = []) =>
  succeeded(createCalendar({ total_days, tasks, classes }));
const suggested = (name: string, position: Position, more: Partial<TaskDraft> = {}): TaskDraft => ({
  name,
  status: "suggested",
  slots: [position],
  ...more,
});

describe("evaluate", () => {
  test("an even calendar without conflicts or pending tasks is good enough", () => {
    const calendar = make([1, 2, 3, 4, 5].map((day) => suggested(`Task ${day}`, at(day, 1, 2))));
    expect(verdict(calendar)).toMatchObject({ good_enough: true, imbalance: 0, best_move: null, reasons: [] });
  });

  test("a crowded day is not good enough, and the best single move is reported with its gain", () => {
    const calendar = make([1, 3, 5, 7].map((slot) => suggested(`Task ${slot}`, at(1, slot, slot + 1))));
    const found = verdict(calendar);
    expect(found.good_enough).toBe(false);
    expect(found.best_move?.to.day).not.toBe(1);
    expect(found.best_move?.imbalance).toBeLessThan(found.imbalance);
  });

  test("following the best move terminates, and each step lowers the imbalance", () => {
    let calendar = sampleSemester();
    for (const { task_id } of verdict(calendar).pending) {
      const place = verdict(calendar).pending.find((one) => one.task_id === task_id)?.fits;
      expect(place).not.toBeNull();
      calendar = calendarAfter(calendar, "place", { task_id, day: place?.day, slot_start: place?.slot_start });
    }
    const course: number[] = [];
    for (let steps = 0; steps < 30; steps += 1) {
      const { best_move, imbalance: now } = verdict(calendar);
      course.push(now);
      if (!best_move) break;
      const { task_id, to } = best_move;
      calendar = calendarAfter(calendar, "move", { task_id, new_day: to.day, new_slot_start: to.slot_start });
    }
    expect(verdict(calendar)).toMatchObject({ good_enough: true, best_move: null });
    expect(course).toEqual(course.toSorted((a, b) => b - a));
    expect(new Set(course).size).toBe(course.length);
    expect(course.length).toBeLessThan(20);
  });

  test("a conflict that a move can resolve counts; one between two existing entries is only reported", () => {
    const fact: TaskDraft = { name: "Lecture", slots: [at(1, 1, 2)] };
    const movable = make([fact, suggested("Essay", at(1, 2, 3))]);
    expect(verdict(movable)).toMatchObject({ good_enough: false, hard_conflicts: [{ tasks: [1, 2], day: 1 }] });
    const facts = make([fact, { name: "Meeting", slots: [at(1, 2, 3)] }]);
    expect(verdict(facts)).toMatchObject({ good_enough: true, hard_conflicts: [{ tasks: [1, 2], day: 1 }] });
  });

  test("a conflict names the move that resolves it, and following these moves terminates", () => {
    const essays = [1, 2, 3].map((slot) => suggested(`Essay ${slot}`, at(1, slot, slot + 1)));
    let calendar = make([{ name: "Lecture", slots: [at(1, 1, 4)] }, ...essays], 2);
    for (let left = verdict(calendar).hard_conflicts; left.length > 0; ) {
      const way = left[0]?.solved_by;
      calendar = calendarAfter(calendar, "move", {
        task_id: way?.task_id,
        new_day: way?.to.day,
        new_slot_start: way?.to.slot_start,
      });
      const next = verdict(calendar).hard_conflicts;
      expect(next.length).toBeLessThan(left.length);
      left = next;
    }
    expect(verdict(calendar).reasons).not.toContainEqual(expect.stringContaining("conflict"));
  });

  test("a conflict that no move can resolve is only reported", () => {
    const full = make([{ name: "Lecture", slots: [at(1, 1, 12)] }, suggested("Essay", at(1, 2, 3))], 1);
    expect(verdict(full)).toMatchObject({ good_enough: true, hard_conflicts: [{ tasks: [1, 2], solved_by: null }] });
    expect(expectDone(call(full, "evaluate", {})).text).toContain("not solved by any move");
  });

  test("a pending task counts only if it fits somewhere", () => {
    const full = make(
      [
        { name: "Camp", slots: [at(1, 1, 11)] },
        { name: "Long", duration: 2 },
        { name: "Short", duration: 1 },
      ],
      1,
    );
    expect(verdict(full)).toMatchObject({
      good_enough: false,
      pending: [
        { task_id: 2, fits: null },
        { task_id: 3, fits: at(1, 12) },
      ],
    });
    expect(verdict(calendarAfter(full, "place", { task_id: 3, day: 1, slot_start: 12 })).good_enough).toBe(true);
  });

  test("violated class rules are reported", () => {
    const rules = { id: 1, name: "Calm", strategy: "steady", total_slots: null, allow_embed: true } as const;
    const classes = [{ ...rules, excluded_slots: [12], day_start: 2, day_end: null }];
    const early = suggested("Early", at(1, 1), { task_class: 1 });
    const late = suggested("Late", at(3, 12), { task_class: 1 });
    expect(verdict(make([early, late], 5, classes)).rules_broken).toEqual([
      { task_id: 1, why: "class Calm runs from day 2 to day 5" },
      { task_id: 2, why: "class Calm leaves out slot 12" },
    ]);
  });

  test("an empty weekend does not count as imbalance, a used one does", () => {
    const week = [1, 2, 3, 4, 5].map((day) => suggested(`Task ${day}`, at(day, 1, 2)));
    expect(verdict(make(week, 7)).imbalance).toBe(0);
    expect(verdict(make([...week, suggested("Saturday", at(6, 1, 8))], 7)).imbalance).toBeGreaterThan(0);
  });

  test("considers only the requested days", () => {
    const calendar = make([1, 3, 5, 7].map((slot) => suggested(`Task ${slot}`, at(1, slot, slot + 1))));
    expect(verdict(calendar, { day_start: 2 })).toMatchObject({ imbalance: 0, good_enough: true });
  });
});

describe("spread_even", () => {
  const crowd = () => make([1, 3, 5, 7, 9].map((slot) => suggested(`Task ${slot}`, at(1, slot, slot + 1))));
  const days = [1, 2, 3, 4, 5];

  test("puts one task on each day if there are as many days as tasks", () => {
    const calendar = calendarAfter(crowd(), "spread_even", { task_ids: [1, 2, 3, 4, 5] });
    expect(calendar.tasks.map((one) => one.slots[0]?.day).toSorted()).toEqual(days);
    expect(imbalance(calendar, days)).toBe(0);
  });

  test("uses only the selected days and slots", () => {
    const filters = { day_start: 3, day_end: 4, after_section: 6 };
    const calendar = calendarAfter(crowd(), "spread_even", { task_ids: [1, 2, 3, 4, 5], ...filters });
    const places = calendar.tasks.flatMap((one) => one.slots);
    expect(places.every((one) => one.day >= 3 && one.day <= 4 && one.slot_start > 6)).toBe(true);
  });

  test("respects the rules of the task's class", () => {
    const rules = { id: 1, name: "Late", strategy: "steady", total_slots: null, allow_embed: true } as const;
    const classes = [{ ...rules, excluded_slots: [1, 2, 3, 4], day_start: 4, day_end: 5 }];
    const tasks = [1, 2, 3].map((slot) => suggested(`Task ${slot}`, at(1, slot), { task_class: 1 }));
    const calendar = calendarAfter(make(tasks, 5, classes), "spread_even", { task_ids: [1, 2, 3] });
    expect(calendar.tasks.flatMap((one) => one.slots).every((one) => one.day >= 4 && one.slot_start > 4)).toBe(true);
  });

  test("changes nothing if the load would not become more even", () => {
    const calendar = make(days.map((day) => suggested(`Task ${day}`, at(day, 3, 4))));
    const outcome = expectDone(call(calendar, "spread_even", { task_ids: [1, 2] }));
    expect(outcome.calendar).toBe(calendar);
    expect(outcome.text).toContain("already as even");
  });

  test.each([
    ["a duplicate task", { task_ids: [1, 1] }, "task_ids[1]: task 1 occurs twice"],
    [
      "days without enough room",
      { task_ids: [1, 2, 3, 4, 5], day: 5, section_from: 1, section_to: 4 },
      "finds no place in the chosen days",
    ],
    ["an unknown task", { task_ids: [1, 99] }, "task_ids[1]: there is no task 99"],
  ])("rejects %s and does not change the calendar", (_name, args, text) => {
    const calendar = crowd();
    const before = structuredClone(calendar);
    const outcome = call(calendar, "spread_even", args);
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain(text);
    expect(calendar).toEqual(before);
  });

  test("rejects a fixed task", () => {
    expect(call(smallCalendar(), "spread_even", { task_ids: [4, LECTURE] }).text).toContain(
      "task_ids[1]: [1] Lecture is fixed",
    );
  });
});

describe("min_context_switch", () => {
  const categories = ["Maths", "Physics", "Maths", "Physics", "Maths"];
  const mixed = () =>
    make(
      categories.map((category, index) =>
        suggested(`Task ${index}`, at(1, index * 2 + 1, index * 2 + 2), { category }),
      ),
    );

  test("groups equal categories within the same set of positions", () => {
    const before = mixed();
    const outcome = expectDone(call(before, "min_context_switch", { task_ids: [1, 2, 3, 4, 5] }));
    expect(outcome.text).toContain("Category switches 4 -> 1");
    const inOrder = outcome.calendar.tasks.toSorted(
      (a, b) => (a.slots[0]?.slot_start ?? 0) - (b.slots[0]?.slot_start ?? 0),
    );
    expect(inOrder.map((one) => one.category)).toEqual(["Maths", "Maths", "Maths", "Physics", "Physics"]);
    const places = (calendar: Calendar) =>
      calendar.tasks.flatMap((one) => one.slots.map((slot) => slot.slot_start)).toSorted();
    expect(places(outcome.calendar)).toEqual(places(before));
  });

  test("exchanges only positions of the same length", () => {
    const tasks = [
      suggested("A", at(1, 1, 2), { category: "Maths" }),
      suggested("B", at(1, 3), { category: "Physics" }),
      suggested("C", at(1, 4, 5), { category: "Physics" }),
      suggested("D", at(1, 6), { category: "Maths" }),
    ];
    const calendar = calendarAfter(make(tasks), "min_context_switch", { task_ids: [1, 2, 3, 4] });
    expect(calendar.tasks.map((one) => one.duration)).toEqual([2, 1, 2, 1]);
    expect(task(calendar, 4).slots).toEqual([at(1, 3)]);
    expect(task(calendar, 2).slots).toEqual([at(1, 6)]);
  });

  test("changes nothing if the order is already optimal", () => {
    const calendar = mixed();
    const outcome = expectDone(call(calendar, "min_context_switch", { task_ids: [1, 3, 5] }));
    expect(outcome.calendar).toBe(calendar);
    expect(changesOf(outcome)).toEqual([]);
  });
});
