// Expands the occurrences of an iCalendar event within a window. Files are untrusted, so every recurrence is bounded first.
import ICAL from "ical.js";
import { isBoundedRule } from "../../../tools/ical/bounded-rule.ts";
import { toIanaZone } from "../../../tools/ical/zone-names.ts";
import { instantIn, type LocalTime, localTimeIn, minutesOf } from "../../../tools/time-zone.ts";

/** The maximum number of steps per event, which is enough for a daily event that began 25 years ago. */
const MAX_STEPS = 10_000;
/** The parser iterates too long for years before this one. */
const EARLIEST_YEAR = 1900;
const MS_PER_DAY = 86_400_000;

export type TimeRange = { readonly from: LocalTime; readonly to: LocalTime };
export type Occurrences =
  | { readonly ok: true; readonly ranges: readonly TimeRange[]; readonly repeats: boolean }
  | { readonly ok: false; readonly reason: string };

export type Window = {
  readonly firstDay: number;
  readonly totalDays: number;
  readonly timeZone: string;
  /** The remaining steps, shared by all events of a file. */
  readonly budget: { steps: number };
};

export function occurrencesOf(
  master: ICAL.Component,
  exceptions: readonly ICAL.Component[],
  window: Window,
): Occurrences {
  const start = master.getFirstProperty("dtstart");
  if (!start) return { ok: false, reason: "it has no start" };
  try {
    const event = new ICAL.Event(master, { exceptions: [...exceptions] });
    if (event.startDate.isDate) return { ok: false, reason: "it lasts whole days" };
    const zone = start.getFirstParameter("tzid") || null;
    if (!event.isRecurring())
      return { ok: true, ranges: [rangeOf(event.startDate, event.endDate, zone, window)], repeats: false };
    const unsupported =
      event.startDate.year < EARLIEST_YEAR ? "it repeats since too long ago" : unsupportedRecurrence(master, window);
    if (unsupported) return { ok: false, reason: unsupported };
    const ended = hasEnded(master, window) && exceptions.length === 0;
    const found = ended ? [] : expand(event, zone, window);
    // Without a rule, the dates of RDATE are added to the start, which the parser omits.
    if (!master.hasProperty("rrule")) found.unshift(rangeOf(event.startDate, event.endDate, zone, window));
    const excluded = excludedTimes(master, window);
    return { ok: true, ranges: found.filter((one) => !excluded.has(minutesOf(one.from))), repeats: true };
  } catch (error) {
    return { ok: false, reason: `it cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}

function expand(event: ICAL.Event, zone: string | null, window: Window): TimeRange[] {
  const found: TimeRange[] = [];
  const end = (window.firstDay + window.totalDays + 1) * MS_PER_DAY;
  const begin = (window.firstDay - 2) * MS_PER_DAY;
  const length = event.duration.toSeconds() * 1000;
  const plain = Object.keys(event.exceptions).length === 0;
  const iterator = event.iterator();
  for (let step = 0; step < MAX_STEPS && window.budget.steps > 0; step += 1) {
    window.budget.steps -= 1;
    const next = iterator.next() as ICAL.Time | null;
    if (!next || next.toUnixTime() * 1000 > end) return found;
    // Skips occurrences that ended before the window, unless exceptions may have moved them.
    if (plain && next.toUnixTime() * 1000 + length < begin) continue;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    if (/^CANCELLED$/i.test(String(item.component.getFirstPropertyValue("status") ?? ""))) continue;
    const range = rangeOf(startDate, endDate, zone, window);
    if (range.to.day >= window.firstDay) found.push(range);
  }
  throw new Error("it repeats too often before the calendar ends");
}

/** The parser compares EXDATE values as text, and misses those in another zone. */
function excludedTimes(master: ICAL.Component, window: Window): ReadonlySet<number> {
  const times = master.getAllProperties("exdate").flatMap((property) => {
    const zone = property.getFirstParameter("tzid") || null;
    const values = property.getValues();
    return values.flatMap((value) => (value instanceof ICAL.Time && !value.isDate ? [{ value, zone }] : []));
  });
  return new Set(times.map(({ value, zone }) => minutesOf(toLocalTime(value, zone, window))));
}

/**
 * The reason that a recurrence is not supported, or null. The parser iterates until it finds the next date, which may
 * never happen, as in "daily, on 30 February". Only rules that are certain to recur are expanded, up to the window.
 */
function unsupportedRecurrence(master: ICAL.Component, window: Window): string | null {
  const until = ICAL.Time.fromData({ year: 1970, month: 1, day: 1, isDate: true });
  until.adjust(window.firstDay + window.totalDays + 1, 0, 0, 0);
  const periods = master.getAllProperties("rdate").some((property) => property.type === "period");
  if (periods) return "it repeats in periods of their own length";
  for (const property of master.getAllProperties("rrule")) {
    const rule = property.getFirstValue();
    if (!(rule instanceof ICAL.Recur)) return "its repetition cannot be read";
    if (!isBoundedRule(rule)) return "its repetition is of a kind that is not supported";
    if (!rule.until || rule.until.compare(until) > 0) rule.until = until;
  }
  return null;
}

/** True if a series certainly ended before the window and need not be expanded. */
function hasEnded(master: ICAL.Component, window: Window): boolean {
  const rules = master.getAllProperties("rrule").map((property) => property.getFirstValue());
  const before = (window.firstDay - 2) * MS_PER_DAY;
  const isOver = (rule: unknown) => rule instanceof ICAL.Recur && rule.until && rule.until.toUnixTime() * 1000 < before;
  const ended = rules.every(isOver);
  return ended && rules.length > 0 && !master.hasProperty("rdate");
}

const rangeOf = (start: ICAL.Time, end: ICAL.Time, zone: string | null, window: Window): TimeRange => ({
  from: toLocalTime(start, zone, window),
  to: toLocalTime(end, zone, window),
});

/** A time may be in UTC, or in a zone that the file defines or names. All other times are already local. */
function toLocalTime(time: ICAL.Time, zone: string | null, window: Window): LocalTime {
  const defined = time.zone && time.zone !== ICAL.Timezone.localTimezone;
  if (defined) return localTimeIn(window.timeZone, time.toUnixTime() * 1000);
  const day = Math.round(Date.UTC(time.year, time.month - 1, time.day) / MS_PER_DAY);
  const localTime = { day, minute: time.hour * 60 + time.minute };
  const known = zone ? toIanaZone(zone) : null;
  return known ? localTimeIn(window.timeZone, instantIn(known, localTime)) : localTime;
}

export const isEmpty = (range: TimeRange): boolean => minutesOf(range.to) <= minutesOf(range.from);
