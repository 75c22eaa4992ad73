// Returns the starts of a yearly rule (RFC 5545, 3.3.10). ical.js is not used for these, because it moves a date that a year does not have, such as
// 29 February, into the next month, and reads a rule without BYMONTH as one for the month of the start.
import { MS_PER_DAY, startOfDay, WEEKDAYS, weekdayOf } from "./local-days.ts";

const MONTHS = Array.from({ length: 12 }, (_, month) => month);
const LATEST_YEAR = 9999;

/** The nth weekday of a month or a year, counted from its end if negative; 0 means every one. */
type NthWeekday = { readonly nth: number; readonly weekday: number };

type YearlyRule = {
  readonly interval: number;
  readonly count: number;
  /** From 0 for January. */
  readonly months: readonly number[] | null;
  /** From 1, or negative from the end of the month. */
  readonly monthDays: readonly number[] | null;
  readonly weekdays: readonly NthWeekday[] | null;
};

const USED_PARTS = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYMONTH", "BYMONTHDAY", "BYDAY"];

/** Null if the rule is not yearly, or has parts that are not supported. */
export function yearlyRule(parts: ReadonlyMap<string, string>): YearlyRule | null {
  if (parts.get("FREQ") !== "YEARLY" || [...parts.keys()].some((part) => !USED_PARTS.includes(part))) return null;
  const numbers = (part: string) => parts.get(part)?.split(",").map(Number) ?? null;
  const weekdays = parts.get("BYDAY")?.split(",").map(nthWeekday) ?? null;
  return {
    interval: Number(parts.get("INTERVAL") ?? 1),
    count: parts.has("COUNT") ? Number(parts.get("COUNT")) : Number.POSITIVE_INFINITY,
    months: numbers("BYMONTH")?.map((month) => month - 1) ?? null,
    monthDays: numbers("BYMONTHDAY"),
    weekdays,
  };
}

const nthWeekday = (day: string): NthWeekday => ({
  nth: Number(day.slice(0, -2)),
  weekday: WEEKDAYS.indexOf(day.slice(-2)),
});

/** Returns the starts between `from` and `last` of a series that begins at `start`. */
export function yearlyDates(
  rule: YearlyRule,
  { start, from }: { readonly start: number; readonly from: number },
  last: number,
): number[] {
  const time = start - startOfDay(start);
  const found: number[] = [];
  let n = 0;
  for (let year = firstYear(rule, start, from); year <= LATEST_YEAR; year += rule.interval) {
    if (Date.UTC(year, 0) > last) return found;
    for (const day of daysOf(rule, year, start)) {
      const at = day + time;
      if (at < start) continue;
      n += 1;
      if (n > rule.count || at > last) return found;
      if (at >= from) found.push(at);
    }
  }
  return found;
}

/** Years before the range matter only if their occurrences are counted. */
function firstYear({ interval, count }: YearlyRule, start: number, from: number): number {
  const first = yearOf(start);
  const skipped = Number.isFinite(count) || from <= start ? 0 : Math.floor((yearOf(from) - first) / interval);
  return first + skipped * interval;
}

const yearOf = (local: number): number => new Date(local).getUTCFullYear();

/** The days of a year that the rule names, in order. */
function daysOf(rule: YearlyRule, year: number, start: number): number[] {
  const { months, monthDays, weekdays } = rule;
  const named = months ?? (monthDays || weekdays ? MONTHS : [new Date(start).getUTCMonth()]);
  const days = new Set<number>();
  for (const month of named) {
    const first = Date.UTC(year, month);
    const length = (Date.UTC(year, month + 1) - first) / MS_PER_DAY;
    const ofMonth = monthDays ?? (weekdays ? null : [new Date(start).getUTCDate()]);
    const dates = ofMonth?.map((day) => (day < 0 ? length + 1 + day : day)) ?? Array.from({ length }, (_, n) => n + 1);
    const [from, to] = months ? [first, first + length * MS_PER_DAY] : [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
    for (const date of dates) {
      const day = first + (date - 1) * MS_PER_DAY;
      if (date < 1 || date > length) continue;
      if (weekdays?.some((one) => isNth(one, day, from, to)) ?? true) days.add(day);
    }
  }
  return [...days].sort((a, b) => a - b);
}

/** True if the day is the nth weekday of the time between `from` and `to`. */
function isNth({ nth, weekday }: NthWeekday, day: number, from: number, to: number): boolean {
  if (weekdayOf(day) !== weekday) return false;
  const week = 7 * MS_PER_DAY;
  if (nth === 0) return true;
  return nth > 0 ? Math.floor((day - from) / week) + 1 === nth : Math.floor((to - 1 - day) / week) + 1 === -nth;
}
