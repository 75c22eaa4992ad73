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
const slotsOf = (shown: { tasks: typeof calendar.tasks }, id: number) =>
  shown.tasks.find((task) => task.state_id === id)?.slots;

const first = change(13, [at(1, 9, 10)], [at(4, 9, 10)]);
const second = change(13, [at(4, 9, 10)], [at(5, 3, 4)]);

describe("calendar before and after a change", () => {
  test("a proposed change moves its tasks and no others", () => {
    const after = applyChanges(calendar, [first]);
    expect(slotsOf(after, 13)).toEqual([at(4, 9, 10)]);
    expect(after.tasks.filter((task) => task.state_id !== 13)).toEqual(
      calendar.tasks.filter((task) => task.state_id !== 13),
    );
  });

  test("a scheduled task is no longer pending, and an unscheduled one is pending again", () => {
    const scheduled = applyChanges(calendar, [change(23, [], [at(4, 9, 10)])]);
    expect(scheduled.tasks.find((task) => task.state_id === 23)).toMatchObject({ status: "suggested" });
    const unscheduled = applyChanges(calendar, [change(13, [at(1, 9, 10)], [])]);
    expect(unscheduled.tasks.find((task) => task.state_id === 13)).toMatchObject({ status: "pending", slots: [] });
  });

  test("an earlier effect is shown without the changes that came later", () => {
    const effects = [
      { effect_id: "one", tool: "move", changes: [first] },
      { effect_id: "two", tool: "move", changes: [second] },
    ];
    const view: CalendarView = { calendar: applyChanges(calendar, [second]), effects, proposed: null };
    const { before, after } = calendarBeforeAndAfter(view, "one");
    expect(slotsOf(before, 13)).toEqual([at(1, 9, 10)]);
    expect(slotsOf(after, 13)).toEqual([at(4, 9, 10)]);
    expect(slotsOf(calendarBeforeAndAfter(view, "two").after, 13)).toEqual([at(5, 3, 4)]);
  });

  test("the affected days are listed in order, without duplicates", () => {
    expect(affectedDays([second, first])).toEqual([1, 4, 5]);
  });
});

describe("day labels", () => {
  test("show weekday and date, or the day number if the calendar has no dates", () => {
    expect(dayLabel(calendar, 4)).toEqual({ name: "Thu", date: "Sep 10" });
    expect(dayLabel({ ...calendar, starts_on: null }, 4)).toEqual({ name: "Thu", date: "day 4" });
    expect(positionsLabel(calendar, [at(1, 3, 3)])).toBe("Mon Sep 7, slot 3");
    expect(positionsLabel(calendar, [])).toBe("not scheduled");
  });

  test("an embedded task comes after its host, so that it is rendered on top", () => {
    const names = tasksOnDay(calendar, 10).map(({ task }) => task.name);
    expect(names.indexOf("Read chapter 4")).toBeGreaterThan(names.indexOf("Study Hall"));
  });
});
