// Defines arguments that several tools share, and functions that read them.
import * as z from "zod";
import { type Failed, fail, ok, type Result } from "../../../schema/problem.ts";
import { isSecondHour, isSkipped, localOf } from "../../../tools/ical/zone-offsets.ts";
import { parseTime } from "../../../tools/time-zone.ts";

export const refuse = (text: string): Failed => fail("tool_refused", text);

export const TimeText = z.string().min(8).max(40).describe("2026-03-02T09:15 in the calendar's time zone, or a date");
export const EventId = z.string().min(2).max(120).describe("id as lists of events show it, such as e12@2026-03-02");
export const CalendarId = z.string().max(80).optional().describe("another calendar than that of the thread");
export const Minutes = z
  .int()
  .min(5)
  .max(14 * 24 * 60);
export const Title = z.string().trim().min(1).max(200);
export const Scope = z
  .enum(["this", "following", "all"])
  .default("this")
  .describe("for a series: this occurrence, this and all following, or all");
export const IfBusy = z.enum(["refuse", "allow"]).default("refuse").describe("allow: book although the time is taken");
export const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:MM");

export const eventFields = {
  location: z.string().max(200).nullable().optional(),
  description: z.string().max(4000).nullable().optional(),
  attendees: z.array(z.email()).max(50).optional().describe("addresses; nobody is invited"),
  categories: z.array(z.string().min(1).max(80)).max(20).optional(),
  movable: z.enum(["fixed", "flexible"]).optional(),
  reminder_min: z.int().min(0).max(40_320).nullable().optional().describe("minutes before the start"),
};

const DATE = /^\d{4}-\d\d-\d\d$/;
export const isDate = (text: string): boolean => DATE.test(text.trim());

/** A local time, as if the clock showed UTC. A time that a clock change skips is refused, because it does not exist. */
export function readLocal(field: string, text: string, zone: string): Result<number> {
  const given = text.trim();
  const instant = parseTime(given, zone);
  if (instant === null) return refuse(`${field}: ${JSON.stringify(given)} is not a time such as 2026-03-02T09:15.`);
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(given) && given.length > 10)
    return isSecondHour(zone, instant) ? refuseSecondHour(field, given, zone) : ok(localOf(zone, instant));
  const local = Date.parse(`${given.slice(0, 10)}T${(given.slice(11) || "00:00").padEnd(8, ":00")}Z`);
  if (isSkipped(zone, local))
    return refuse(`${field}: ${given} does not exist in ${zone}, because the clocks are put forward over it.`);
  return ok(local);
}

export const refuseSecondHour = (field: string, time: string, zone: string): Failed =>
  refuse(
    `${field}: ${time} is in the second of two equal hours in ${zone}, which cannot be written; name another time.`,
  );

export const minutesMs = (minutes: number): number => minutes * 60_000;

const MINUTES_PER_DAY = 1440;
/** Returns the length of an all-day event in days, or null if no length is given. */
export function wholeDays(minutes: number | undefined): Result<number | null> {
  if (minutes === undefined) return ok(null);
  if (minutes % MINUTES_PER_DAY === 0) return ok(minutes / MINUTES_PER_DAY);
  return refuse(
    `duration_min: ${minutes} minutes are not whole days, and the start is a date. Give the start a time such as 2026-03-02T09:15, or leave duration_min out.`,
  );
}
