// Defines the filter arguments of searches and spread_even, and selects days and slots by them.

import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { type Aliases, optionalFlag, optionalInteger, optionalIntegers } from "../arguments.ts";
import { dayOutOfRange } from "../format.ts";
import { isCalendarDay } from "../occupancy.ts";
import { refuse } from "../result.ts";
import type { Calendar } from "../schema/calendar.ts";

const optionalDay = (description: string) => optionalInteger(1, 366, description);
const optionalWeek = (description: string) => optionalInteger(1, 60, description);
const optionalSlot = (description: string) => optionalInteger(1, 12, description);

export const filterShape = {
  day: optionalDay("only this day; not together with day_start or day_end"),
  day_start: optionalDay("first day of a range"),
  day_end: optionalDay("last day of a range"),
  day_scope: z
    .enum(["all", "workday", "weekend"], { error: "must be all, workday or weekend" })
    .optional()
    .describe("workday is Monday to Friday; all if left out"),
  day_of_week: optionalIntegers(1, 7, "only these weekdays, 1 is Monday and 7 is Sunday"),
  week: optionalWeek("only this week"),
  week_from: optionalWeek("first week of a range"),
  week_to: optionalWeek("last week of a range"),
  week_filter: optionalIntegers(1, 60, "only these weeks"),
  exclude_slots: optionalIntegers(1, 12, "slots that must stay unused"),
  after_slot: optionalSlot("only slots after this one, itself excluded"),
  before_slot: optionalSlot("only slots before this one, itself excluded"),
  slot_start: optionalSlot("first slot of a range; needs slot_end"),
  slot_end: optionalSlot("last slot of a range; needs slot_start"),
  allow_embed: optionalFlag("whether hosts with room may be used too; true if left out"),
};

/** Former names of the filters. */
export const filterAliases: Aliases = {
  exclude_sections: "exclude_slots",
  after_section: "after_slot",
  before_section: "before_slot",
  section_from: "slot_start",
  section_to: "slot_end",
};

export const filterHints: Aliases = {
  day_from: "day_start",
  day_to: "day_end",
  weekday: "day_of_week",
  weeks: "week_filter",
};

const Filters = z.object(filterShape);
export type Filters = z.infer<typeof Filters>;

export type Selection = {
  readonly days: readonly number[];
  readonly allowed: (slot: number) => boolean;
  readonly allowEmbed: boolean;
};

export function applyFilters(calendar: Calendar, filters: Filters): Result<Selection> {
  const error = filterError(calendar, filters);
  if (error) return refuse(error);
  const days = calendar.days.filter((one) => matchesDay(filters, one)).map((one) => one.day);
  if (days.length === 0) return refuse("No day of this calendar passes the filters together.");
  return ok({ days, allowed: (slot) => matchesSlot(filters, slot), allowEmbed: filters.allow_embed ?? true });
}

function filterError(calendar: Calendar, filters: Filters): string | null {
  for (const field of ["day", "day_start", "day_end"] as const) {
    const day = filters[field];
    if (day !== undefined && !isCalendarDay(calendar, day)) return dayOutOfRange(calendar, field, day);
  }
  if (filters.day !== undefined && (filters.day_start !== undefined || filters.day_end !== undefined))
    return "day: give either day, or day_start and day_end, not both.";
  if ((filters.slot_start === undefined) !== (filters.slot_end === undefined))
    return "slot_start: slot_start and slot_end go together; one of them is missing.";
  if ((filters.day_start ?? 1) > (filters.day_end ?? 366)) return "day_start: lies after day_end.";
  if ((filters.week_from ?? 1) > (filters.week_to ?? 60)) return "week_from: lies after week_to.";
  if ((filters.slot_start ?? 1) > (filters.slot_end ?? 12)) return "slot_start: lies after slot_end.";
  return null;
}

function matchesDay(filters: Filters, one: Calendar["days"][number]): boolean {
  if (filters.day !== undefined && one.day !== filters.day) return false;
  if (one.day < (filters.day_start ?? 1) || one.day > (filters.day_end ?? one.day)) return false;
  if (filters.day_scope === "workday" && one.weekday > 5) return false;
  if (filters.day_scope === "weekend" && one.weekday <= 5) return false;
  if (filters.day_of_week?.length && !filters.day_of_week.includes(one.weekday)) return false;
  if (filters.week !== undefined && one.week !== filters.week) return false;
  if (one.week < (filters.week_from ?? 1) || one.week > (filters.week_to ?? one.week)) return false;
  return !filters.week_filter?.length || filters.week_filter.includes(one.week);
}

function matchesSlot(filters: Filters, slot: number): boolean {
  if (filters.exclude_slots?.includes(slot)) return false;
  if (filters.after_slot !== undefined && slot <= filters.after_slot) return false;
  if (filters.before_slot !== undefined && slot >= filters.before_slot) return false;
  return slot >= (filters.slot_start ?? 1) && slot <= (filters.slot_end ?? 12);
}
