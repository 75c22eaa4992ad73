// Tests the cases of docs/decisions/0020-reading-of-icalendar-files.md one by one.
import { describe, expect, test } from "vitest";
import { occurrencesIn } from "../../../src/toolkits/calendar/events/occurrences.ts";
import { exportIcs } from "../../../src/toolkits/calendar/ics/export-ics.ts";
import { importIcs } from "../../../src/toolkits/calendar/ics/import-ics.ts";

const ZONE = "Europe/Berlin";
const YEAR = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) };

function read(lines: readonly string[], before: readonly string[] = []) {
  const event = ["BEGIN:VEVENT", "UID:a", ...lines, "END:VEVENT"];
  const text = ["BEGIN:VCALENDAR", "VERSION:2.0", ...before, ...event, "END:VCALENDAR", ""].join("\r\n");
  const result = importIcs(text, { zone: ZONE });
  if (!result.ok) throw new Error(result.problem.message);
  expect(exportIcs(result.value.objects, result.value.kept)).toBe(text);
  return result.value;
}
const short = (at: number) => new Date(at).toISOString().slice(5, 16);
const times = (...lines: string[]): string[] =>
  occurrencesIn(read(lines).objects, YEAR, ZONE).map(({ start, end }) => `${short(start)}/${short(end)}`);

