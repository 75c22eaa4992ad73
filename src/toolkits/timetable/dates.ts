// Converts between calendar dates (YYYY-MM-DD) and day numbers.
import { localOf } from "../../tools/ical/zone-offsets.ts";
import type { Calendar, CalendarDay } from "./schema/calendar.ts";

const MS_PER_DAY = 86_400_000;

/** The number of days from 1970-01-01 to a valid date. */
export function dayNumber(date: string): number {
  const [year = 1970, month = 1, day = 1] = date.split("-").map(Number);
  return Math.round(Date.UTC(year, month - 1, day) / MS_PER_DAY);
}

/** The ISO form writes years above 9999 with a sign and six digits, such as "+010000". Only five digits are wanted. */
export function dateOf(dayNumber: number): string {
  const [date = ""] = new Date(dayNumber * MS_PER_DAY).toISOString().split("T");
  return date.replace(/^\+0*/, "");
}

/** 1 is Monday. Day 0, 1970-01-01, was a Thursday. */
export const weekdayOf = (dayNumber: number): number => ((((dayNumber + 3) % 7) + 7) % 7) + 1;

export const dateOfDay = (calendar: Calendar, day: number): string | null =>
  calendar.starts_on === null ? null : dateOf(dayNumber(calendar.starts_on) + day - 1);

/** Null if today is a day of the calendar, or if the calendar has no dates. */
export function outsideNote(calendar: Calendar, now: number, zone: string): string | null {
  if (calendar.starts_on === null) return null;
  const today = Math.floor(localOf(zone, now) / MS_PER_DAY);
  const day = today - dayNumber(calendar.starts_on) + 1;
  if (day >= 1 && day <= calendar.total_days) return null;
  return `Today, ${dateOf(today)}, is ${day < 1 ? "before the first" : "after the last"} day of this timetable.`;
}

/** Weeks begin on Monday, so the first one may be shorter. */
export function dayMapping(total: number, firstWeekday: number): CalendarDay[] {
  return Array.from({ length: total }, (_, index) => {
    const fromMonday = firstWeekday - 1 + index;
    return { day: index + 1, week: Math.floor(fromMonday / 7) + 1, weekday: (fromMonday % 7) + 1 };
  });
}
