// Tests the text and data that the read tools return.
import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/testing/expect.ts";
import { createCalendar } from "../../../src/toolkits/timetable/create.ts";
import { at, call, ESSAY, expectDone, HOST, PENDING, REPORT, smallCalendar } from "./small-calendar.ts";

const calendar = smallCalendar();
const textOf = (name: string, args: unknown = {}) => expectDone(call(calendar, name, args)).text;

describe("every read tool", () => {
  test.each([
    ["get_overview", {}],
    ["query_range", { day: 1 }],
    ["find_first_free", { duration: 2 }],
    ["query_available_slots", {}],
    ["list_tasks", {}],
    ["get_task_info", { task_id: ESSAY }],
    ["evaluate", {}],
  ])("%s returns the same calendar object", (name, args) => {
    const outcome = expectDone(call(calendar, name, args));
    expect(outcome.calendar).toBe(calendar);
    expect(JSON.parse(JSON.stringify(outcome.data))).toEqual(outcome.data);
  });
});

describe("get_overview", () => {
  test("counts slots, courses and tasks, and does not list courses", () => {
    const text = textOf("get_overview");
    expect(text).toContain("14 days of 12 slots: 168 slots, 15 in use, 153 free.");
    expect(text).toContain("2 courses; tasks: 1 existing, 3 suggested, 3 pending.");
    expect(text).not.toContain("Lecture");
  });

  test("shows load and tasks of every day", () => {
    const text = textOf("get_overview");
    expect(text).toContain(
      "- Day 1 (week 1, Mon): 6/12 slots in use (courses 2/12, tasks 4/12); tasks: [4] Essay (suggested, slots 3-4); [5] error analysis (suggested, slots 5-6)",
    );
    expect(text).toContain("- Day 14 (week 2, Sun): 0/12 slots in use (courses 0/12, tasks 0/12); tasks: none");
    expect(text.match(/^- Day /gm)).toHaveLength(14);
  });

  test("shows the needs of a pending task and the rules of its class", () => {
    const text = textOf("get_overview");
    expect(text).toContain("- [9] Mock exam (pending, Maths, class 1): needs 2 slots");
    expect(text).toContain(
      "- class 1 Exams: rapid (as early as possible); never inside a host; not in slots 12; days 3 to 10",
    );
  });
});

describe("query_range", () => {
  test("shows each entry of a day once, with free ranges and hosts", () => {
    expect(textOf("query_range", { day: 2 })).toBe(
      [
        "Day 2 (week 1, Tue): 5/12 slots in use (courses 4/12, tasks 1/12).",
        "- [6] Vocabulary, slot 1 (suggested)",
        "- [2] Study hall, slots 3-6 (existing, embeddable, free to share)",
        "Free: slot 2 (1), slots 7-12 (6).",
        "1 embeddable host, 1 with room: [2] slots 3-6.",
      ].join("\n"),
    );
  });

  test("shows a range slot by slot with its totals", () => {
    expect(textOf("query_range", { day: 1, slot_start: 2, slot_end: 4 })).toBe(
      [
        "Day 1 (week 1, Mon), slots 2-4: 0 free, 3 in use.",
        "- slot 2: [1] Lecture, slots 1-2 (existing, fixed)",
        "- slot 3: [4] Essay, slots 3-4 (suggested)",
        "- slot 4: [4] Essay, slots 3-4 (suggested)",
      ].join("\n"),
    );
  });

  test("shows the whole day if only one bound is given", () => {
    expect(textOf("query_range", { day: 1, slot_start: 5 })).toBe(textOf("query_range", { day: 1 }));
  });

  test("rejects bounds in the wrong order", () => {
    expect(call(calendar, "query_range", { day: 1, slot_start: 4, slot_end: 2 })).toEqual({
      ok: false,
      text: "slot_start: lies after slot_end.",
    });
  });
});

describe("find_first_free", () => {
  test("returns the first slots of the earliest free range", () => {
    expect(call(calendar, "find_first_free", { duration: 6 })).toMatchObject({
      ok: true,
      data: { found: true, host: null, position: at(1, 7, 12) },
    });
  });

  test("prefers a free range on a later day to a host on an earlier one", () => {
    expect(call(calendar, "find_first_free", { duration: 7 })).toMatchObject({
      data: { position: at(3, 3, 9), host: null },
    });
  });

  test("reports the longest free ranges if nothing fits", () => {
    const text = textOf("find_first_free", { duration: 12, day: 1 });
    expect(text).toContain("No place for 12 slots in a row, neither free nor inside a host.");
    expect(text).toContain("- day 1 (week 1, Mon): 6 slots");
  });

  test("lists at most ten days", () => {
    const tasks = [{ name: "Lunch", slots: Array.from({ length: 20 }, (_, day) => at(day + 1, 6)) }];
    const long = succeeded(createCalendar({ total_days: 20, tasks }));
    const text = expectDone(call(long, "find_first_free", { duration: 12 })).text;
    expect(text).toContain("Longest free run of the first 10 days:");
    expect(text.match(/^- day /gm)).toHaveLength(10);
  });
});

