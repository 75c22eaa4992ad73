// Defines the time of day of each slot, and finds the slots that overlap a time range.
import * as z from "zod";
import { type LocalTime, minutesOf } from "../../tools/time-zone.ts";
import { slotNumbers } from "./occupancy.ts";
import { type Position, SLOTS_PER_DAY } from "./schema/calendar.ts";

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:MM");

export const SlotTime = z.object({ start: ClockTime, end: ClockTime });
export type SlotTime = z.infer<typeof SlotTime>;

export const SlotTimes = z
  .array(SlotTime)
  .length(SLOTS_PER_DAY, `must list ${SLOTS_PER_DAY} slots`)
  .refine(
    (times) => times.every((one, index) => one.start < one.end && (times[index - 1]?.end ?? "") <= one.start),
    "must be in order and must not overlap",
  );

/** Twelve slots of one hour from 08:00 to 20:00, which cover an ordinary working day without gaps. */
export const hourlySlots: readonly SlotTime[] = slotNumbers.map((slot) => ({
  start: `${String(slot + 7).padStart(2, "0")}:00`,
  end: `${String(slot + 8).padStart(2, "0")}:00`,
}));

/** The start and end of a position, such as 10:00-12:00. */
export const clockTimes = ({ slot_start, slot_end }: Pick<Position, "slot_start" | "slot_end">): string =>
  `${hourlySlots[slot_start - 1]?.start}-${hourlySlots[slot_end - 1]?.end}`;

export function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(":").map(Number);
  return hour * 60 + minute;
}

/** One position per day. `firstDay` is the day number of day 1. */
export function positionsOf(
  from: LocalTime,
  to: LocalTime,
  window: { readonly firstDay: number; readonly totalDays: number },
  times: readonly SlotTime[],
): Position[] {
  const found: Position[] = [];
  const lastDay = Math.min(to.day, window.firstDay + window.totalDays - 1);
  for (let day = Math.max(from.day, window.firstDay); day <= lastDay; day += 1) {
    const overlapping = slotNumbers.filter((slot) => {
      const time = times[slot - 1];
      if (!time) return false;
      const [start, end] = [minuteOf(time.start), minuteOf(time.end)].map((minute) => minutesOf({ day, minute }));
      return (start ?? 0) < minutesOf(to) && minutesOf(from) < (end ?? 0);
    });
    const [first, last] = [overlapping[0], overlapping.at(-1)];
    if (first !== undefined && last !== undefined)
      found.push({ day: day - window.firstDay + 1, slot_start: first, slot_end: last });
  }
  return found;
}
