// Implements find_first_free (alias find_free), which finds the earliest position for a number of slots, preferring
// free ones to shared ones.
import type { z } from "zod";
import { argumentSchema, integer, optionalInteger } from "../arguments.ts";
import { checkFit } from "../changes/fit.ts";
import { dayName, dayOutOfRange, daysText, plural, positionText, taskLabel } from "../format.ts";
import { freeRanges, isCalendarDay, occupantsOn, positionAt, slotCount } from "../occupancy.ts";
import { type CalendarResult, refuse, succeed } from "../result.ts";
import type { Calendar } from "../schema/calendar.ts";
import type { Candidate } from "./candidates.ts";

const DAYS_EXPLAINED = 10;

export const firstFreeArguments = argumentSchema(
  {
    duration: integer(1, 12, "number of slots in a row"),
    day: optionalInteger(1, 366, "only this day; all days if left out"),
  },
  { aliases: { span: "duration" } },
);
type Args = z.infer<typeof firstFreeArguments>;

export function findFirstFree(calendar: Calendar, args: Args): CalendarResult {
  const { duration, day } = args;
  if (day !== undefined && !isCalendarDay(calendar, day)) return refuse(dayOutOfRange(calendar, "day", day));
  const days = day === undefined ? calendar.days.map((one) => one.day) : [day];
  const found = firstEmpty(calendar, days, duration) ?? firstShared(calendar, days, duration);
  if (!found) return noPlaceResult(calendar, days, duration);
  const { position, host } = found;
  const how = host ? `inside the host ${taskLabel(host)}, which has room` : "free";
  const text = [
    `First place for ${plural(duration, "slot")}: ${positionText(calendar, position)}, ${how}.`,
    daysText(calendar, [position.day]),
  ].join("\n");
  return succeed(calendar, text, { found: true, position, host: host?.state_id ?? null, duration });
}

function firstEmpty(calendar: Calendar, days: readonly number[], duration: number): Candidate | null {
  for (const day of days) {
    const range = freeRanges(calendar.tasks, day).find((one) => slotCount(one) >= duration);
    if (range) return { position: positionAt(day, range.slot_start, duration), host: null };
  }
  return null;
}

function firstShared(calendar: Calendar, days: readonly number[], duration: number): Candidate | null {
  for (const day of days) {
    for (const { task, position } of occupantsOn(calendar.tasks, day)) {
      if (!task.can_embed || slotCount(position) < duration) continue;
      const start = positionAt(day, position.slot_start, duration);
      if (checkFit(calendar, null, start).kind === "embed") return { position: start, host: task };
    }
  }
  return null;
}

function noPlaceResult(calendar: Calendar, days: readonly number[], duration: number): CalendarResult {
  const largest = days.slice(0, DAYS_EXPLAINED).map((day) => ({
    day,
    longest: Math.max(0, ...freeRanges(calendar.tasks, day).map(slotCount)),
  }));
  const text = [
    `No place for ${plural(duration, "slot")} in a row, neither free nor inside a host.`,
    `Longest free run${days.length > DAYS_EXPLAINED ? ` of the first ${DAYS_EXPLAINED} days` : ""}:`,
    ...largest.map((one) => `- ${dayName(calendar, one.day)}: ${plural(one.longest, "slot")}`),
  ].join("\n");
  return succeed(calendar, text, { found: false, duration, longest: largest });
}