describe("query_available_slots", () => {
  const slots = (args: unknown) =>
    expectDone(call(calendar, "query_available_slots", args)).data.slots as Record<string, unknown>[];

  test("lists free positions before hosts, with the load of the day", () => {
    const found = slots({ duration: 2, day: 2, limit: 60 });
    expect(found.map((one) => [one.slot_start, one.kind, one.load_before, one.load_after])).toEqual([
      [7, "free", 5, 7],
      [9, "free", 5, 7],
      [11, "free", 5, 7],
      [3, "embeddable", 5, 5],
      [5, "embeddable", 5, 5],
    ]);
  });

  test("returns twelve candidates of two slots by default", () => {
    const found = slots({});
    expect(found).toHaveLength(12);
    expect(found[0]).toMatchObject(at(1, 7, 8));
  });

  test("can sort by the load of the day", () => {
    const days = slots({ order: "lightest", day_scope: "workday", week: 1 }).map((one) => one.day);
    expect(days.slice(0, 6)).toEqual([4, 4, 4, 4, 4, 4]);
  });

  test.each([
    ["day_scope weekend", { day_scope: "weekend" }, [6, 7, 13, 14]],
    ["day_of_week", { day_of_week: [3] }, [3, 10]],
    ["week", { week: 2, day_scope: "workday" }, [8, 9, 10, 11, 12]],
    ["week_from and week_to", { week_from: 2, week_to: 2, day_scope: "weekend" }, [13, 14]],
    ["week_filter", { week_filter: [1], day_of_week: [1, 2] }, [1, 2]],
    ["day_start and day_end", { day_start: 4, day_end: 5 }, [4, 5]],
  ])("filters by %s", (_name, filter, days) => {
    const found = slots({ ...filter, limit: 60 }).map((one) => one.day);
    expect([...new Set(found)]).toEqual(days);
  });

  test.each([
    ["exclude_slots", { exclude_slots: [3, 4] }, [1, 5, 7, 9, 11]],
    ["after_slot", { after_slot: 8 }, [9, 11]],
    ["before_slot", { before_slot: 5 }, [1, 3]],
    ["slot_start and slot_end", { slot_start: 2, slot_end: 5 }, [2, 4]],
    ["their former names", { section_from: 2, section_to: 5, exclude_sections: [4] }, [2]],
  ])("filters slots by %s", (_name, filter, starts) => {
    expect(slots({ ...filter, day: 5 }).map((one) => one.slot_start)).toEqual(starts);
  });

  test("omits hosts if allow_embed is false", () => {
    expect(slots({ day: 2, slot_start: 3, slot_end: 6, allow_embed: false })).toEqual([]);
  });

  test.each([
    ["day with day_start", { day: 1, day_start: 2 }, "day: give either day"],
    ["one slot bound", { slot_start: 2 }, "slot_start and slot_end go together"],
    ["a range that ends before it starts", { day_start: 5, day_end: 2 }, "day_start: lies after day_end."],
    ["an unknown week", { week: 9 }, "No day of this calendar passes"],
  ])("rejects %s", (_name, args, text) => {
    const outcome = call(calendar, "query_available_slots", args);
    expect(outcome.ok).toBe(false);
    expect(outcome.text).toContain(text);
  });
});

describe("list_tasks", () => {
  test("groups by status and sorts by id", () => {
    const ids = (expectDone(call(calendar, "list_tasks", {})).data.tasks as { state_id: number }[]).map(
      (one) => one.state_id,
    );
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(textOf("list_tasks", { status: " Suggested " })).toBe(
      [
        "Suggested (3):",
        "- [4] Essay (Languages): day 1 (week 1, Mon) slots 3-4",
        "- [5] error analysis (Physics): day 1 (week 1, Mon) slots 5-6",
        "- [6] Vocabulary (Languages): day 2 (week 1, Tue) slot 1",
      ].join("\n"),
    );
  });

  test("a task named error analysis is not an error", () => {
    const outcome = call(calendar, "list_tasks", { category: "Physics" });
    expect(outcome).toMatchObject({ ok: true, data: { tasks: [{ state_id: REPORT, name: "error analysis" }] } });
  });

  test("explains an empty result", () => {
    expect(textOf("list_tasks", { category: "1,2" })).toBe(
      'No task has the category "1,2". category takes a name, not numbers. Categories: Languages, Maths, Physics.',
    );
  });

  test.each([
    ["pending,existing", "status: takes one value; use all to see every status."],
    ["done", "status: must be all, existing, suggested or pending."],
  ])("rejects the status %s", (status, text) => {
    expect(call(calendar, "list_tasks", { status })).toEqual({ ok: false, text });
  });
});

describe("get_task_info", () => {
  test("shows all details of a task", () => {
    expect(textOf("get_task_info", { task_id: HOST })).toBe(
      [
        "[2] Study hall",
        "Category: none",
        "Status: existing",
        "Source: a course of the timetable",
        "Embeddable: yes, may hold one task",
        "Where: day 2 (week 1, Tue) slots 3-6",
        "Length: 4 slots",
      ].join("\n"),
    );
  });

  test("does not reveal the source id", () => {
    const hidden = succeeded(createCalendar({ total_days: 1, tasks: [{ name: "A", source_id: "secret-77" }] }));
    expect(JSON.stringify(expectDone(call(hidden, "get_task_info", { task_id: 1 })).data)).not.toContain("secret-77");
  });

  test("rejects an unknown id", () => {
    expect(call(calendar, "get_task_info", { task_id: PENDING * 100 }).ok).toBe(false);
  });
});
