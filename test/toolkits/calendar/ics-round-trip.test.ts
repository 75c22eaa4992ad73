import fc from "fast-check";
import nodeIcal from "node-ical";
import { describe, expect, test } from "vitest";
import { createObject, moveObject } from "../../../src/toolkits/calendar/ics/change-object.ts";
import { exportIcs } from "../../../src/toolkits/calendar/ics/export-ics.ts";
import { importIcs } from "../../../src/toolkits/calendar/ics/import-ics.ts";
import { icsFile } from "./generated-files.ts";

const NOW = Date.UTC(2026, 5, 1, 12);

function imported(text: string) {
  const result = importIcs(text, { zone: "Europe/Berlin" });
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

/** Returns what an independent parser reads, as plain JSON by UID. */
const independently = (text: string): Record<string, unknown> => {
  const read = nodeIcal.sync.parseICS(text) as Record<string, { type?: string; uid?: string }>;
  const entries = Object.entries(read).filter(([, one]) => one?.type === "VEVENT" || one?.type === "VTODO");
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
};

describe("a calendar file that is imported and exported", () => {
  test("is the same file, byte for byte, and for an independent parser", () => {
    fc.assert(
      fc.property(icsFile, ({ text, entries }) => {
        const { objects, kept, report } = imported(text);
        expect(report.left_out).toEqual([]);
        expect(objects.length).toBe(entries);
        const exported = exportIcs(objects, kept);
        expect(exported).toBe(text);
        expect(independently(exported)).toEqual(independently(text));
      }),
      { numRuns: 200 },
    );
  });

  test("differs after a move only in the times of the moved event", () => {
    fc.assert(
      fc.property(icsFile, fc.nat(), fc.integer({ min: -3, max: 3 }), ({ text }, pick, hours) => {
        const { objects, kept } = imported(text);
        const moved = objects.filter((one) => one.type === "event" && !one.all_day)[0];
        fc.pre(moved !== undefined && hours !== 0 && pick >= 0);
        const times = { ...moved, start: moved.start + hours * 3_600_000, end: moved.end + hours * 3_600_000 };
        const after = moveObject(moved, times, { zone: "Europe/Berlin", now: NOW });
        fc.pre(after !== null);
        const exported = exportIcs(
          objects.map((one) => (one === moved ? after : one)),
          kept,
        );
        const [was, is] = [independently(text), independently(exported)];
        expect(Object.keys(is).sort()).toEqual(Object.keys(was).sort());
        for (const [key, value] of Object.entries(was)) {
          if (key !== moved.key) expect(is[key]).toEqual(value);
          else expect(untimed(is[key])).toEqual(untimed(value));
        }
      }),
      { numRuns: 150 },
    );
  });

  test("keeps what is neither an event nor a to-do, and says so", () => {
    const file = calendar("BEGIN:VJOURNAL", "UID:j1", "SUMMARY:Diary", "END:VJOURNAL");
    const { objects, kept, report } = imported(file);
    expect(objects).toEqual([]);
    expect(report.notes).toEqual([{ uid: null, title: "1 × VJOURNAL", note: expect.stringContaining("not shown") }]);
    expect(exportIcs(objects, kept)).toBe(file);
  });

  test.each([
    ["no start", ["SUMMARY:A"], "it has no start"],
    ["an unknown zone", ["DTSTART;TZID=Moon/Base:20260301T100000"], "is not known"],
    [
      "a rule that never matches",
      ["DTSTART:20260301T100000Z", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"],
      "not expanded",
    ],
    ["a rule for every second", ["DTSTART:20260301T100000Z", "RRULE:FREQ=SECONDLY"], "not expanded"],
    ["an end before the start", ["DTSTART:20260301T100000Z", "DTEND:20260301T090000Z"], "ends before it starts"],
    ["a year that no calendar has", ["DTSTART:00010101T000000Z"], "year 1"],
    ["a start that is no time", ["DTSTART:tomorrow"], ""],
  ])("keeps an event with %s and names it in the report", (_, lines, note) => {
    const file = calendar("BEGIN:VEVENT", "UID:a", ...lines, "END:VEVENT");
    const { objects, kept, report } = imported(file);
    expect(report.notes.map((one) => one.note).join()).toContain(note);
    expect(report.notes.length).toBeGreaterThan(0);
    expect(exportIcs(objects, kept)).toBe(file);
  });

  test.each([
    ["nothing", ""],
    ["HTML", "<html><body>Sign in</body></html>"],
    ["an open component", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"],
    ["components that cross", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\nEND:VEVENT\r\n"],
    ["deep nesting", `BEGIN:VCALENDAR\r\n${"BEGIN:X\r\n".repeat(50)}`],
  ])("is refused when it is %s", (_, text) => {
    expect(importIcs(text, { zone: "UTC" })).toMatchObject({ ok: false, problem: { code: "calendar_invalid" } });
  });

  test("keeps entries without a UID, and with the same UID", () => {
    const one = ["BEGIN:VEVENT", "DTSTART:20260301T100000Z", "SUMMARY:A", "END:VEVENT"];
    const two = ["BEGIN:VEVENT", "UID:same", "DTSTART:20260302T100000Z", "END:VEVENT"];
    const file = calendar(...one, ...two, ...two);
    const { objects, kept, report } = imported(file);
    expect(objects.map(({ key }) => key)).toEqual(["no-uid~1", "same", "same~2"]);
    expect(report.notes.map(({ note }) => note)).toEqual(["it has no UID", "another entry has the same UID"]);
    expect(exportIcs(objects, kept)).toBe(file);
  });

  test("defines the zone of an event that is created in it, and adds nothing else", () => {
    const file = calendar("BEGIN:VEVENT", "UID:a", "DTSTART;TZID=Asia/Tokyo:20260701T100000", "END:VEVENT");
    const { objects, kept } = imported(file);
    expect(exportIcs(objects, kept)).toBe(file);
    const start = Date.UTC(2026, 6, 1, 10);
    const times = { start, end: start + 3_600_000, all_day: false, zone: "Europe/Berlin" };
    const created = createObject({ ...times, uid: "b@pawl", rule: null, fields: { title: "B" } }, 2, {
      zone: "Europe/Berlin",
      now: NOW,
    });
    const exported = exportIcs([...objects, created], kept);
    expect(exported).toContain("TZID:Europe/Berlin\r\n");
    expect(exported).not.toContain("TZID:Asia/Tokyo\r\n");
    expect(exported).toContain("RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU");
    expect(independently(exported)).toMatchObject({ "b@pawl": { start: "2026-07-01T08:00:00.000Z" } });
  });
});

const calendar = (...lines: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");

/** Removes what a move has to change. */
function untimed(value: unknown): unknown {
  const changing = [
    "start",
    "end",
    "datetype",
    "lastmodified",
    "sequence",
    "dtstamp",
    "rrule",
    "recurrences",
    "recurrenceid",
    "exdate",
    "due",
    "duration",
  ];
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => !changing.includes(name)));
}
