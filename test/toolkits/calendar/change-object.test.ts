import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/testing/expect.ts";
import { occurrencesIn } from "../../../src/toolkits/calendar/events/occurrences.ts";
import type { StoredObject } from "../../../src/toolkits/calendar/events/stored-object.ts";
import {
  changeOccurrence,
  createObject,
  endSeriesBefore,
  followingSeries,
  moveObject,
  removeOccurrence,
  updateObject,
} from "../../../src/toolkits/calendar/ics/change-object.ts";
import { importIcs } from "../../../src/toolkits/calendar/ics/import-ics.ts";

const ZONE = "Europe/Berlin";
const context = { zone: ZONE, now: Date.UTC(2026, 1, 1) };
const HOUR = 3_600_000;
/** The start of the event: Wednesday, 4 March 2026. */
const FIRST = Date.UTC(2026, 2, 4, 9, 15);

const series = (rule: string | null = "FREQ=WEEKLY;COUNT=6"): StoredObject =>
  createObject(
    { uid: "a", start: FIRST, end: FIRST + HOUR / 2, all_day: false, zone: ZONE, rule, fields: { title: "Stand-up" } },
    1,
    context,
  );

const YEAR = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) };
/** Returns starts in UTC as month, day and time. The clocks change on 29 March. */
const starts = (...objects: StoredObject[]): string[] =>
  occurrencesIn(objects, YEAR, ZONE).map((one) => new Date(one.start).toISOString().slice(5, 16));

const event = (...lines: string[]) => ["BEGIN:VEVENT", "UID:a", ...lines, "SUMMARY:Review", "END:VEVENT"];
function read(...components: string[][]): StoredObject {
  const file = ["BEGIN:VCALENDAR", "VERSION:2.0", ...components.flat(), "END:VCALENDAR"].join("\r\n");
  const { objects } = succeeded(importIcs(file, { zone: ZONE }));
  return objects[0] as StoredObject;
}

const ALL = ["03-04T08:15", "03-11T08:15", "03-18T08:15", "03-25T08:15", "04-01T07:15", "04-08T07:15"];
const WEEK = 7 * 24 * HOUR;

