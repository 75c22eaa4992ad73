// Which days and slots a search or a spread may use: the filter arguments and what they mean on a calendar.
import { z } from "zod";
import { type Aliases, optionalFlag, optionalInteger, optionalIntegers } from "../arguments.ts";
import { insideWindow } from "../occupancy.ts";
import { type Refused, refuse } from "../outcome.ts";
import type { Calendar } from "../schema/calendar.ts";
import { outsideWindow } from "../words.ts";

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
  exclude_sections: optionalIntegers(1, 12, "slots that must stay unused"),
  after_section: optionalSlot("only slots after this one, itself excluded"),
  before_section: optionalSlot("only slots before this one, itself excluded"),
  section_from: optionalSlot("first slot of a range; needs section_to"),
  section_to: optionalSlot("last slot of a range; needs section_from"),
  allow_embed: optionalFlag("whether hosts with room may be used too; true if left out"),
};

export const filterHints: Aliases = {
  day_from: "day_start",
  day_to: "day_end",
  weekday: "day_of_week",
  weeks: "week_filter",
  slot_start: "section_from",
  slot_end: "section_to",
};

const Filters = z.object(filterShape);
export type Filters = z.infer<typeof Filters>;

export type Selection = {
  readonly days: readonly number[];
  readonly allowed: (slot: number) => boolean;
  readonly allowEmbed: boolean;
};

export function select(calendar: Calendar, filters: Filters): ({ ok: true } & Selection) | Refused {
  const fault = contradiction(calendar, filters);
  if (fault) return refuse(fault);
  const days = calendar.days.filter((one) => keepsDay(filters, one)).map((one) => one.day);
  if (days.length === 0) return refuse("No day of this calendar passes the filters together.");
  return { ok: true, days, allowed: (slot) => keepsSlot(filters, slot), allowEmbed: filters.allow_embed ?? true };
}

function contradiction(calendar: Calendar, f: Filters): string | null {
  for (const field of ["day", "day_start", "day_end"] as const) {
    const day = f[field];
    if (day !== undefined && !insideWindow(calendar, day)) return outsideWindow(calendar, field, day);
  }
  if (f.day !== undefined && (f.day_start !== undefined || f.day_end !== undefined)) {
    return "day: give either day, or day_start and day_end, not both.";
  }
  if ((f.section_from === undefined) !== (f.section_to === undefined)) {
    return "section_from: section_from and section_to go together; one of them is missing.";
  }
  if ((f.day_start ?? 1) > (f.day_end ?? 366)) return "day_start: lies after day_end.";
  if ((f.week_from ?? 1) > (f.week_to ?? 60)) return "week_from: lies after week_to.";
  if ((f.section_from ?? 1) > (f.section_to ?? 12)) return "section_from: lies after section_to.";
  return null;
}

function keepsDay(f: Filters, one: Calendar["days"][number]): boolean {
  if (f.day !== undefined && one.day !== f.day) return false;
  if (one.day < (f.day_start ?? 1) || one.day > (f.day_end ?? one.day)) return false;
  if (f.day_scope === "workday" && one.weekday > 5) return false;
  if (f.day_scope === "weekend" && one.weekday <= 5) return false;
  if (f.day_of_week?.length && !f.day_of_week.includes(one.weekday)) return false;
  if (f.week !== undefined && one.week !== f.week) return false;
  if (one.week < (f.week_from ?? 1) || one.week > (f.week_to ?? one.week)) return false;
  return !f.week_filter?.length || f.week_filter.includes(one.week);
}

function keepsSlot(f: Filters, slot: number): boolean {
  if (f.exclude_sections?.includes(slot)) return false;
  if (f.after_section !== undefined && slot <= f.after_section) return false;
  if (f.before_section !== undefined && slot >= f.before_section) return false;
  return slot >= (f.section_from ?? 1) && slot <= (f.section_to ?? 12);
}
