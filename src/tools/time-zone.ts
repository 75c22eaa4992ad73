// Converts between instants and local times in a time zone, and does calendar arithmetic. The only module that depends on time zone data.
import { Temporal } from "temporal-polyfill";

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_DAY = 1440;
/** Temporal also accepts offsets such as "+01:00", which are not names of zones. */
const ZONE_NAME = /^[A-Za-z]/;

export function isTimeZone(zone: string): boolean {
  if (!ZONE_NAME.test(zone)) return false;
  try {
    zoned(0, zone);
    return true;
  } catch {
    return false;
  }
}

const zoned = (ms: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);

/** How far the zone's clocks are ahead of UTC, in milliseconds. */
export const offsetAt = (ms: number, zone: string): number => zoned(ms, zone).offsetNanoseconds / 1_000_000;

export type OffsetChange = { readonly at: number; readonly before: number; readonly after: number };

export function offsetChanges(zone: string, after: number, max: number): OffsetChange[] {
  const found: OffsetChange[] = [];
  let next = zoned(after, zone).getTimeZoneTransition("next");
  for (; next !== null && found.length < max; next = next.getTimeZoneTransition("next")) {
    const at = next.epochMilliseconds;
    found.push({ at, before: offsetAt(at - 1, zone), after: offsetAt(at, zone) });
  }
  return found;
}

export type CalendarDuration = {
  readonly years?: number | undefined;
  readonly months?: number | undefined;
  readonly weeks?: number | undefined;
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
};

/** Years to days are added on the zone's calendar, hours and minutes on the clock. NaN beyond the range of dates. */
export function addDuration(ms: number, span: CalendarDuration, zone: string): number {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0 } = span;
  const onClock = (hours * 60 + minutes) * MS_PER_MINUTE;
  if (!years && !months && !weeks && !days) return ms + onClock;
  try {
    const from = zoned(ms, zone);
    // Months are added before days, so that units with different signs can be mixed. The 31st becomes the last day of the month.
    const date = from
      .toPlainDate()
      .add({ months: years * 12 + months })
      .add({ days: weeks * 7 + days });
    return date.toZonedDateTime({ timeZone: zone, plainTime: from.toPlainTime() }).epochMilliseconds + onClock;
  } catch (error) {
    if (error instanceof RangeError) return Number.NaN;
    throw error;
  }
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * `2026-03-29 14:30` in the zone, a date alone (midnight), or an instant with an offset; null for anything else. If a local time occurs twice, the
 * first one counts. A skipped one moves forward by the gap.
 */
export function parseTime(text: string, zone: string): number | null {
  const [, date, time = "00:00", offset] = TIME.exec(text.trim()) ?? [];
  if (date === undefined) return null;
  try {
    if (offset !== undefined) return Temporal.Instant.from(`${date}T${time}${offset}`).epochMilliseconds;
    const local = Temporal.PlainDateTime.from(`${date}T${time.slice(0, 8)}`, { overflow: "reject" });
    return local.toZonedDateTime(zone).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** For example `Sunday 2026-03-29 14:30:00 Europe/Berlin (UTC+02:00)`. */
export function formatTime(ms: number, zone: string): string {
  const at = zoned(ms, zone);
  const time = at.toPlainTime().toString({ smallestUnit: "second", roundingMode: "floor" });
  return `${WEEKDAYS[at.dayOfWeek - 1]} ${at.toPlainDate()} ${time} ${zone} (UTC${at.offset.slice(0, 6)})`;
}

/** A local time as a day number (days since 1970-01-01) and the minute of that day. */
export type LocalTime = { readonly day: number; readonly minute: number };

export const minutesOf = (local: LocalTime): number => local.day * MINUTES_PER_DAY + local.minute;

/** What a clock in the zone shows. */
export function localTimeIn(zone: string, ms: number): LocalTime {
  const at = zoned(ms, zone);
  const midnight = Date.UTC(at.year, at.month - 1, at.day);
  return { day: midnight / (MINUTES_PER_DAY * MS_PER_MINUTE), minute: at.hour * 60 + at.minute };
}

/** Follows the same rules as `parseTime`. */
export const instantIn = (zone: string, local: LocalTime): number =>
  instantOfLocal(zone, minutesOf(local) * MS_PER_MINUTE);

/** The local time is given in milliseconds as if the clock showed UTC. */
export const instantOfLocal = (zone: string, localMs: number): number =>
  Temporal.Instant.fromEpochMilliseconds(localMs).toZonedDateTimeISO("UTC").toPlainDateTime().toZonedDateTime(zone)
    .epochMilliseconds;