describe("the reading of calendar files", () => {
  test.each([
    ["P1D", "03-28T11:00/03-29T10:00"],
    ["PT24H", "03-28T11:00/03-29T11:00"],
    ["P1DT2H", "03-28T11:00/03-29T12:00"],
    ["P1W", "03-28T11:00/04-04T10:00"],
  ])("counts days of %s on the clock and hours as they pass", (duration, expected) => {
    expect(times("DTSTART;TZID=Europe/Berlin:20260328T120000", `DURATION:${duration}`)).toEqual([expected]);
  });

  test("never loses time that ends in the hour that clocks show twice", () => {
    const start = "DTSTART;TZID=Europe/Berlin:20261025T023000";
    expect(times(start, "DURATION:PT1H")).toEqual(["10-25T00:30/10-25T02:30"]);
    expect(times(start, "DTEND:20261025T013000Z")).toEqual(["10-25T00:30/10-25T02:30"]);
  });

  test("gives every occurrence the length of the first, also at night when clocks change", () => {
    const night = ["DTSTART;TZID=Europe/Berlin:20260327T220000", "DTEND;TZID=Europe/Berlin:20260328T060000"];
    expect(times(...night, "RRULE:FREQ=DAILY;COUNT=3")).toEqual([
      "03-27T21:00/03-28T05:00",
      "03-28T21:00/03-29T05:00",
      "03-29T20:00/03-30T04:00",
    ]);
    const weekend = ["DTSTART;TZID=Europe/Berlin:20260320T180000", "DTEND;TZID=Europe/Berlin:20260322T180000"];
    expect(times(...weekend, "RRULE:FREQ=WEEKLY;COUNT=2")).toEqual([
      "03-20T17:00/03-22T17:00",
      "03-27T17:00/03-29T16:00",
    ]);
  });

  test("takes a date in EXDATE or RECURRENCE-ID as the occurrence of that day", () => {
    const series = ["DTSTART;TZID=Europe/Berlin:20260309T091500", "RRULE:FREQ=DAILY;COUNT=4"];
    const left = ["03-09T08:15/03-09T08:15", "03-11T08:15/03-11T08:15"];
    expect(times(...series, "EXDATE;VALUE=DATE:20260310,20260312")).toEqual(left);
    const days = ["DTSTART;VALUE=DATE:20260309", "RRULE:FREQ=DAILY;COUNT=2"];
    expect(times(...days, "EXDATE;TZID=Europe/Berlin:20260310T000000")).toEqual(["03-08T23:00/03-09T23:00"]);
  });

  test.each([
    ["FREQ=YEARLY;COUNT=2", "20240229", ["2024-02-29", "2028-02-29"]],
    ["FREQ=YEARLY;BYMONTH=2;UNTIL=20330101", "20240229", ["2024-02-29", "2028-02-29", "2032-02-29"]],
    ["FREQ=YEARLY;INTERVAL=4;COUNT=2", "20240229", ["2024-02-29", "2028-02-29"]],
    ["FREQ=YEARLY;BYMONTH=1,2,3,4;COUNT=3", "20260131", ["2026-01-31", "2026-03-31", "2027-01-31"]],
    ["FREQ=YEARLY;BYMONTHDAY=31;COUNT=3", "20260331", ["2026-03-31", "2026-05-31", "2026-07-31"]],
    ["FREQ=YEARLY;BYMONTHDAY=-1;COUNT=3", "20280131", ["2028-01-31", "2028-02-29", "2028-03-31"]],
    ["FREQ=YEARLY;BYDAY=20MO;COUNT=3", "20260518", ["2026-05-18", "2027-05-17", "2028-05-15"]],
    ["FREQ=YEARLY;BYDAY=-1SU;COUNT=2", "20261227", ["2026-12-27", "2027-12-26"]],
    ["FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2", "20261126", ["2026-11-26", "2027-11-25"]],
    ["FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR;COUNT=3", "20260213", ["2026-02-13", "2026-03-13", "2026-11-13"]],
    ["FREQ=MONTHLY;COUNT=3", "20260131", ["2026-01-31", "2026-03-31", "2026-05-31"]],
  ])("leaves out the dates of %s that do not exist, without counting them", (rule, start, expected) => {
    const { objects } = read([`DTSTART;VALUE=DATE:${start}`, `RRULE:${rule}`]);
    const days = (from: number, to: number) =>
      occurrencesIn(objects, { from, to }, "UTC").map((one) => new Date(one.start).toISOString().slice(0, 10));
    expect(days(Date.UTC(2020, 0), Date.UTC(2040, 0))).toEqual(expected);
    const last = expected.at(-1) ?? "";
    expect(days(Date.parse(last), Date.UTC(2040, 0))).toEqual([last]);
  });

  test.each([["DTEND;VALUE=DATE:20260328"], ["DTEND;VALUE=DATE:20260327"], ["DURATION:PT0S"]])(
    "shows an all-day event with %s as one whole day, and says so",
    (end) => {
      const lines = ["DTSTART;VALUE=DATE:20260328", end];
      expect(times(...lines)).toEqual(["03-27T23:00/03-28T23:00"]);
      expect(read(lines).report.notes.map(({ note }) => note)).toEqual([
        "it ends on or before its first day, so it lasts one day",
      ]);
    },
  );

  test.each<[string[], string[]]>([
    [["DTSTART:20260309"], ["03-08T23:00/03-09T23:00"]],
    [["DTSTART;TZID=Europe/Berlin:20260309", "DTEND:20260311"], ["03-08T23:00/03-10T23:00"]],
    [
      ["DTSTART:20260309T080000Z", "RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20260310,\r\n 20260312"],
      ["03-09T08:00/03-09T08:00", "03-11T08:00/03-11T08:00"],
    ],
  ])("takes %j as dates, although the type is missing", (lines, expected) => {
    expect(times(...lines)).toEqual(expected);
  });

  test.each([
    ["DTSTART:20260231T080000Z", "DTSTART 2026-02-31T08:00:00Z does not exist, so it is read as 2026-03-03T08:00:00Z"],
    ["DTSTART;VALUE=DATE:20261301", "DTSTART 2026-13-01 does not exist, so it is read as 2027-01-01"],
  ])("says that %s does not exist", (line, note) => {
    expect(read([line]).report.notes.map((one) => one.note)).toEqual([note]);
  });

  test("adds every date of RDATE once, whatever its form", () => {
    const series = ["DTSTART;TZID=Europe/Berlin:20260309T091500", "DURATION:PT30M", "RRULE:FREQ=DAILY;COUNT=2"];
    const more = ["RDATE:20260401T080000Z", "RDATE;TZID=America/New_York:20260310T041500,20260320T053000"];
    expect(times(...series, ...more)).toEqual([
      "03-09T08:15/03-09T08:45",
      "03-10T08:15/03-10T08:45",
      "03-20T09:30/03-20T10:00",
      "04-01T08:00/04-01T08:30",
    ]);
  });

  test.each([
    ["COUNT=5;UNTIL=20260310T100000Z", 2],
    ["UNTIL=20260330T100000Z;COUNT=3", 3],
  ])("ends a series with %s at whichever comes first", (end, count) => {
    expect(times("DTSTART;TZID=Europe/Berlin:20260309T091500", `RRULE:FREQ=DAILY;${end}`)).toHaveLength(count);
    expect(times("DTSTART;TZID=Europe/Berlin:20260309T091500", `RRULE:FREQ=DAILY;${end};BYMONTH=3`)).toHaveLength(
      count,
    );
  });

  test("finds a zone by a definition whose lines are folded", () => {
    const half = (kind: string, from: string, to: string, rule: string) => [
      ...[`BEGIN:${kind}`, "DTSTART:2007\r\n 0101T020000", `TZOFFSETFROM:${from}`, `TZOFF\r\n SETTO:${to}`],
      ...[`RRULE:FREQ=YEARLY;\r\n\t${rule}`, `END:${kind}`],
    ];
    const definition = [
      ...["BEGIN:VTIMEZONE", "TZID:Office: \r\n East"],
      ...half("DAYLIGHT", "-0500", "-0400", "BYMONTH=3;BYDAY=2SU"),
      ...half("STANDARD", "-0400", "-0500", "BYMONTH=11;BYDAY=1SU"),
      "END:VTIMEZONE",
    ];
    const { objects, report } = read(['DTSTART;TZID="Office: East":20260701T100000'], definition);
    expect(report.notes).toEqual([]);
    expect(objects).toMatchObject([{ zone: "America/New_York" }]);
  });

  test("reads an escaped backslash before an n as these two characters", () => {
    expect(read(["DTSTART:20260301T100000Z", "SUMMARY:C:\\\\new\\nline"]).objects[0]?.title).toBe("C:\\new line");
  });
});
