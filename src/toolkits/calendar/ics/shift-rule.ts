// Changes recurrence rules as text: moves them to other weekdays, or ends them before an occurrence.
import { instantOf, localOf } from "../../../tools/ical/zone-offsets.ts";
import { MS_PER_DAY, WEEKDAYS } from "../events/local-days.ts";
import { zoneOf } from "../events/occurrences.ts";
import type { StoredObject } from "../events/stored-object.ts";
import { basicTime } from "./zone-definitions.ts";

/** The rule of a series whose start moves by this many days, or null if it names dates that cannot be moved. */
export function shiftRule(rule: string, days: number): string | null {
  if (days === 0 || !/BY[A-Z]+=/.test(rule)) return rule;
  const parts = rule.split(";").map((part) => part.split("=", 2) as [string, string]);
  const names = parts.map(([name]) => name).filter((name) => name.startsWith("BY"));
  const frequency = parts.find(([name]) => name === "FREQ")?.[1];
  if (names.some((name) => name !== "BYDAY") || (frequency !== "WEEKLY" && frequency !== "DAILY")) return null;
  // Weeks that are counted begin on another day as well, or a day could move to a week that is left out.
  if (frequency === "WEEKLY" && /INTERVAL=/.test(rule) && !/WKST=/.test(rule)) parts.push(["WKST", "MO"]);
  const isWeekday = (name: string) => name === "BYDAY" || name === "WKST";
  const moved = parts.map(([name, value]) => [name, isWeekday(name) ? shiftWeekdays(value, days) : value]);
  return moved.some(([, value]) => value === null) ? null : moved.map((part) => part.join("=")).join(";");
}

function shiftWeekdays(list: string, days: number): string | null {
  const moved = list.split(",").map((day) => WEEKDAYS.indexOf(day));
  if (moved.includes(-1)) return null;
  return moved.map((day) => WEEKDAYS[(((day + days) % 7) + 7) % 7]).join(",");
}

/** Returns milliseconds, as if the value were UTC. */
function parseUntil(until: string): number | null {
  const [, y, m, d, h = "00", min = "00", s = "00"] =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)Z?)?$/.exec(until) ?? [];
  return y === undefined ? null : Date.UTC(Number(y), Number(m) - 1, Number(d), Number(h), Number(min), Number(s));
}

type Series = Pick<StoredObject, "all_day" | "zone">;

/** Formats UNTIL values in the form that the start of the series requires. */
export const ruleUntil = {
  /** Formats a value that the caller gave. In a timed series, a date without a time includes that whole day. */
  written(until: string, series: Series, calendarZone: string): string {
    const at = parseUntil(until);
    if (at === null || (until.endsWith("Z") && !series.all_day)) return until;
    if (series.all_day) return basicTime(at).slice(0, 8);
    const last = until.includes("T") ? at : at + MS_PER_DAY - 1000;
    return `${basicTime(instantOf(zoneOf(series, calendarZone), last))}Z`;
  },
  before(at: number, series: Series, calendarZone: string): string {
    if (series.all_day) return basicTime(at - 1000).slice(0, 8);
    if (series.zone === null) return basicTime(at - 1000);
    return `${basicTime(instantOf(zoneOf(series, calendarZone), at) - 1000)}Z`;
  },
  shift(until: string, delta: number, series: Series, calendarZone: string): string {
    const at = parseUntil(until);
    if (at === null) return until;
    if (!until.includes("T")) return basicTime(at + delta).slice(0, 8);
    if (!until.endsWith("Z")) return basicTime(at + delta);
    const zone = zoneOf(series, calendarZone);
    return `${basicTime(instantOf(zone, localOf(zone, at) + delta))}Z`;
  },
};
