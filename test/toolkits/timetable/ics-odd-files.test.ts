// Tests files as other calendar programs write them.
import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/testing/expect.ts";
import { type IcsOptions, importIcs } from "../../../src/toolkits/timetable/ics/ics-import.ts";
import { at } from "./small-calendar.ts";

const event = (...lines: string[]) => ["BEGIN:VEVENT", "UID:a@test", "SUMMARY:A", ...lines, "END:VEVENT"];
const file = (...lines: string[]) => ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
const read = (text: string, options: Partial<IcsOptions> = {}) =>
  succeeded(importIcs(text, { starts_on: "2026-09-07", total_days: 28, ...options }));
const slotsOf = (lines: string[], options: Partial<IcsOptions> = {}) =>
  read(file(...lines), options).calendar.tasks[0]?.slots;
const DAILY = ["DTSTART:20260908T090000", "DTEND:20260908T100000", "RRULE:FREQ=DAILY;COUNT=3"];

describe("cancelled occurrence", () => {
  test("is skipped if it was cancelled individually", () => {
    const cancelled = event(
      "RECURRENCE-ID:20260909T090000",
      "STATUS:CANCELLED",
      "DTSTART:20260909T090000",
      "DURATION:PT1H",
    );
    expect(slotsOf([...event(...DAILY), ...cancelled])).toEqual([at(2, 2), at(4, 2)]);
  });

  test("is skipped if the exception is in UTC and the event in a zone", () => {
    const zoned = ["DTSTART;TZID=Europe/Berlin:20260908T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"];
    expect(slotsOf(event(...zoned, "EXDATE:20260909T070000Z"), { time_zone: "Europe/Berlin" })).toEqual([
      at(2, 2),
      at(4, 2),
    ]);
  });
});

describe("recurrence", () => {
  test("with RDATE only keeps its first occurrence", () => {
    expect(slotsOf(event("DTSTART:20260908T090000", "DURATION:PT1H", "RDATE:20260910T140000"))).toEqual([
      at(2, 2),
      at(4, 7),
    ]);
  });

  test.each([
    ["the second Tuesday of a month", "BYDAY=TU;BYSETPOS=2", [at(2, 2)]],
    ["the last working day of a month", "BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", [at(2, 2), at(24, 2)]],
  ])("supports %s", (_name, rule, expected) => {
    const lines = event("DTSTART:20260908T090000", "DURATION:PT1H", `RRULE:FREQ=MONTHLY;${rule}`);
    expect(slotsOf(lines)).toEqual(expect.arrayContaining(expected.slice(-1)));
  });

  test.each([
    ["a weekday that few months have", "RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=5"],
    ["periods", "RDATE;VALUE=PERIOD:20260910T140000/PT2H"],
  ])("with %s is reported as skipped", (_name, rule) => {
    const { imported, skipped } = read(file(...event("DTSTART:20260908T090000", "DURATION:PT1H", rule)));
    expect([imported, skipped.length]).toEqual([0, 1]);
    expect(skipped[0]?.reason).toMatch(/^it(s)? /);
  });
});

test.each(["W. Europe Standard Time", "/freeassociation.sourceforge.net/Europe/Berlin", "Europe/Berlin"])(
  "zone %s is recognized without its definition",
  (zone) => {
    const lines = event(`DTSTART;TZID=${zone}:20260907T100000`, "DURATION:PT1H");
    expect(slotsOf(lines, { time_zone: "UTC" })).toEqual([at(1, 1)]);
  },
);

test("a folded line without a leading space continues the previous line", () => {
  const lines = event(
    "DESCRIPTION:first line",
    "second line of it, with no mark",
    "DTSTART:20260907T080000",
    "DURATION:PT1H",
  );
  expect(slotsOf(lines)).toEqual([at(1, 1)]);
});
