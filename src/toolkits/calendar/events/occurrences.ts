// Expands stored events to their occurrences within a range of time, ordered by start.
import { instantsOf, localOf } from "../../../tools/ical/zone-offsets.ts";
import { MS_PER_DAY } from "./local-days.ts";
import { ruleDates } from "./rule-dates.ts";
import { isSeries, type Override, type StoredObject } from "./stored-object.ts";

/** A range of instants with an exclusive end. */
export type TimeRange = { readonly from: number; readonly to: number };
export const ALL_TIME: TimeRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

export type Occurrence = {
  readonly object: StoredObject;
  /** The start according to the rule, as local time in the zone of the series. Null for a single event. */
  readonly original: number | null;
  readonly changed: Override | null;
  readonly title: string;
  readonly location: string | null;
  readonly start: number;
  readonly end: number;
  readonly all_day: boolean;
  readonly busy: boolean;
};

export function occurrencesIn(objects: Iterable<StoredObject>, range: TimeRange, zone: string): Occurrence[] {
  const found: Occurrence[] = [];
  for (const object of objects) for (const one of occurrencesOf(object, range, zone)) found.push(one);
  return found.sort(byStart);
}

export const byStart = (a: Occurrence, b: Occurrence): number =>
  a.start - b.start || a.end - b.end || a.object.seq - b.object.seq;

export const overlap = (one: Occurrence, other: Occurrence): boolean =>
  other !== one && other.start < one.end && one.start < other.end;

/** An occurrence without a duration must start in the range. */
const isWithin = ({ start, end }: Occurrence, { from, to }: TimeRange): boolean =>
  start < to && (end > from || (start === end && start >= from));

/** Cancelled occurrences are omitted. */
export function occurrencesOf(object: StoredObject, range: TimeRange, zone: string): Occurrence[] {
  if (!isSeries(object)) {
    const only = object.cancelled ? null : occurrenceAt(object, object, null, zone);
    return only && isWithin(only, range) ? [only] : [];
  }
  const found: Occurrence[] = [];
  if (!object.cancelled) {
    const length = lengthOf(object, zone);
    const skipped = new Set([...object.exdates, ...object.overrides.map(({ at }) => at)]);
    for (const start of startsIn(object, range, zone)) {
      if (skipped.has(start)) continue;
      const one = occurrenceAt(object, object, start, zone, length);
      if (isWithin(one, range)) found.push(one);
    }
  }
  for (const changed of object.overrides) {
    if (changed.cancelled) continue;
    const one = occurrenceAt(object, changed, changed.at, zone);
    if (isWithin(one, range)) found.push({ ...one, changed });
  }
  return found;
}

/** The local starts from the rule and from RDATE that may lie in the range, without duplicates. */
function startsIn(object: StoredObject, { from, to }: TimeRange, calendarZone: string): Iterable<number> {
  const { rule, start, rdates } = object;
  const zone = zoneOf(object, calendarZone);
  // A local time, read as if it were UTC, differs from its instant by less than a day.
  const earliest = from - (object.end - start) - MS_PER_DAY;
  const latest = to + MS_PER_DAY;
  const toLocal = (instant: number) => localOf(zone, instant);
  if (rule !== null && rdates.length === 0) return ruleDates({ rule, start, toLocal, from: earliest, to: latest });
  const byRule = rule === null ? [start] : ruleDates({ rule, start, toLocal, from: earliest, to: latest });
  return new Set([...byRule, ...rdates].filter((at) => at >= earliest && at < latest));
}

/** An all-day event applies to the days of the calendar's zone, wherever it was created. */
export const zoneOf = (span: { zone: string | null; all_day: boolean }, calendarZone: string): string =>
  span.all_day ? calendarZone : (span.zone ?? calendarZone);

type Span = Pick<StoredObject, "title" | "start" | "end" | "all_day" | "zone" | "busy" | "location">;

/** A duration in whole days on the clock of the zone, with the rest as elapsed time (RFC 5545, 3.3.6 and 3.8.5.3). */
type Length = { readonly days: number; readonly rest: number };

function lengthOf(span: Span, calendarZone: string): Length {
  const days = Math.floor((span.end - span.start) / MS_PER_DAY) * MS_PER_DAY;
  const rest = instantsOf(zoneOf(span, calendarZone), span.start + days, span.end);
  return { days, rest: rest.end - rest.start };
}

/** With a `length`, the occurrence starts at `original` and has this length, instead of the times of the span. */
function occurrenceAt(
  object: StoredObject,
  span: Span,
  original: number | null,
  calendarZone: string,
  length?: Length,
): Occurrence {
  const { title, location, all_day, busy } = span;
  const start = length ? (original ?? span.start) : span.start;
  const times = instantsOf(zoneOf(span, calendarZone), start, length ? start + length.days : span.end);
  const end = times.end + (length?.rest ?? 0);
  return { object, original, changed: null, title, location, start: times.start, end, all_day, busy };
}
