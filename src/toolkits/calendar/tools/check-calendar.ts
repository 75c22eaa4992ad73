// Implements the tool check_calendar, which reports overlaps, events outside working hours, long stretches without a
// break, and the load per day.
import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { localOf } from "../../../tools/ical/zone-offsets.ts";
import { dateText, occurrenceLine, spanText } from "../events/describe.ts";
import { clockMs, hoursOn } from "../events/free-time.ts";
import type { Occurrence } from "../events/occurrences.ts";
import { readRange } from "../events/read-range.ts";
import { CalendarId, refuse } from "./arguments.ts";
import { From, HOUR, hourOf, type ReadResult, To, toolRange } from "./reads.ts";
import type { Session } from "./session.ts";

export const checkCalendarInput = z.strictObject({ from: From, to: To, calendar: CalendarId });

const LONG_STRETCH_MS = 4 * HOUR;
const BREAK_MS = 15 * 60_000;

export async function checkCalendar(
  session: Session,
  input: z.infer<typeof checkCalendarInput>,
): Promise<Result<ReadResult>> {
  const range = toolRange(session, input.from, input.to);
  if (!range.ok) return range;
  const found = await readRange(session.calendar, range.value);
  if (!found.ok) return refuse(found.problem.message);
  const { zone, calendar } = session;
  const busy = found.value.filter((one) => one.busy);
  const timed = busy.filter((one) => !one.all_day);
  const overlaps = overlappingPairs(busy).map(
    ([one, other]) => `- overlap: ${occurrenceLine(one, zone)} and ${occurrenceLine(other, zone)}`,
  );
  const late = timed.filter((one) => {
    const hours = hoursOn(calendar.head.working_hours, localOf(zone, one.start));
    const [first, last] = [hourOf(one.start, zone), hourOf(one.end - 1, zone)];
    return !hours || first < clockMs(hours.start) / HOUR || last >= clockMs(hours.end) / HOUR;
  });
  const stretches = longStretches(timed).map((one) => `- no break: ${spanText({ ...one, all_day: false }, zone)}`);
  const load = [...Map.groupBy(timed, (one) => dateText(localOf(zone, one.start)))].map(
    ([day, list]) =>
      `- ${day}: ${list.length} events, ${(list.reduce((sum, one) => sum + one.end - one.start, 0) / HOUR).toFixed(1)} h`,
  );
  const issues = [
    ...overlaps,
    ...late.map((one) => `- outside working hours: ${occurrenceLine(one, zone)}`),
    ...stretches,
  ];
  const text = [
    issues.length === 0 ? "No problems found." : `${issues.length} problems:`,
    ...issues.slice(0, 30),
    "Load per day:",
    ...load,
  ].join("\n");
  return ok({ text, data: { overlaps: overlaps.length, outside_hours: late.length, without_break: stretches.length } });
}

/** `events` must be ordered by start. */
function overlappingPairs(events: readonly Occurrence[]): [Occurrence, Occurrence][] {
  const pairs: [Occurrence, Occurrence][] = [];
  for (const [i, one] of events.entries()) {
    for (let next = i + 1; next < events.length; next += 1) {
      const other = events[next];
      if (!other || other.start >= one.end) break;
      pairs.push([one, other]);
    }
  }
  return pairs;
}

function longStretches(events: readonly Occurrence[]): { start: number; end: number }[] {
  const stretches: { start: number; end: number }[] = [];
  for (const { start, end } of events) {
    const last = stretches.at(-1);
    if (last && start - last.end < BREAK_MS) last.end = Math.max(last.end, end);
    else stretches.push({ start, end });
  }
  return stretches.filter(({ start, end }) => end - start > LONG_STRETCH_MS);
}
