// Tests creating a calendar: defaults, old formats, scope, and invalid drafts.
import { describe, expect, test } from "vitest";
import { failedWith, succeeded } from "../../../src/testing/expect.ts";
import { type CalendarDraft, createCalendar, type TaskDraft } from "../../../src/toolkits/timetable/create.ts";
import { dateOf, dayMapping, dayNumber, weekdayOf } from "../../../src/toolkits/timetable/dates.ts";
import { sampleSemester } from "../../../src/toolkits/timetable/sample.ts";
import { at } from "./small-calendar.ts";

const make = (tasks: readonly TaskDraft[], more: Partial<CalendarDraft> = {}) =>
  succeeded(createCalendar({ total_days: 7, tasks, ...more }));
const rules = {
  name: "Class",
  strategy: "steady" as const,
  allow_embed: true,
  excluded_slots: [] as number[],
  day_start: null,
  day_end: null,
};

describe("task draft", () => {
  test("with only a name is pending and needs two slots", () => {
    expect(make([{ name: "Essay" }]).tasks).toEqual([
      {
        state_id: 1,
        name: "Essay",
        category: null,
        status: "pending",
        source: "task_item",
        source_id: null,
        event_type: null,
        locked: false,
        can_embed: false,
        embedded_by: null,
        embed_host: null,
        slots: [],
        duration: 2,
        task_class: null,
      },
    ]);
  });

  test("for a course is locked unless it is a host", () => {
    const [fixed, host] = make([
      { name: "Lecture", event_type: "course", slots: [at(1, 1)] },
      { name: "Hall", event_type: "course", can_embed: true, slots: [at(1, 2)] },
    ]).tasks;
    expect([fixed?.locked, host?.locked]).toEqual([true, false]);
  });

  test("of a class gets an equal share of its slots, at least one", () => {
    const two = [
      { name: "A", task_class: 1 },
      { name: "B", task_class: 1 },
    ];
    const durations = (total_slots: number | null) =>
      make(two, { classes: [{ ...rules, id: 1, total_slots }] }).tasks.map((one) => one.duration);
    expect(durations(7)).toEqual([3, 3]);
    expect(durations(1)).toEqual([1, 1]);
    expect(durations(null)).toEqual([2, 2]);
  });

  test.each<[string, TaskDraft, string]>([
    ["pending with slots", { name: "A", status: "pending", slots: [at(1, 1)] }, "suggested"],
    [
      "existing from a task list",
      { name: "A", status: "existing", source: "task_item", slots: [at(1, 1)] },
      "suggested",
    ],
    ["existing from a calendar", { name: "A", status: "existing", source: "event", slots: [at(1, 1)] }, "existing"],
    ["suggested without slots", { name: "A", status: "suggested" }, "pending"],
  ])("%s gets the correct status", (_name, draft, status) => {
    expect(make([draft]).tasks[0]?.status).toBe(status);
  });

  test("names are a single line without direction overrides, truncated between characters", () => {
    const names = make([
      { name: "Read\n[99] Fake (existing)\t\u202Etxt\u2028x" },
      { name: `${"a".repeat(199)}📏` },
      { name: " \n " },
    ]).tasks.map((one) => one.name);
    expect(names).toEqual(["Read [99] Fake (existing) txt x", "a".repeat(199), "untitled"]);
  });

  test("without an id gets the next free one", () => {
    expect(make([{ name: "A" }, { name: "B", state_id: 5 }, { name: "C" }]).tasks.map((one) => one.state_id)).toEqual([
      6, 5, 7,
    ]);
  });
});

describe("scope", () => {
  test("drops pending tasks of other classes and keeps scheduled ones", () => {
    const classes = [1, 2].map((id) => ({ ...rules, id, total_slots: null }));
    const tasks: TaskDraft[] = [
      { name: "In", task_class: 1 },
      { name: "Out", task_class: 2 },
      { name: "Placed", task_class: 2, status: "suggested", slots: [at(1, 1)] },
    ];
    expect(make(tasks, { classes, scope: [1] }).tasks.map((one) => one.name)).toEqual(["In", "Placed"]);
  });
});

describe("rejected as calendar_invalid", () => {
  const placed = (position = at(1, 1), more: Partial<TaskDraft> = {}): TaskDraft => ({
    name: "A",
    slots: [position],
    ...more,
  });
  test.each<[string, TaskDraft[], string]>([
    ["a task after the last day", [placed(at(8, 1))], "lies after the last day"],
    ["slot 13", [placed(at(1, 12, 13))], "slot_end"],
    ["a position that ends before it starts", [placed(at(1, 3, 2))], "slot_end lies before slot_start"],
    ["a duplicate id", [placed(at(1, 1), { state_id: 3 }), placed(at(1, 2), { state_id: 3 })], "state_id occurs twice"],
    ["an unknown class", [placed(at(1, 1), { task_class: 9 })], "unknown task_class"],
    [
      "a guest outside its host",
      [placed(at(1, 1), { state_id: 1, can_embed: true }), placed(at(2, 1), { embed_host: 1 })],
      "does not lie inside its host",
    ],
    [
      "a guest of a task that is not a host",
      [placed(at(1, 1), { state_id: 1 }), placed(at(1, 1), { embed_host: 1 })],
      "is no host",
    ],
    [
      "two guests of one host",
      [
        placed(at(1, 1, 2), { state_id: 1, can_embed: true }),
        placed(at(1, 1), { embed_host: 1 }),
        placed(at(1, 2), { embed_host: 1 }),
      ],
      "another task lies in the same position of its host",
    ],
  ])("%s", (_name, tasks, text) => {
    const found = failedWith(createCalendar({ total_days: 7, tasks }), "calendar_invalid");
    expect(found.message).toContain(text);
  });
});

describe("days", () => {
  test.each([
    ["1970-01-01", 0, 4],
    ["2000-02-29", 11_016, 2],
    ["2026-09-07", 20_703, 1],
    ["2100-03-01", 47_541, 1],
    ["0987-06-11", -358_872, 1],
    ["10000-01-01", 2_932_897, 6],
  ])("%s is day number %i and weekday %i", (date, number, weekday) => {
    expect([dayNumber(date), weekdayOf(number), dateOf(number)]).toEqual([number, weekday, date]);
  });

  test("weeks begin on Monday, so a calendar that starts on Thursday has a short first week", () => {
    const calendar = make([], { starts_on: "2026-09-10" });
    expect(calendar.days).toEqual(dayMapping(7, 4));
    expect(calendar.days.map((one) => [one.week, one.weekday])).toEqual([
      [1, 4],
      [1, 5],
      [1, 6],
      [1, 7],
      [2, 1],
      [2, 2],
      [2, 3],
    ]);
  });
});

describe("sample semester", () => {
  test("is deterministic", () => {
    expect(sampleSemester()).toEqual(sampleSemester());
  });

  test("has five weeks, fixed courses, two hosts, every status, and a task named error analysis", () => {
    const { tasks, total_days } = sampleSemester();
    expect(total_days).toBe(35);
    expect(tasks.filter((one) => one.locked).length).toBeGreaterThanOrEqual(3);
    expect(tasks.filter((one) => one.can_embed).length).toBe(2);
    expect(new Set(tasks.map((one) => one.status))).toEqual(new Set(["existing", "suggested", "pending"]));
    expect(tasks.some((one) => one.name === "error analysis" && one.status === "suggested")).toBe(true);
  });
});
