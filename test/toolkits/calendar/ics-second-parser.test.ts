// Compares how we read difficult files with a parser that shares no code with ours (node-ical, with rrule-temporal). If
// the two disagree, the standard decides; docs/decisions/0020-reading-of-icalendar-files.md names each case.
import fc from "fast-check";
import nodeIcal, { type CalendarResponse, type VEvent } from "node-ical";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { occurrencesIn } from "../../../src/toolkits/calendar/events/occurrences.ts";
import type { StoredObject } from "../../../src/toolkits/calendar/events/stored-object.ts";
import { updateObject } from "../../../src/toolkits/calendar/ics/change-object.ts";
import { decodeIcs } from "../../../src/toolkits/calendar/ics/decode-file.ts";
import { exportIcs } from "../../../src/toolkits/calendar/ics/export-ics.ts";
import { importIcs } from "../../../src/toolkits/calendar/ics/import-ics.ts";
import { calendarLine } from "../../../src/tools/ical/calendar-line.ts";
import { instantOf } from "../../../src/tools/ical/zone-offsets.ts";
import { type AdversarialEntry, adversarialFile, EXPANDED } from "./adversarial-files.ts";

/** The zone of the process, in which the other parser reads times without a zone. */
const ZONE = Temporal.Now.timeZoneId();
const SAMPLE = { seed: 5545, numRuns: 250 };

type Seen = { start: number; end: number; title: string };

function imported(text: string | null) {
  const result = importIcs(text ?? "", { zone: ZONE });
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

const zoned = (at: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);

/**
 * Reports whether the clock shows this time twice. The standard means the first occurrence, the other parser the
 * second.
 */
function isAmbiguous(at: number, zone: string): boolean {
  const local = zoned(at, zone).toPlainDateTime();
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  return !earlier.equals(local.toZonedDateTime(zone, { disambiguation: "later" }));
}

function independently(file: CalendarResponse, { uid }: AdversarialEntry): Seen[] {
  const event = file[uid] as VEvent;
  const range = { from: new Date(EXPANDED.from), to: new Date(EXPANDED.to - 1) };
  return nodeIcal
    .expandRecurringEvent(event, range)
    .filter((one) => one.event.status !== "CANCELLED")
    .map(({ start, end, summary }) => ({
      start: start.getTime(),
      end: end.getTime(),
      title: calendarLine(typeof summary === "string" ? summary : summary.val, 200),
    }));
}

/**
 * Returns events as text. Whole days are counted on the clock here and as 24 hours there, so the ends of longer events
 * are not compared.
 */
const shown = (list: readonly Seen[], { zone, long }: AdversarialEntry): string[] =>
  list
    .filter(({ start, end }) => start >= EXPANDED.from && ![start, end].some((at) => isAmbiguous(at, zone ?? ZONE)))
    .map(
      ({ start, end, title }) => [start, ...(long ? [] : [end])].map((at) => new Date(at).toISOString()).join() + title,
    )
    .sort();

const ours = (object: StoredObject): Seen[] => occurrencesIn([object], EXPANDED, ZONE);

describe("a file that is hard to read", () => {
  test("has the occurrences that an independent parser reads", () => {
    fc.assert(
      fc.property(adversarialFile, ({ bytes, lines, entries }) => {
        const { objects, report } = imported(decodeIcs(bytes));
        expect(report).toMatchObject({ notes: [], left_out: [] });
        const other = nodeIcal.sync.parseICS(`${lines.join("\r\n")}\r\n`);
        for (const entry of entries) {
          const object = objects.find(({ key }) => key === entry.uid);
          if (!object) throw new Error(`${entry.uid} is missing`);
          // The length of a whole series follows from its first end.
          const long = entry.long || isAmbiguous(instantOf(object.zone ?? ZONE, object.end), entry.zone ?? ZONE);
          expect(shown(ours(object), { ...entry, long })).toEqual(
            shown(independently(other, entry), { ...entry, long }),
          );
        }
      }),
      SAMPLE,
    );
  });

  test("keeps every line when one of its events is changed", () => {
    fc.assert(
      fc.property(adversarialFile, fc.nat(), ({ bytes, lines }, pick) => {
        const { objects, kept } = imported(decodeIcs(bytes));
        const target = objects[pick % objects.length];
        if (!target) throw new Error("no event");
        const changed = updateObject(target, { location: "Room 1" }, { zone: ZONE, now: EXPANDED.to });
        const after = objects.map((one) => (one === target ? changed : one));
        const written = unfolded(exportIcs(after, kept));
        const touched = /^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE|LOCATION)[:;]/;
        const others = (list: readonly string[]) => list.filter((line) => line !== "" && !touched.test(line)).sort();
        expect(others(written)).toEqual(others(lines));
        expect(imported(exportIcs(after, kept)).objects.flatMap(ours)).toMatchObject(
          after.flatMap(ours).map(({ start, end, title }) => ({ start, end, title })),
        );
      }),
      { ...SAMPLE, numRuns: 100 },
    );
  });
});

const unfolded = (text: string): string[] => text.replace(/\r\n[ \t]/g, "").split("\r\n");
