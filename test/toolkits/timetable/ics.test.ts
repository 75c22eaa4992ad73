// Tests iCalendar import and export: events become slots, an export can be imported again, and hostile files are
// limited.
import { describe, expect, test } from "vitest";
import { failedWith, succeeded } from "../../../src/testing/expect.ts";
import { exportIcs } from "../../../src/toolkits/timetable/ics/ics-export.ts";
import { type IcsOptions, importIcs } from "../../../src/toolkits/timetable/ics/ics-import.ts";
import { sampleSemester } from "../../../src/toolkits/timetable/sample.ts";
import type { Calendar } from "../../../src/toolkits/timetable/schema/calendar.ts";
import { instantIn, isTimeZone, localTimeIn } from "../../../src/tools/time-zone.ts";
import { at, calendarAfter, smallCalendar, task } from "./small-calendar.ts";

const MONDAY = "2026-09-07";

function file(...entries: string[][]): string {
  const body = entries.flatMap(([kind = "VEVENT", ...lines]) => [`BEGIN:${kind}`, ...lines, `END:${kind}`]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...body, "END:VCALENDAR", ""].join("\r\n");
}

const event = (name: string, ...lines: string[]) => ["VEVENT", `UID:${name}@test`, `SUMMARY:${name}`, ...lines];
const read = (text: string, options: Partial<IcsOptions> = {}) =>
  succeeded(importIcs(text, { starts_on: MONDAY, total_days: 14, ...options }));
const slotsOf = (text: string, options: Partial<IcsOptions> = {}) => read(text, options).calendar.tasks[0]?.slots;
const reasons = (text: string) => read(text).skipped.map((one) => one.reason);

describe("event import", () => {
  test("an event becomes an existing entry on the slots it overlaps", () => {
    const { calendar, imported, skipped } = read(
      file(event("Review", "CATEGORIES:Work", "DTSTART:20260908T093000", "DTEND:20260908T110000")),
    );
    expect({ imported, skipped }).toEqual({ imported: 1, skipped: [] });
    expect(calendar.starts_on).toBe(MONDAY);
    expect(calendar.tasks[0]).toMatchObject({
      name: "Review",
      category: "Work",
      status: "existing",
      source: "event",
      source_id: "Review@test",
      event_type: "task",
      slots: [at(2, 2, 3)],
    });
  });

  test.each([
    ["a local time unchanged", "DTSTART:20260907T080000", "Europe/Berlin"],
    ["a UTC time in the given zone", "DTSTART:20260907T060000Z", "Europe/Berlin"],
    ["a time in a named zone", "DTSTART;TZID=Asia/Shanghai:20260907T140000", "Europe/Berlin"],
    ["a time in an unknown zone unchanged", "DTSTART;TZID=Nowhere/Land:20260907T080000", "Europe/Berlin"],
  ])("imports %s", (_name, start, time_zone) => {
    expect(slotsOf(file(event("A", start, "DURATION:PT1H")), { time_zone })).toEqual([at(1, 1)]);
  });

  test("uses a zone that the file defines under a custom name", () => {
    const zone = [
      "VTIMEZONE",
      "TZID:Office Time",
      "BEGIN:STANDARD",
      "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0800",
      "TZOFFSETTO:+0800",
      "END:STANDARD",
    ];
    const text = file(zone, event("A", "DTSTART;TZID=Office Time:20260907T170000", "DURATION:PT1H"));
    expect(slotsOf(text, { time_zone: "UTC" })).toEqual([at(1, 2)]);
  });

  test("a recurring event is a course with a position per occurrence", () => {
    const text = file(
      event(
        "Lecture",
        "DTSTART:20260901T080000",
        "DURATION:PT2H",
        "RRULE:FREQ=WEEKLY;BYDAY=TU,TH",
        "EXDATE:20260910T080000",
      ),
    );
    const [lecture] = read(text).calendar.tasks;
    expect(lecture).toMatchObject({ event_type: "course", locked: true });
    expect(lecture?.slots).toEqual([at(2, 1, 2), at(9, 1, 2), at(11, 1, 2)]);
  });

  test("a changed occurrence has its new position", () => {
    const rule = ["DTSTART:20260907T080000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2"];
    const moved = ["RECURRENCE-ID:20260908T080000", "DTSTART:20260909T100000", "DTEND:20260909T110000"];
    expect(slotsOf(file(event("A", ...rule), event("A", ...moved)))).toEqual([at(1, 1), at(3, 3)]);
  });

  test("an event across midnight has a position on each day", () => {
    expect(slotsOf(file(event("Night", "DTSTART:20260907T190000", "DTEND:20260908T090000")))).toEqual([
      at(1, 12),
      at(2, 1),
    ]);
  });

  test("an event shown as free becomes a host that can embed one task", () => {
    const text = file(event("Hall", "DTSTART:20260907T080000", "DURATION:PT4H", "TRANSP:TRANSPARENT"), [
      "VTODO",
      "UID:b",
      "SUMMARY:Essay",
      "DURATION:PT2H",
    ]);
    const { calendar } = read(text);
    expect(task(calendar, 1)).toMatchObject({ can_embed: true, locked: false });
    expect(task(calendarAfter(calendar, "place", { task_id: 2, day: 1, slot_start: 1 }), 1).embedded_by).toBe(2);
  });

  test("overlapping events are imported unchanged", () => {
    const hour = ["DTSTART:20260907T080000", "DURATION:PT1H"];
    expect(read(file(event("A", ...hour), event("B", ...hour))).imported).toBe(2);
  });

  test("uses the given slot times", () => {
    const slot_times = Array.from({ length: 12 }, (_, n) => ({ start: `${10 + n}:00`, end: `${10 + n}:30` }));
    const text = file(event("A", "DTSTART:20260907T103000", "DTEND:20260907T113000"));
    expect(slotsOf(text, { slot_times })).toEqual([at(1, 2)]);
  });

  test("to-dos become pending tasks with their number of slots", () => {
    const todo = (name: string, ...lines: string[]) => ["VTODO", `UID:${name}`, `SUMMARY:${name}`, ...lines];
    const { calendar, skipped } = read(
      file(todo("Essay", "DURATION:PT2H30M"), todo("Read"), todo("Old", "STATUS:COMPLETED")),
    );
    expect(calendar.tasks.map((one) => [one.name, one.status, one.duration])).toEqual([
      ["Essay", "pending", 3],
      ["Read", "pending", 2],
    ]);
    expect(skipped).toEqual([{ name: "Old", reason: "it is finished" }]);
  });

  test.each([
    ["it lasts whole days", event("A", "DTSTART;VALUE=DATE:20260907")],
    ["it has no length", event("A", "DTSTART:20260907T080000", "DTEND:20260907T080000")],
    ["it is cancelled", event("A", "DTSTART:20260907T080000", "DURATION:PT1H", "STATUS:CANCELLED")],
    ["it has no start", event("A")],
    ["it lies outside the days and hours of the calendar", event("A", "DTSTART:20260907T220000", "DURATION:PT1H")],
    ["it lies outside the days and hours of the calendar", event("A", "DTSTART:20270101T090000", "DURATION:PT1H")],
    [
      "it lies outside the days and hours of the calendar",
      event("A", "DTSTART:20200101T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;UNTIL=20210101T000000Z"),
    ],
  ])("reports the reason for a skipped entry: %s", (reason, entry) => {
    expect(reasons(file(entry))).toEqual([reason]);
  });
});

