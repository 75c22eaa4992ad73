// Computes the due times of a cron expression in a time zone. The expression is matched against wall-clock times, which are converted to instants
// here. A time that a clock change skips is due right after the gap. A time that occurs twice is due once. An expression that names every hour is
// due in every hour that passes.
import { Cron } from "croner";
import { offsetAt } from "../../tools/time-zone.ts";

const DAY_MS = 86_400_000;
const HOURS = 24;

export type CronTimes = { readonly expression: string; readonly time_zone: string };

const PARSED_MAX = 64;
/** The parsed expressions. Parsing takes longer than computing a due time, and a schedule computes several per firing. */
const parsed = new Map<string, Cron>();

/**
 * Throws if the expression is not valid. Its times are wall-clock times, represented as if they were UTC. An offset of zero is a tenth of the work of
 * a time zone, which needs `Intl`.
 */
export function wallCron(expression: string): Cron {
  const known = parsed.get(expression);
  if (known) return known;
  const cron = new Cron(expression, { utcOffset: 0, paused: true, mode: "5-or-6-parts" });
  if (parsed.size >= PARSED_MAX) parsed.clear();
  parsed.set(expression, cron);
  return cron;
}

export function nextCronDue({ expression, time_zone }: CronTimes, after: number): number | null {
  const cron = wallCron(expression);
  const everyHour = matchesEveryHour(expression);
  let wall: number | null = after + Math.min(...offsetsAround(after, time_zone));
  let best: number | null = null;
  for (;;) {
    wall = nextWall(cron, wall);
    if (wall === null) return best;
    const around = offsetsAround(wall, time_zone);
    // No later wall time can give an earlier instant.
    if (best !== null && wall - Math.max(...around) >= best) return best;
    for (const instant of instantsOf(wall, time_zone, around, everyHour))
      if (instant > after && (best === null || instant < best)) best = instant;
  }
}

/**
 * The next wall time that the expression names. croner takes a February 30 or 31 of the expression for March 1 to 3 and continues from there, so it
 * skips the days of March before it. The second search starts at the end of February, where nothing is left to mistake.
 */
function nextWall(cron: Cron, after: number): number | null {
  const found = cron.nextRun(new Date(after))?.getTime() ?? null;
  const from = new Date(after);
  const march = Date.UTC(from.getUTCFullYear(), 2, 1);
  if (found === null || found < march || from.getUTCMonth() !== 1) return found;
  return cron.nextRun(new Date(march - 1000))?.getTime() ?? found;
}

type Offsets = readonly [before: number, after: number];

/** A day before and a day after a wall time. No zone is further from UTC than a day, so a clock change near that time lies in between. */
const offsetsAround = (ms: number, zone: string): Offsets => [offsetAt(ms - DAY_MS, zone), offsetAt(ms + DAY_MS, zone)];

/** The instants at which clocks in the zone show `wall` and the expression is due. */
function instantsOf(wall: number, zone: string, [before, after]: Offsets, everyHour: boolean): readonly number[] {
  if (before === after) return [wall - before];
  const shown = [...new Set([before, after])]
    .filter((offset) => offsetAt(wall - offset, zone) === offset)
    .map((offset) => wall - offset)
    .sort((a, b) => a - b);
  if (shown.length === 0) return everyHour ? [] : [offsetChangeNear(wall, zone, before)];
  return everyHour ? shown : shown.slice(0, 1);
}

/** The instant at which the clocks leave the offset `before`. */
function offsetChangeNear(wall: number, zone: string, before: number): number {
  let low = wall - DAY_MS;
  let high = wall + DAY_MS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** True if the expression covers all hours of the day, in any notation. */
export function matchesEveryHour(expression: string): boolean {
  const fields = expression.trim().split(/\s+/);
  if (fields.length === 1) return fields[0]?.toLowerCase() === "@hourly";
  const hours = new Set((fields.at(-4) ?? "").split(",").flatMap(hoursOf));
  return hours.size === HOURS;
}

function hoursOf(part: string): readonly number[] {
  const [, range = "", step = "1"] = /^(\*|\?|\d+(?:-\d+)?)(?:\/(\d+))?$/.exec(part) ?? [];
  const [from = 0, to] = range === "*" || range === "?" ? [0, HOURS - 1] : range.split("-").map(Number);
  // A single hour with a step continues to the end of the day.
  const last = to ?? (part.includes("/") ? HOURS - 1 : from);
  const all = Array.from({ length: HOURS }, (_, hour) => hour);
  return range === "" ? [] : all.filter((hour) => hour >= from && hour <= last && (hour - from) % Number(step) === 0);
}
