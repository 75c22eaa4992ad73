// Reads the occurrences of a range of time, within limits that keep a request fast.
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { parseTime } from "../../../tools/time-zone.ts";
import type { OpenCalendar } from "../store/open-calendar.ts";
import { MS_PER_DAY } from "./local-days.ts";
import { type Occurrence, occurrencesIn, type TimeRange } from "./occurrences.ts";

const RANGE_DAYS_MAX = 400;
export const OCCURRENCES_MAX = 10_000;

/** Reads dates or local times in the calendar's zone, or instants with an offset. A date in `to` is included. */
export function parseRange(from: string, to: string, zone: string): Result<TimeRange> {
  const start = parseTime(from, zone);
  if (start === null) return invalid("from", from);
  const end = /^\d{4}-\d\d-\d\d$/.test(to.trim()) ? nextDay(to.trim(), zone) : parseTime(to, zone);
  if (end === null) return invalid("to", to);
  if (end <= start) return fail("request_invalid", `to: ${to} is not after from (${from}).`, { field: "to" });
  if (end - start > RANGE_DAYS_MAX * MS_PER_DAY)
    return fail("request_invalid", `to: the range must not be longer than ${RANGE_DAYS_MAX} days.`, { field: "to" });
  return ok({ from: start, to: end });
}

function nextDay(date: string, zone: string): number | null {
  const day = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(day) ? null : parseTime(new Date(day + MS_PER_DAY).toISOString().slice(0, 10), zone);
}

const invalid = (field: string, given: string) => {
  const shown = JSON.stringify(given.slice(0, 40));
  return fail("request_invalid", `${field}: ${shown} is not a time such as 2026-03-02 or 2026-03-02T09:15.`, { field });
};

export async function readRange(calendar: OpenCalendar, range: TimeRange): Promise<Result<Occurrence[]>> {
  const objects = await calendar.inRange(range);
  if (!objects.ok) return objects;
  const found = occurrencesIn(objects.value, range, calendar.head.time_zone);
  if (found.length > OCCURRENCES_MAX)
    return fail(
      "request_invalid",
      `There are more than ${OCCURRENCES_MAX} events in this range; ask for a shorter one.`,
    );
  return ok(found);
}
