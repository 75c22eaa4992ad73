// Returns the starts of a recurrence rule within a range of local times. Simple daily and weekly rules are calculated,
// so that an old series costs no more than its occurrences in the range. Monthly and limited rules are expanded by ical.js.
import ICAL from "ical.js";
import { MS_PER_DAY, WEEKDAYS, weekdayOf } from "./local-days.ts";
import { yearlyDates, yearlyRule } from "./yearly-dates.ts";

/** The maximum number of steps from the first occurrence: enough for a monthly event of any age. */
const STEPS_MAX = 10_000;

/** A series whose first occurrence is `start`. All times are local, in milliseconds as if the clock showed UTC. */
export type RuleQuery = {
  readonly rule: string;
  readonly start: number;
  /** Converts an UNTIL value that is written in UTC. */
  readonly toLocal: (instant: number) => number;
  readonly from: number;
  readonly to: number;
};

export function ruleDates(query: RuleQuery): number[] {
  const parts = partsOf(query.rule);
  const until = untilOf(parts, query.toLocal);
  const simple = simpleRule(parts, query.start);
  if (simple) return simpleDates(simple, query, until);
  const yearly = yearlyRule(parts);
  return yearly ? yearlyDates(yearly, query, Math.min(query.to - 1, until)) : iteratedDates(query, until);
}

type RuleParts = ReadonlyMap<string, string>;

const partsOf = (rule: string): RuleParts =>
  new Map(
    rule
      .toUpperCase()
      .split(";")
      .map((part) => part.split("=", 2) as [string, string]),
  );

/** The last local time at which the series may occur. A date includes the whole day. */
function untilOf(parts: RuleParts, toLocal: (instant: number) => number): number {
  const [, y, m, d, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(parts.get("UNTIL") ?? "") ?? [];
  if (y === undefined) return Number.POSITIVE_INFINITY;
  const day = Date.UTC(Number(y), Number(m) - 1, Number(d));
  if (hour === undefined) return day + MS_PER_DAY - 1;
  const at = day + (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) * 1000;
  return utc ? toLocal(at) : at;
}

/** A rule that occurs on `weekdays` of every `interval`-th week or, if `weekdays` is null, on every `interval`-th day. */
type SimpleRule = {
  readonly interval: number;
  readonly weekdays: readonly number[] | null;
  readonly weekStart: number;
  readonly count: number;
};

const SIMPLE_PARTS = ["FREQ", "INTERVAL", "BYDAY", "COUNT", "UNTIL", "WKST"];

function simpleRule(parts: RuleParts, start: number): SimpleRule | null {
  if ([...parts.keys()].some((part) => !SIMPLE_PARTS.includes(part))) return null;
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const count = parts.has("COUNT") ? Number(parts.get("COUNT")) : Number.POSITIVE_INFINITY;
  const weekStart = WEEKDAYS.indexOf(parts.get("WKST") ?? "MO");
  if (!Number.isInteger(interval) || interval < 1 || !(count > 0) || weekStart < 0) return null;
  const days = parts
    .get("BYDAY")
    ?.split(",")
    .map((day) => WEEKDAYS.indexOf(day));
  if (days?.includes(-1)) return null;
  const common = { interval, weekStart, count };
  if (parts.get("FREQ") === "WEEKLY") return { ...common, weekdays: days ?? [weekdayOf(start)] };
  // The standard leaves a daily rule without its start undefined; ical.js counts the start as an occurrence.
  const unsynchronized = days && !days.includes(weekdayOf(start));
  if (parts.get("FREQ") !== "DAILY" || (days && interval > 1) || unsynchronized) return null;
  return { ...common, weekdays: days ?? null };
}

function simpleDates(rule: SimpleRule, { start, from, to }: RuleQuery, until: number): number[] {
  const last = Math.min(to - 1, until);
  return rule.weekdays ? weeklyDates(rule, start, from, last) : dailyDates(rule, start, from, last);
}

function dailyDates({ interval, count }: SimpleRule, start: number, from: number, last: number): number[] {
  const step = interval * MS_PER_DAY;
  const found: number[] = [];
  for (let n = Math.max(0, Math.ceil((from - start) / step)); n < count; n += 1) {
    const at = start + n * step;
    if (at > last) break;
    found.push(at);
  }
  return found;
}

function weeklyDates(rule: SimpleRule, start: number, from: number, last: number): number[] {
  const { interval, weekStart, count } = rule;
  const dayInWeek = (weekday: number) => (weekday - weekStart + 7) % 7;
  const days = [...new Set((rule.weekdays ?? []).map(dayInWeek))].sort((a, b) => a - b);
  const first = dayInWeek(weekdayOf(start));
  const weekOne = start - first * MS_PER_DAY;
  const step = interval * 7 * MS_PER_DAY;
  const inFirstWeek = days.filter((day) => day >= first).length;
  const found: number[] = [];
  for (let week = Math.max(0, Math.floor((from - weekOne) / step)); ; week += 1) {
    let n = week === 0 ? 0 : inFirstWeek + (week - 1) * days.length;
    if (n >= count || weekOne + week * step > last) return found;
    for (const day of days) {
      if (week === 0 && day < first) continue;
      n += 1;
      const at = weekOne + week * step + day * MS_PER_DAY;
      if (n > count || at > last) return found;
      if (at >= from) found.push(at);
    }
  }
}

function iteratedDates({ rule, start, from, to }: RuleQuery, until: number): number[] {
  const recur = ICAL.Recur.fromString(rule.replace(/;?UNTIL=[^;]*/i, "").replace(/^;/, ""));
  const last = Math.min(to - 1, until);
  // Limits the iteration inside the library, which otherwise may search for the next date forever.
  if (!recur.count) recur.until = icalTime(Math.max(last, start) + MS_PER_DAY);
  const iterator = recur.iterator(icalTime(start));
  const found: number[] = [];
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const next = iterator.next();
    if (!next) return found;
    const at = localMs(next);
    if (at > last) return found;
    if (at >= from) found.push(at);
  }
  return found;
}

export const localMs = (time: ICAL.Time): number =>
  Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);

/** The time has no zone, because rules are expanded in local time. */
export function icalTime(local: number, isDate = false): ICAL.Time {
  const at = new Date(local);
  const date = { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
  if (isDate) return ICAL.Time.fromData({ ...date, isDate: true });
  const clock = { hour: at.getUTCHours(), minute: at.getUTCMinutes(), second: at.getUTCSeconds() };
  return ICAL.Time.fromData({ ...date, ...clock, isDate: false });
}
