// Tests one file with everything that programs write and few readers expect. Everything that nobody changed must stay
// the same.
import nodeIcal from "node-ical";
import { describe, expect, test } from "vitest";
import { moveObject, updateObject } from "../../../src/toolkits/calendar/ics/change-object.ts";
import { decodeIcs } from "../../../src/toolkits/calendar/ics/decode-file.ts";
import { exportIcs } from "../../../src/toolkits/calendar/ics/export-ics.ts";
import { importIcs } from "../../../src/toolkits/calendar/ics/import-ics.ts";

const ZONE = "Europe/Berlin";
const CONTEXT = { zone: ZONE, now: Date.UTC(2026, 5, 1) };

const calendar = (...lines: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");
const event = (uid: string, ...lines: string[]): string[] => ["BEGIN:VEVENT", `UID:${uid}`, ...lines, "END:VEVENT"];

const observance = (kind: string, from: string, to: string, rule: string): string[] => [
  `BEGIN:${kind}`,
  "DTSTART:16010101T020000",
  `TZOFFSETFROM:${from}`,
  `TZOFFSETTO:${to}`,
  `RRULE:FREQ=YEARLY;${rule}`,
  `END:${kind}`,
];
const ZONES = [
  "BEGIN:VTIMEZONE",
  "TZID:Customized Time Zone",
  ...observance("STANDARD", "-0400", "-0500", "BYDAY=1SU;BYMONTH=11"),
  ...observance("DAYLIGHT", "-0500", "-0400", "BYDAY=2SU;BYMONTH=3"),
  "END:VTIMEZONE",
  "BEGIN:VTIMEZONE",
  "TZID:Half an hour",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0530",
  "TZOFFSETTO:+0530",
  "END:STANDARD",
  "END:VTIMEZONE",
];
const RICH = event(
  "rich",
  "DTSTAMP:20260101T000000Z",
  "DTSTART;TZID=Customized Time Zone:20260707T100000",
  "DTEND;TZID=Customized Time Zone:20260707T110000",
  `SUMMARY:${"x".repeat(60)}\r\n 中文\r\n\t folded`,
  'X-VENDOR;X-PARAM="a;b":va\\,l;u\\ne',
  "X-NUMBER;VALUE=INTEGER:007",
  "GEO:37.386013;-122.082932",
  "ATTACH;ENCODING=BASE64;VALUE=BINARY;FMTTYPE=text/plain:VGhlIHF1aWNr",
  "ATTACH:https://example.com/a?b=c;d",
  "CATEGORIES:One,Two\\,Three",
  "REQUEST-STATUS:2.0;Success",
  'ORGANIZER;CN="Doe, Jane":mailto:jane@example.com',
  "ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=王:mailto:wang@example.com",
  'DESCRIPTION;ALTREP="cid:1":Hello\\, W\\;orld\\\\ \\N next',
  "BEGIN:VALARM",
  "ACTION:DISPLAY",
  "TRIGGER;RELATED=END:-PT15M",
  "X-WR-ALARMUID:1",
  "END:VALARM",
  "BEGIN:VALARM",
  "ACTION:AUDIO",
  "TRIGGER;VALUE=DATE-TIME:20260707T070000Z",
  "END:VALARM",
);
const FILE = calendar(
  "METHOD:REQUEST",
  "X-WR-CALNAME:Tést",
  ...ZONES,
  ...RICH,
  ...event("half", "DTSTART;TZID=Half an hour:20260707T100000", "DURATION:PT1H30M", "SUMMARY:半"),
  ...event(
    "series",
    "DTSTART;TZID=Europe/Berlin:20260706T091500",
    "DTEND;TZID=Europe/Berlin:20260706T094500",
    "RRULE:FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20261201T000000Z",
    "EXDATE;TZID=Europe/Berlin:20260707T091500,20260713T091500",
    "EXDATE:20260714T071500Z",
    "RDATE;TZID=Europe/Berlin:20260708T120000",
    "RDATE;VALUE=PERIOD:20260709T120000Z/PT2H",
    "EXRULE:FREQ=MONTHLY",
  ),
  ...event(
    "series",
    "RECURRENCE-ID;TZID=Europe/Berlin;RANGE=THISANDFUTURE:20260803T091500",
    "DTSTART;TZID=Europe/Berlin:20260803T101500",
    "DTEND;TZID=Europe/Berlin:20260803T104500",
  ),
  ...event("floating", "DTSTART:20260710T080000", "DTEND:20260710T090000"),
  ...event("days", "DTSTART;VALUE=DATE:20260710", "RRULE:FREQ=DAILY;COUNT=3"),
  ...event("single", "DTSTART:20260801T080000Z"),
  ...event("single", "RECURRENCE-ID:20260801T080000Z", "DTSTART:20260802T080000Z"),
  ...event("orphan", "RECURRENCE-ID:20260711T080000Z", "DTSTART:20260711T090000Z"),
  ...["BEGIN:VTODO", "UID:todo", "DUE;TZID=Europe/Berlin:20260731T170000", "PERCENT-COMPLETE:50", "END:VTODO"],
  ...["BEGIN:VJOURNAL", "UID:journal", "END:VJOURNAL"],
  ...["BEGIN:VFREEBUSY", "UID:busy", "FREEBUSY:19970308T160000Z/PT3H", "END:VFREEBUSY"],
  ...["BEGIN:X-COMP", "X-A:1", "BEGIN:X-INNER", "X-B:2", "END:X-INNER", "END:X-COMP"],
);

function imported(text: string) {
  const result = importIcs(text, { zone: ZONE });
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}
const lines = (text: string): string[] => text.split(/\r\n(?![ \t])/).sort();
const independently = (text: string): unknown => {
  const entries = Object.entries(nodeIcal.sync.parseICS(text) as Record<string, { uid?: string }>);
  return JSON.parse(JSON.stringify(Object.fromEntries(entries.filter(([, { uid }]) => uid !== undefined))));
};

describe("an unusual calendar file", () => {
  test("is exported with every line that was imported, as an independent parser confirms", () => {
    const { objects, kept, report } = imported(FILE);
    expect(report.left_out).toEqual([]);
    const exported = exportIcs(objects, kept);
    expect(lines(exported)).toEqual(lines(FILE));
    expect(independently(exported)).toEqual(independently(FILE));
    const unix = imported(FILE.replaceAll("\r\n", "\n"));
    expect(exportIcs(unix.objects, unix.kept)).toBe(exported);
  });

  test("is reported where it is shown differently", () => {
    const notes = imported(FILE).report.notes.map(({ uid, title, note }) => `${uid ?? title}: ${note}`);
    for (const expected of [
      "series: a change of this and all following occurrences",
      "series: a period in RDATE",
      "series: dates that EXRULE",
      "single: it does not repeat, so its changed occurrences",
      "1 × VJOURNAL",
      "1 × VFREEBUSY",
      "1 × X-COMP",
    ])
      expect(notes).toContainEqual(expect.stringContaining(expected));
  });

  test("uses the zone that its rules describe, whatever its name", () => {
    const zones = Object.fromEntries(imported(FILE).objects.map(({ key, zone }) => [key, zone]));
    expect(zones).toMatchObject({ rich: "America/New_York", half: "Asia/Kolkata", series: ZONE, floating: null });
  });

  test("with a zone whose rule never ends is read at once", () => {
    const rule = observance("STANDARD", "+0100", "+0200", "BYDAY=1SU;BYMONTH=2").map((line) =>
      line.replace("FREQ=YEARLY", "FREQ=SECONDLY"),
    );
    const other = observance("DAYLIGHT", "+0200", "+0100", "BYDAY=1SU;BYMONTH=5");
    const zone = ["BEGIN:VTIMEZONE", "TZID:Endless", ...rule, ...other, "END:VTIMEZONE"];
    const { report } = imported(calendar(...zone, ...event("a", "DTSTART;TZID=Endless:20260707T100000")));
    expect(report.notes).toMatchObject([{ uid: "a", note: expect.stringContaining('"Endless" is not known') }]);
  });

  test("keeps every other line of an event that is moved or updated", () => {
    const { objects, kept } = imported(FILE);
    const [rich] = objects;
    if (!rich) throw new Error("no event");
    const exportedWith = (after: typeof rich) =>
      exportIcs(
        objects.map((one) => (one === rich ? after : one)),
        kept,
      );
    const moved = moveObject(rich, { ...rich, start: rich.start + 3_600_000, end: rich.end + 3_600_000 }, CONTEXT);
    if (!moved) throw new Error("not moved");
    const stamped = ["DTSTAMP:20260601T000000Z", "LAST-MODIFIED:20260601T000000Z", "SEQUENCE:1"];
    expect(difference(FILE, exportedWith(moved))).toEqual([
      ...["DTEND;TZID=Customized Time Zone:20260707T120000", "DTSTAMP:20260601T000000Z"],
      ...["DTSTART;TZID=Customized Time Zone:20260707T110000", ...stamped.slice(1)],
    ]);
    const updated = updateObject(rich, { location: "Raum ü" }, CONTEXT);
    expect(difference(FILE, exportedWith(updated))).toEqual([stamped[0], stamped[1], "LOCATION:Raum ü", stamped[2]]);
  });

  test("of several calendars names the properties that only the first one keeps", () => {
    const second = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Second\r\nEND:VCALENDAR\r\n";
    const { report } = imported(`${FILE}${second}`);
    expect(report.left_out).toMatchObject([{ title: "X-WR-CALNAME:Second" }]);
  });

  test("may be folded inside a character", () => {
    const encode = (text: string) => [...new TextEncoder().encode(text)];
    const [first = 0, ...rest] = encode("中");
    for (const fold of ["\r\n ", "\n ", "\r\n\t"]) {
      const bytes = Uint8Array.from([...encode("SUMMARY:"), first, ...encode(fold), ...rest, ...encode("文\r\n")]);
      expect(decodeIcs(bytes)).toBe("SUMMARY:中文\r\n");
    }
    expect(decodeIcs(Uint8Array.from([0xff, 0xfe, 0x41]))).toBeNull();
  });
});

/** Returns lines of the second text that the first one does not have. */
function difference(before: string, after: string): string[] {
  const known = new Set(lines(before));
  return lines(after).filter((line) => !known.has(line));
}