describe("a change of a series", () => {
  test("moves all occurrences with their exceptions to another weekday", () => {
    const weekly = series("FREQ=WEEKLY;BYDAY=WE;UNTIL=20260408T220000Z");
    const changed = changeOccurrence(weekly, FIRST + WEEK, { fields: { title: "Retro" } }, context);
    const moved = moveObject(changed, { ...changed, start: FIRST + 25 * HOUR, end: FIRST + 26 * HOUR }, context);
    if (!moved) throw new Error("not moved");
    expect(starts(moved)).toEqual(
      ALL.map((at) => at.replace(/-(\d\d)T(\d\d)/, (_, d, h) => `-${pad(+d + 1)}T${pad(+h + 1)}`)),
    );
    expect(occurrencesIn([moved], YEAR, ZONE).map(({ title }) => title)[1]).toBe("Retro");
    expect(moved.rule).toContain("BYDAY=TH");
    expect(moved.raw[0]).toContain("SEQUENCE:1");
  });

  test("of a rule that names days of the month cannot move to another day, but to another time", () => {
    const monthly = series("FREQ=MONTHLY;BYDAY=1WE");
    const later = (by: number) => ({ ...monthly, start: FIRST + by, end: FIRST + by + HOUR });
    expect(moveObject(monthly, later(24 * HOUR), context)).toBeNull();
    expect(moveObject(monthly, later(HOUR), context)).not.toBeNull();
  });

  test("moves exceptions that are written in UTC by the clock of the series", () => {
    const object = read(
      event("DTSTART;TZID=Europe/Berlin:20260304T091500", "RRULE:FREQ=WEEKLY;COUNT=5", "EXDATE:20260318T081500Z"),
      event("RECURRENCE-ID:20260311T081500Z", "DTSTART:20260311T110000Z"),
    );
    expect(starts(object)).toEqual(["03-04T08:15", "03-11T11:00", "03-25T08:15", "04-01T07:15"]);
    const later = moveObject(
      object,
      { ...object, start: object.start + 3 * WEEK, end: object.end + 3 * WEEK },
      context,
    );
    expect(later && starts(later)).toEqual(["03-25T08:15", "04-01T10:00", "04-15T07:15", "04-22T07:15"]);
  });

  test("moves added dates that are written as periods, and divides them", () => {
    const object = read(
      event("DTSTART:20260304T080000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "RDATE;VALUE=PERIOD:20260306T080000Z/PT1H"),
    );
    expect(starts(object)).toEqual(["03-04T08:00", "03-06T08:00", "03-11T08:00", "03-18T08:00"]);
    const later = moveObject(object, { ...object, start: object.start + WEEK, end: object.end + WEEK }, context);
    expect(later && starts(later)).toEqual(["03-11T08:00", "03-13T08:00", "03-18T08:00", "03-25T08:00"]);
    expect(later?.raw[0]).toContain("RDATE;VALUE=PERIOD:20260313T080000Z/PT1H\r\n");
    const second = object.start + WEEK;
    expect(starts(endSeriesBefore(object, second, context))).toEqual(["03-04T08:00", "03-06T08:00"]);
    expect(starts(followingSeries(object, second, { uid: "b", seq: 2 }, context))).toEqual([
      "03-11T08:00",
      "03-18T08:00",
    ]);
  });

  test("keeps the name that the file has for the zone", () => {
    const tzid = "W. Europe Standard Time";
    const object = read(event(`DTSTART;TZID=${tzid}:20260304T091500`, "RRULE:FREQ=WEEKLY;COUNT=3"));
    const to = { start: FIRST + HOUR, end: FIRST + 3 * HOUR, all_day: false, zone: ZONE };
    const one = changeOccurrence(object, FIRST, { times: to }, context);
    const all = moveObject(object, to, context);
    for (const changed of [one, all, removeOccurrence(object, FIRST, context)]) {
      const names = [...(changed?.raw.join("").matchAll(/TZID=([^:]+):/g) ?? [])].map(([, name]) => name);
      expect(new Set(names)).toEqual(new Set([tzid]));
    }
  });

  test("moves one occurrence as an exception, twice", () => {
    const at = FIRST + WEEK;
    const to = (start: number) => ({ start, end: start + HOUR, all_day: false, zone: ZONE });
    const once = changeOccurrence(series(), at, { times: to(at + 2 * HOUR) }, context);
    expect(starts(once)).toEqual(ALL.with(1, "03-11T10:15"));
    const again = changeOccurrence(once, at, { times: to(at + 3 * HOUR) }, context);
    expect(starts(again)).toEqual(ALL.with(1, "03-11T11:15"));
    expect(again.raw).toHaveLength(2);
    expect(again.raw[0]).toBe(series().raw[0]);
  });

  test("removes one occurrence, also one that was changed before", () => {
    const at = FIRST + WEEK;
    const changed = changeOccurrence(series(), at, { fields: { location: "Room 2" } }, context);
    expect(starts(removeOccurrence(changed, at, context))).toEqual(ALL.toSpliced(1, 1));
    expect(starts(removeOccurrence(series(), at, context))).toEqual(ALL.toSpliced(1, 1));
  });

  test("divides the series: both parts together are the whole", () => {
    const at = FIRST + 2 * WEEK;
    const changed = changeOccurrence(series(), FIRST + 3 * WEEK, { fields: { title: "Late" } }, context);
    const before = endSeriesBefore(changed, at, context);
    const after = followingSeries(changed, at, { uid: "b", seq: 2 }, context);
    expect(starts(before)).toEqual(ALL.slice(0, 2));
    expect(starts(after)).toEqual(ALL.slice(2));
    expect(after.overrides).toHaveLength(1);
    expect(before.overrides).toHaveLength(0);
  });

  test("updates changed occurrences, too, where they have the values of the series", () => {
    const at = FIRST + WEEK;
    const to = { start: at + HOUR, end: at + 2 * HOUR, all_day: false, zone: ZONE };
    const moved = changeOccurrence(series(), at, { times: to, fields: { location: "Room 9" } }, context);
    const updated = updateObject(moved, { title: "Daily", location: "Room 2" }, context);
    const shown = occurrencesIn([updated], YEAR, ZONE).map(({ title, location }) => `${title} ${location}`);
    expect(shown.slice(0, 3)).toEqual(["Daily Room 2", "Daily Room 9", "Daily Room 2"]);
    expect(starts(updated)).toEqual(starts(moved));
  });

  test("updates fields and leaves the rest of the text", () => {
    const updated = updateObject(
      series(),
      { location: "Room 1", reminder_min: 10, attendees: ["a@example.com"] },
      context,
    );
    expect(updated).toMatchObject({ title: "Stand-up", location: "Room 1", reminder_min: 10, movable: "fixed" });
    expect(updated.raw[0]).toContain("ATTENDEE;SCHEDULE-AGENT=NONE:mailto:a@example.com");
    const cleared = updateObject(updated, { location: null, reminder_min: null, attendees: [] }, context);
    expect(cleared.raw[0]).not.toMatch(/LOCATION|VALARM|ATTENDEE/);
    expect(starts(cleared)).toEqual(ALL);
  });
});

const pad = (n: number): string => String(n).padStart(2, "0");

describe("a change of a description or place", () => {
  const original = read(
    event(
      ...["DTSTART:20260304T091500Z", 'DESCRIPTION;ALTREP="cid:1":Old', "X-ALT-DESC;FMTTYPE=text/html:<b>Old</b>"],
      ...["LOCATION:Room 1", "GEO:1.0;2.0", 'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Room 1":geo:1,2'],
    ),
  );

  test("removes the other forms that would still show the old value", () => {
    const [described = ""] = updateObject(original, { description: "New" }, context).raw;
    expect(described).toContain("DESCRIPTION:New\r\n");
    expect(described).not.toMatch(/X-ALT-DESC|ALTREP/);
    expect(described).toContain("GEO:1.0;2.0");
    const [placed = ""] = updateObject(original, { location: "Room 2" }, context).raw;
    expect(placed).toContain("X-ALT-DESC;FMTTYPE=text/html:<b>Old</b>\r\n");
    expect(placed).not.toMatch(/GEO|X-APPLE/);
  });

  test("keeps them if the value stays as it is", () => {
    const [same = ""] = updateObject(
      original,
      { description: "Old", location: "Room 1", title: "Renamed" },
      context,
    ).raw;
    expect(same).toMatch(/X-ALT-DESC.*GEO.*X-APPLE/s);
    expect(same).toContain('DESCRIPTION;ALTREP="cid:1":Old');
  });
});
