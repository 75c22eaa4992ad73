import { describe, expect, test } from "vitest";
import { affectedDays, applyChanges, calendarBeforeAndAfter } from "../../src/console/timetable/changes.ts";
import { dayLabel, positionsLabel, tasksOnDay } from "../../src/console/timetable/days.ts";
import { sampleSemester } from "../../src/toolkits/timetable/sample.ts";
import type { Position, TaskChange } from "../../src/toolkits/timetable/schema/calendar.ts";
import type { CalendarView } from "../../src/toolkits/timetable/schema/calendar-view.ts";

const calendar = sampleSemester();
const at = (day: number, slot_start: number, slot_end: number): Position => ({ day, slot_start, slot_end });
const change = (task_id: number, from: Position[], to: Position[]): TaskChange => ({
  task_id,
  name: "a task",
  from,
  to,
});
const placeOf = (shown: { tasks: typeof calendar.tasks }, id: number) =>
  shown.tasks.find((task) => task.state_id === id)?.slots;

const first = change(13, [at(1, 9, 10)], [at(4, 9, 10)]);
const second = change(13, [at(4, 9, 10)], [at(5, 3, 4)]);

describe("before and after", () => {
  test("a proposed change puts its tasks where they would be, and nothing else elsewhere", () => {
    const after = applyChanges(calendar, [first]);
    expect(placeOf(after, 13)).toEqual([at(4, 9, 10)]);
    expect(after.tasks.filter((task) => task.state_id !== 13)).toEqual(
      calendar.tasks.filter((task) => task.state_id !== 13),
    );
  });

  test("a task that gets a place is pending no more, and one that loses it is pending again", () => {
    const placed = applyChanges(calendar, [change(23, [], [at(4, 9, 10)])]);
    expect(placed.tasks.find((task) => task.state_id === 23)).toMatchObject({ status: "suggested" });
    const taken = applyChanges(calendar, [change(13, [at(1, 9, 10)], [])]);
    expect(taken.tasks.find((task) => task.state_id === 13)).toMatchObject({ status: "pending", slots: [] });
  });

  test("an earlier effect is shown as it was then, whatever happened later", () => {
    const effects = [
      { effect_id: "one", tool: "move", changes: [first] },
      { effect_id: "two", tool: "move", changes: [second] },
    ];
    const view: CalendarView = { calendar: applyChanges(calendar, [second]), effects, proposed: null };
    const { before, after } = calendarBeforeAndAfter(view, "one");
    expect(placeOf(before, 13)).toEqual([at(1, 9, 10)]);
    expect(placeOf(after, 13)).toEqual([at(4, 9, 10)]);
    expect(placeOf(calendarBeforeAndAfter(view, "two").after, 13)).toEqual([at(5, 3, 4)]);
  });

  test("the days are those that are left or reached, in order and once", () => {
    expect(affectedDays([second, first])).toEqual([1, 4, 5]);
  });
});

describe("days in words", () => {
  test("have a weekday and a date, or a number where the calendar has no dates", () => {
    expect(dayLabel(calendar, 4)).toEqual({ name: "Thu", date: "Sep 10" });
    expect(dayLabel({ ...calendar, starts_on: null }, 4)).toEqual({ name: "Thu", date: "day 4" });
    expect(positionsLabel(calendar, [at(1, 3, 3)])).toBe("Mon Sep 7, slot 3");
    expect(positionsLabel(calendar, [])).toBe("no place yet");
  });

  test("a guest comes after its host, so that it is drawn on top", () => {
    const names = tasksOnDay(calendar, 10).map(({ task }) => task.name);
    expect(names.indexOf("Read chapter 4")).toBeGreaterThan(names.indexOf("Study Hall"));
  });
});