describe("hostile and invalid files", () => {
  test.each([
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
    "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3",
    "FREQ=SECONDLY",
    "FREQ=MINUTELY;INTERVAL=5",
    "FREQ=DAILY;INTERVAL=100000",
    "FREQ=WEEKLY;INTERVAL=52;BYMONTH=2",
  ])("a recurrence that may never match is not expanded: %s", (rule) => {
    const text = file(event("A", "DTSTART:20260908T090000", "DURATION:PT1H", `RRULE:${rule}`));
    expect(reasons(text)).toEqual(["its repetition is of a kind that is not supported"]);
  });

  test.each([
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYMONTH=4;BYDAY=1MO;BYMONTHDAY=15",
    "FREQ=MONTHLY;BYMONTHDAY=31",
  ])("a recurrence with rare or impossible dates terminates: %s", (rule) => {
    const text = file(event("A", "DTSTART:20250905T090000", "DURATION:PT1H", `RRULE:${rule}`));
    expect(read(text).imported).toBe(0);
  });

  test("a series that starts in year 1 is not expanded", () => {
    const text = file(event("A", "DTSTART:00010908T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY"));
    expect(reasons(text)).toEqual(["it repeats since too long ago"]);
  });

  test("a file with many long series stops at the limit and reports it", () => {
    const long = (n: number) => event(`A${n}`, "DTSTART:20260101T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY");
    const text = file(...Array.from({ length: 5 }, (_, n) => long(n)));
    const { imported, skipped } = read(text, { max_occurrences: 900 });
    expect(imported).toBe(3);
    expect(skipped.map((one) => one.reason)).toEqual(
      Array(2).fill("it cannot be read (it repeats too often before the calendar ends)"),
    );
  });

  test("a zone with rules that may never match is not expanded", () => {
    const zone = [
      "VTIMEZONE",
      "TZID:Trap",
      "BEGIN:STANDARD",
      "DTSTART:19700101T000000",
      "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "TZOFFSETFROM:+0100",
      "TZOFFSETTO:+0100",
      "END:STANDARD",
    ];
    expect(slotsOf(file(zone, event("A", "DTSTART;TZID=Trap:20260907T080000", "DURATION:PT1H")))).toEqual([at(1, 1)]);
  });

  test.each([
    ["text that is not iCalendar", "hello", "could not be read"],
    ["an empty text", "", "VCALENDAR"],
    ["a broken rule", file(event("A", "DTSTART:20260907T080000", "RRULE:FREQ=WEEKLY;BYDAY=XX")), "BYDAY"],
    ["a file that is too large", `BEGIN:VCALENDAR${"x".repeat(2_000_000)}`, "larger than"],
    ["too many entries", file(...Array.from({ length: 3001 }, (_, n) => event(`A${n}`))), "more than 3000 entries"],
  ])("%s is calendar_invalid", (_name, text, message) => {
    expect(failedWith(importIcs(text, { starts_on: MONDAY }), "calendar_invalid").message).toContain(message);
  });

  test.each([
    [{ starts_on: "2026-02-30" }, "starts_on"],
    [{ starts_on: MONDAY, time_zone: "Mars/Olympus" }, "time_zone: is not a known time zone"],
    [{ starts_on: MONDAY, slot_times: [] }, "slot_times: must list 12 slots"],
  ])("invalid options %j are rejected by name", (options, message) => {
    expect(failedWith(importIcs(file(), options), "calendar_invalid").message).toContain(message);
  });

  test("a name cannot contain a line break", () => {
    const { calendar } = read(file(event("A\\n[99] Fake", "DTSTART:20260907T080000", "DURATION:PT1H")));
    expect(calendar.tasks[0]?.name).toBe("A [99] Fake");
  });
});

