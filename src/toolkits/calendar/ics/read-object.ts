// Reads the fields that queries need from the text of an event or a to-do. It refuses nothing, but adds notes about
// values that cannot be used.
import ICAL from "ical.js";
import { isBoundedRule } from "../../../tools/ical/bounded-rule.ts";
import { instantOf, localEndOf, localOf } from "../../../tools/ical/zone-offsets.ts";
import { MS_PER_DAY, startOfDay } from "../events/local-days.ts";
import { localMs } from "../events/rule-dates.ts";
import type { Override, StoredObject } from "../events/stored-object.ts";
import { parseComponent, readCategories, readFlexibility, readNames, readReminder, textOf } from "./read-fields.ts";

/** The parser needs too many iterations for years before this one. */
const EARLIEST_YEAR = 1900;
const LATEST_YEAR = 9000;

export type ReadContext = {
  /** The zone of the calendar, for times without one. */
  readonly zone: string;
  /** Returns the IANA name of a TZID of the file, or null if it is unknown. */
  readonly zoneNamed: (tzid: string) => string | null;
};

export type ObjectFacts = Omit<StoredObject, "key" | "seq" | "raw" | "remote">;
/** The fields that were read. `facts` is null if the component has no usable time; it is then kept but not shown. */
export type ReadFields = {
  readonly facts: ObjectFacts | null;
  readonly uid: string | null;
  readonly notes: readonly string[];
};

/** Reads a main component and its changed occurrences, which follow it in `raw`. */
export function readObject(raw: readonly string[], context: ReadContext): ReadFields {
  const notes: string[] = [];
  try {
    const [main, ...changed] = parseComponents(raw);
    if (!main) return { facts: null, uid: null, notes: ["it cannot be read"] };
    const uid = textOf(main, "uid");
    const reader = { ...context, notes };
    const facts = main.name === "vtodo" ? readTodo(main, reader) : readEvent(main, changed, reader);
    return { facts, uid, notes };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { facts: null, uid: null, notes: [`it cannot be read (${why.slice(0, 120)})`] };
  }
}

export const parseComponents = (raw: readonly string[]): ICAL.Component[] =>
  parseComponent(`BEGIN:VCALENDAR\r\n${raw.join("")}END:VCALENDAR`).getAllSubcomponents();

type Reader = ReadContext & { readonly notes: string[] };

function readEvent(main: ICAL.Component, changed: readonly ICAL.Component[], reader: Reader): ObjectFacts | null {
  const span = readSpan(main, reader);
  if (!span) return null;
  const rule = readRule(main, span, reader);
  const inZone = (name: string) => localValues(main, name, span, reader);
  const overrides = changed.flatMap((one, index) => readOverride(one, index + 1, span, reader));
  const rdates = inZone("rdate");
  if (main.hasProperty("exrule")) reader.notes.push("dates that EXRULE leaves out are shown");
  // Without a rule, the start is an occurrence in addition to the dates of RDATE.
  const withFirst = rule === null && rdates.length > 0 ? [...new Set([span.start, ...rdates])] : rdates;
  const repeats = rule !== null || withFirst.length > 0;
  if (!repeats && changed.length > 0 && !main.hasProperty("rrule"))
    reader.notes.push("it does not repeat, so its changed occurrences are not shown");
  return {
    ...span,
    type: "event",
    movable: readFlexibility(main),
    categories: readCategories(main),
    reminder_min: readReminder(main),
    rule,
    exdates: inZone("exdate"),
    rdates: withFirst,
    overrides: repeats ? overrides : [],
  };
}

function readTodo(todo: ICAL.Component, reader: Reader): ObjectFacts | null {
  const due = readTime(todo, "due", reader) ?? readTime(todo, "dtstart", reader);
  if (!due) {
    reader.notes.push("it has no due time, so it is not shown on a day");
    return null;
  }
  const done = /^(COMPLETED|CANCELLED)$/i.test(textOf(todo, "status") ?? "");
  if (todo.hasProperty("rrule")) reader.notes.push("it repeats, and only its first due time is shown");
  // An all-day to-do is due at the end of its day.
  const at = due.all_day ? due.local + MS_PER_DAY : due.local;
  return {
    ...readNames(todo),
    type: "todo",
    start: at,
    end: at,
    all_day: due.all_day,
    zone: due.zone,
    busy: false,
    cancelled: done,
    movable: "fixed",
    categories: readCategories(todo),
    reminder_min: readReminder(todo),
    rule: null,
    exdates: [],
    rdates: [],
    overrides: [],
  };
}

type Span = Omit<Override, "at" | "part">;

function readSpan(entry: ICAL.Component, reader: Reader): Span | null {
  const start = readTime(entry, "dtstart", reader);
  if (!start) {
    reader.notes.push("it has no start");
    return null;
  }
  const { local, zone, all_day } = start;
  const end = readEnd(entry, start, reader);
  // The end of an all-day event is the day after its last one. Programs that write its last day mean one whole day.
  const shortest = all_day ? local + MS_PER_DAY : local;
  if (end < shortest)
    reader.notes.push(
      all_day
        ? "it ends on or before its first day, so it lasts one day"
        : "it ends before it starts, so it takes no time",
    );
  const cancelled = /^CANCELLED$/i.test(textOf(entry, "status") ?? "");
  const transparent = /^TRANSPARENT$/i.test(textOf(entry, "transp") ?? "");
  const lasting = Math.max(shortest, end);
  const busy = !cancelled && !transparent && lasting > local;
  return { ...readNames(entry), start: local, end: lasting, all_day, zone, busy, cancelled };
}

