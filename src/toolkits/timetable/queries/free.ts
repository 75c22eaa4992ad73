// find_first_free (also called find_free): the earliest place for a number of slots, empty ones before shared ones.
import type { z } from "zod";
import { argumentsOf, integer, optionalInteger } from "../arguments.ts";
import { fit } from "../changes/fit.ts";
import { freeRanges, insideWindow, length, occupantsOn } from "../occupancy.ts";
import { type Outcome, refuse, report } from "../outcome.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import { at, count, dayName, daysText, label, outsideWindow } from "../words.ts";

const DAYS_EXPLAINED = 10;

export const firstFreeArguments = argumentsOf(
  {
    duration: integer(1, 12, "number of slots in a row"),
    day: optionalInteger(1, 366, "only this day; all days if left out"),
  },
  { aliases: { span: "duration" } },
);
type Args = z.infer<typeof firstFreeArguments>;

export function findFirstFree(calendar: Calendar, args: Args): Outcome {
  const { duration, day } = args;
  if (day !== undefined && !insideWindow(calendar, day)) return refuse(outsideWindow(calendar, "day", day));
  const days = day === undefined ? calendar.days.map((one) => one.day) : [day];
  const found = firstEmpty(calendar, days, duration) ?? firstShared(calendar, days, duration);
  if (!found) return nothing(calendar, days, duration);
  const { position, host } = found;
  const how = host ? `inside the host ${label(host)}, which has room` : "free";
  const text = [
    `First place for ${count(duration, "slot")}: ${at(calendar, position)}, ${how}.`,
    daysText(calendar, [position.day]),
  ].join("\n");
  return report(calendar, text, { found: true, position, host: host?.state_id ?? null, duration });
}

type Found = { position: Position; host: Task | null };

function firstEmpty(calendar: Calendar, days: readonly number[], duration: number): Found | null {
  for (const day of days) {
    const range = freeRanges(calendar.tasks, day).find((one) => length(one) >= duration);
    if (range) return { position: starting(day, range.slot_start, duration), host: null };
  }
  return null;
}

function firstShared(calendar: Calendar, days: readonly number[], duration: number): Found | null {
  for (const day of days) {
    for (const { task, position } of occupantsOn(calendar.tasks, day)) {
      if (!task.can_embed || length(position) < duration) continue;
      const start = starting(day, position.slot_start, duration);
      if (fit(calendar, null, start).kind === "embed") return { position: start, host: task };
    }
  }
  return null;
}

export const starting = (day: number, slot: number, duration: number): Position => ({
  day,
  slot_start: slot,
  slot_end: slot + duration - 1,
});

function nothing(calendar: Calendar, days: readonly number[], duration: number): Outcome {
  const largest = days.slice(0, DAYS_EXPLAINED).map((day) => ({
    day,
    longest: Math.max(0, ...freeRanges(calendar.tasks, day).map(length)),
  }));
  const text = [
    `No place for ${count(duration, "slot")} in a row, neither free nor inside a host.`,
    `Longest free run${days.length > DAYS_EXPLAINED ? ` of the first ${DAYS_EXPLAINED} days` : ""}:`,
    ...largest.map((one) => `- ${dayName(calendar, one.day)}: ${count(one.longest, "slot")}`),
  ].join("\n");
  return report(calendar, text, { found: false, duration, longest: largest });
}