describe("export", () => {
  /** Returns the fields that an iCalendar file preserves, which do not include the class or the source id of a task. */
  const carried = (calendar: Calendar) =>
    calendar.tasks
      .map(({ task_class: _class, source_id: _id, ...one }) => one)
      .toSorted((a, b) => a.state_id - b.state_id);

  test.each([[{}], [{ time_zone: "Europe/Berlin" }], [{ time_zone: "America/St_Johns" }]])(
    "a calendar can be exported and imported without changes, with %j",
    (zone) => {
      const calendar = calendarAfter(sampleSemester(), "place", { task_id: 23, day: 12, slot_start: 6 });
      const back = read(exportIcs(calendar, zone), { total_days: 35, ...zone });
      expect(back.skipped).toEqual([]);
      expect(carried(back.calendar)).toEqual(carried(calendar));
    },
  );

  test("is deterministic and uses CRLF line endings", () => {
    const text = exportIcs(smallCalendar(), { starts_on: MONDAY });
    expect(text).toBe(exportIcs(smallCalendar(), { starts_on: MONDAY }));
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(text).toContain("DTSTART:20260907T080000\r\nDTEND:20260907T100000\r\n");
    expect(text).toContain("BEGIN:VTODO\r\n");
  });

  test("writes zoned times in UTC, before and after a clock change", () => {
    const text = exportIcs(sampleSemester(), { starts_on: "2026-10-05", time_zone: "Europe/Berlin" });
    expect(text).toContain("DTSTART:20261005T060000Z");
    expect(text).toContain("DTSTART:20261026T070000Z");
  });

  test("a guest that was moved in the file is imported without its host", () => {
    const text = exportIcs(sampleSemester()).replace(
      "DTSTART:20260916T140000\r\nDTEND:20260916T160000\r\nTRANSP:OPAQUE",
      "DTSTART:20260917T160000\r\nDTEND:20260917T180000\r\nTRANSP:OPAQUE",
    );
    const { calendar } = read(text, { total_days: 35 });
    expect(task(calendar, 17)).toMatchObject({ embed_host: null, slots: [at(11, 9, 10)] });
    expect(task(calendar, 6).embedded_by).toBeNull();
  });

  test("requires a date for a calendar without dates", () => {
    expect(() => exportIcs(smallCalendar())).toThrow("starts_on");
  });
});

describe("time zones", () => {
  test.each([
    ["Europe/Berlin", "2026-03-29T00:59:00Z", 119],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", 180],
    ["Asia/Kathmandu", "2026-09-07T00:00:00Z", 345],
    ["America/St_Johns", "2026-09-07T12:00:00Z", 570],
  ])("in %s at %s it is minute %i of the day", (zone, instant, minute) => {
    const ms = Date.parse(instant);
    expect(localTimeIn(zone, ms).minute).toBe(minute);
    expect(instantIn(zone, localTimeIn(zone, ms))).toBe(ms);
  });

  test("invalid zone names are detected", () => {
    expect([isTimeZone("Europe/Berlin"), isTimeZone("Nowhere/Land"), isTimeZone("")]).toEqual([true, false, false]);
  });
});
