// Implements query_range, which shows one day with each entry once, or a range slot by slot. Sharing a host is not
// shown as a conflict.
import type { z } from "zod";
import { argumentSchema, dayArgument, optionalInteger } from "../arguments.ts";
import { datedName, dayOutOfRange, dayText, occupantText, plural, slotRangeText } from "../format.ts";
import { freeRanges, guestAt, isCalendarDay, occupantsOn, overlaps, slotCount, slotsOf } from "../occupancy.ts";
import { type CalendarResult, refuse, succeed } from "../result.ts";
import type { Calendar, Position } from "../schema/calendar.ts";

export const rangeArguments = argumentSchema({
  day: dayArgument("day of the calendar"),
  slot_start: optionalInteger(1, 12, "first slot; only together with slot_end, else the whole day is shown"),
  slot_end: optionalInteger(1, 12, "last slot; only together with slot_start"),
});
type Args = z.infer<typeof rangeArguments>;

export function queryRange(calendar: Calendar, args: Args): CalendarResult {
  const { day, slot_start, slot_end } = args;
  if (!isCalendarDay(calendar, day)) return refuse(dayOutOfRange(calendar, "day", day));
  if (slot_start === undefined || slot_end === undefined) return describeDay(calendar, day);
  if (slot_start > slot_end) return refuse("slot_start: lies after slot_end.");
  return describeSlots(calendar, { day, slot_start, slot_end });
}

function occupantsText(calendar: Calendar, where: Position): string {
  const found = occupantsOn(calendar.tasks, where.day).filter(({ position }) => overlaps(position, where));
  return found.map((one) => occupantText(calendar, one)).join("; ") || "free";
}

function dayData(calendar: Calendar, day: number) {
  return {
    day,
    occupants: occupantsOn(calendar.tasks, day).map(({ task, position }) => ({
      task_id: task.state_id,
      name: task.name,
      status: task.status,
      locked: task.locked,
      can_embed: task.can_embed,
      embed_host: task.embed_host,
      embedded_by: task.embedded_by,
      ...position,
    })),
    free: freeRanges(calendar.tasks, day),
  };
}

function describeSlots(calendar: Calendar, where: Position): CalendarResult {
  const lines = slotsOf(where).map((slot) => {
    return { slot, text: occupantsText(calendar, { day: where.day, slot_start: slot, slot_end: slot }) };
  });
  const free = lines.filter((line) => line.text === "free").length;
  const text = [
    `${datedName(calendar, where.day)}, ${slotRangeText(where)}: ${free} free, ${slotCount(where) - free} in use.`,
    ...lines.map((line) => `- slot ${line.slot}: ${line.text}`),
  ].join("\n");
  const { slot_start, slot_end } = where;
  return succeed(calendar, text, { ...dayData(calendar, where.day), slot_start, slot_end });
}

function describeDay(calendar: Calendar, day: number): CalendarResult {
  const hosts = occupantsOn(calendar.tasks, day).filter(({ task }) => task.can_embed);
  const open = hosts.filter(({ task, position }) => !guestAt(calendar.tasks, task, position));
  const rooms = open.map(({ task, position }) => `[${task.state_id}] ${slotRangeText(position)}`).join(", ") || "none";
  const hostText =
    hosts.length === 0
      ? "No embeddable host on this day."
      : `${plural(hosts.length, "embeddable host")}, ${open.length} with room: ${rooms}.`;
  return succeed(calendar, `${dayText(calendar, day)}\n${hostText}`, dayData(calendar, day));
}
