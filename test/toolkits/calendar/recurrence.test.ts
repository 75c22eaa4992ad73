import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { occurrencesIn } from "../../../src/toolkits/calendar/events/occurrences.ts";
import { importIcs } from "../../../src/toolkits/calendar/ics/import-ics.ts";
import { zoneDefinition } from "../../../src/toolkits/calendar/ics/zone-definitions.ts";
import { isSkipped } from "../../../src/tools/ical/zone-offsets.ts";

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Asia/Shanghai",
  "Australia/Sydney",
  "America/Sao_Paulo",
  "Africa/Cairo",
];
const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

const weekdays = fc.subarray(DAYS, { minLength: 1 });
const interval = fc.integer({ min: 1, max: 4 });
const limit = fc.oneof(
  fc.constant(""),
  fc.integer({ min: 1, max: 60 }).map((n) => `;COUNT=${n}`),
  fc.integer({ min: 1, max: 12 }).map((m) => `;UNTIL=2027${String(m).padStart(2, "0")}15T100000Z`),
);
const rule = fc
  .oneof(
    interval.map((n) => `FREQ=DAILY;INTERVAL=${n}`),
    weekdays.map((days) => `FREQ=DAILY;BYDAY=${days.join(",")}`),
    fc.tuple(interval, weekdays).map(([n, days]) => `FREQ=WEEKLY;INTERVAL=${n};BYDAY=${days.join(",")}`),
    fc.tuple(interval, fc.constantFrom("MO", "SU")).map(([n, wkst]) => `FREQ=WEEKLY;INTERVAL=${n};WKST=${wkst}`),
    fc
      .tuple(interval, fc.integer({ min: 1, max: 28 }))
      .map(([n, day]) => `FREQ=MONTHLY;INTERVAL=${n};BYMONTHDAY=${day}`),
    fc.tuple(fc.constantFrom(1, 2, 3, -1), fc.constantFrom(...DAYS)).map(([n, day]) => `FREQ=MONTHLY;BYDAY=${n}${day}`),
    fc.constant("FREQ=YEARLY"),
  )
  .chain((base) => limit.map((end) => base + end));

const start = fc.record({
  day: fc.integer({ min: 0, max: 300 }),
  minute: fc.integer({ min: 0, max: 24 * 60 - 1 }),
});

const RANGE = { from: Date.UTC(2026, 6, 1), to: Date.UTC(2027, 6, 1) };

/** Expands the same file with ical.js alone and returns starts in UTC. */
function byIcalJs(text: string): number[] {
  const root = new ICAL.Component(ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0]);
  const [component] = root.getAllSubcomponents("vevent");
  if (!component) return [];
  const event = new ICAL.Event(component);
  const iterator = event.iterator();
  const found: number[] = [];
  for (let next = iterator.next(); next; next = iterator.next()) {
    const at = next.toUnixTime() * 1000;
    if (at >= RANGE.to) break;
    if (at >= RANGE.from) found.push(at);
  }
  return found;
}

describe("expanded occurrences", () => {
  test("of 1,000 random rules over changes of the clocks in six zones are those of ical.js", () => {
    fc.assert(
      fc.property(rule, fc.constantFrom(...ZONES), start, (rrule, zone, { day, minute }) => {
        // Times that clocks skip or show twice follow a special rule, which is tested below.
        fc.pre(minute >= 4 * 60 && minute < 23 * 60);
        const date = new Date(Date.UTC(2026, 0, 1 + day) + minute * 60_000);
        const text = file(zone, date.toISOString().replace(/[-:]|\.\d+Z/g, ""), rrule);
        const imported = importIcs(text, { zone });
        if (!imported.ok) throw new Error(imported.problem.message);
        const ours = occurrencesIn(imported.value.objects, RANGE, zone).map((one) => one.start);
        const inRange = ours.filter((at) => at >= RANGE.from);
        expect(inRange).toEqual(byIcalJs(text));
      }),
      { numRuns: 1000 },
    );
  }, 120_000);

  test("at a time that clocks skip or show twice follow the stated rule", () => {
    const spring = importIcs(file("Europe/Berlin", "20260328T023000", "FREQ=DAILY;COUNT=3"), { zone: "Europe/Berlin" });
    const autumn = importIcs(file("Europe/Berlin", "20261024T023000", "FREQ=DAILY;COUNT=3"), { zone: "Europe/Berlin" });
    if (!spring.ok || !autumn.ok) throw new Error("not imported");
    const year = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) };
    const starts = (objects: Parameters<typeof occurrencesIn>[0]) =>
      occurrencesIn(objects, year, "Europe/Berlin").map((one) => new Date(one.start).toISOString().slice(5, 16));
    expect(isSkipped("Europe/Berlin", Date.UTC(2026, 2, 29, 2, 30))).toBe(true);
    expect(isSkipped("Europe/Berlin", Date.UTC(2026, 9, 25, 2, 30))).toBe(false);
    expect(starts(spring.value.objects)).toEqual(["03-28T01:30", "03-29T01:30", "03-30T00:30"]);
    expect(starts(autumn.value.objects)).toEqual(["10-24T00:30", "10-25T00:30", "10-26T01:30"]);
  });
});

const file = (zone: string, dtstart: string, rrule: string): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${zoneDefinition(zone, Date.UTC(2026, 0, 1))}BEGIN:VEVENT\r\nUID:a\r\nDTSTART;TZID=${zone}:${dtstart}\r\nDURATION:PT1H\r\nRRULE:${rrule}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