function readEnd(entry: ICAL.Component, start: ReadTime, reader: Reader): number {
  const end = readTime(entry, "dtend", reader);
  if (end && !end.all_day && !start.all_day && end.zone !== start.zone)
    return localEndOf(start.zone ?? reader.zone, instantOf(end.zone ?? reader.zone, end.local));
  if (end) return end.local;
  const duration = entry.getFirstPropertyValue("duration");
  if (duration instanceof ICAL.Duration) return addDuration(start, duration, reader);
  return start.all_day ? start.local + MS_PER_DAY : start.local;
}

/** Weeks and days are counted on the clock of the zone, hours and minutes as elapsed time (RFC 5545, 3.3.6). */
function addDuration(start: ReadTime, duration: ICAL.Duration, reader: Reader): number {
  const sign = duration.isNegative ? -1 : 1;
  const days = start.local + sign * (duration.weeks * 7 + duration.days) * MS_PER_DAY;
  const passing = sign * ((duration.hours * 60 + duration.minutes) * 60 + duration.seconds) * 1000;
  if (start.all_day || passing === 0) return days + passing;
  const zone = start.zone ?? reader.zone;
  return localEndOf(zone, instantOf(zone, days) + passing);
}

type ReadTime = { readonly local: number; readonly zone: string | null; readonly all_day: boolean };

function readTime(entry: ICAL.Component, name: string, reader: Reader): ReadTime | null {
  const property = entry.getFirstProperty(name);
  const value = property?.getFirstValue();
  if (!property || !(value instanceof ICAL.Time)) return null;
  if (!(value.year >= EARLIEST_YEAR && value.year <= LATEST_YEAR)) {
    reader.notes.push(`${name.toUpperCase()} is in the year ${value.year}`);
    return null;
  }
  // The parser moves a date that does not exist to a later one.
  const written = property.toJSON()[3];
  if (typeof written === "string" && written !== value.toString())
    reader.notes.push(`${name.toUpperCase()} ${written} does not exist, so it is read as ${value.toString()}`);
  return timeOf(value, property, reader);
}

function timeOf(value: ICAL.Time, property: ICAL.Property, reader: Reader): ReadTime {
  const local = localMs(value);
  if (value.isDate) return { local, zone: null, all_day: true };
  if (value.zone === ICAL.Timezone.utcTimezone) return { local, zone: "UTC", all_day: false };
  const tzid = property.getFirstParameter("tzid");
  if (!tzid) return { local, zone: null, all_day: false };
  const zone = reader.zoneNamed(tzid);
  const note = `its time zone ${JSON.stringify(tzid.slice(0, 60))} is not known, so its times are read as ${reader.zone}`;
  if (zone === null && !reader.notes.includes(note)) reader.notes.push(note);
  return { local, zone, all_day: false };
}

/** The start of an occurrence on the clock of its series, in which a date, or a time of an all-day series, is its day. */
function inZoneOf(time: ReadTime, target: Span, reader: Reader): number {
  if (target.all_day) return startOfDay(time.local);
  if (time.all_day) return time.local + target.start - startOfDay(target.start);
  if (time.zone === target.zone) return time.local;
  return localOf(target.zone ?? reader.zone, instantOf(time.zone ?? reader.zone, time.local));
}

function localValues(entry: ICAL.Component, name: string, span: Span, reader: Reader): number[] {
  return entry.getAllProperties(name).flatMap((property) =>
    property.getValues().flatMap((value) => {
      if (value instanceof ICAL.Period)
        reader.notes.push(`a period in ${name.toUpperCase()} counts with its start only`);
      const time = value instanceof ICAL.Period ? value.start : value;
      return time instanceof ICAL.Time ? [inZoneOf(timeOf(time, property, reader), span, reader)] : [];
    }),
  );
}

function readRule(entry: ICAL.Component, span: Span, reader: Reader): string | null {
  const [first, ...more] = entry.getAllProperties("rrule");
  if (more.length > 0) reader.notes.push("it has several repetition rules, of which only the first is shown");
  const rule = first?.getFirstValue();
  if (!first) return null;
  if (!(rule instanceof ICAL.Recur) || !isBoundedRule(rule)) {
    reader.notes.push(
      "its repetition is of a kind that is not expanded, so only its first occurrence is shown, without changed ones",
    );
    return null;
  }
  if (!span.all_day && span.end - span.start > 366 * MS_PER_DAY) reader.notes.push("it lasts longer than a year");
  return rule.toString();
}

function readOverride(entry: ICAL.Component, part: number, series: Span, reader: Reader): Override[] {
  const at = readTime(entry, "recurrence-id", reader);
  const span = readSpan(entry, reader);
  if (!at || !span) {
    reader.notes.push("a changed occurrence has no usable time and is not shown");
    return [];
  }
  const range = entry.getFirstProperty("recurrence-id")?.getFirstParameter("range");
  if (range) reader.notes.push("a change of this and all following occurrences is shown for one occurrence only");
  return [{ ...span, at: inZoneOf(at, series, reader), part }];
}
