// query_range: one day in pairs, or a range of it slot by slot. Sharing a host is shown as sharing, not as a conflict.
import type { z } from "zod";
import { argumentsOf, dayArgument, optionalInteger } from "../arguments.ts";
import { freeRanges, insideWindow, length, occupantsOn, overlaps, slotNumbers } from "../occupancy.ts";
import { type Outcome, refuse, report } from "../outcome.ts";
import { type Calendar, type Position, SLOTS_PER_DAY } from "../schema/calendar.ts";
import { capital, count, dayName, freeText, loadText, occupantText, outsideWindow, span } from "../words.ts";

export const rangeArguments = argumentsOf({
  day: dayArgument("day of the calendar"),
  slot_start: optionalInteger(1, 12, "first slot; only together with slot_end, else the whole day is shown"),
  slot_end: optionalInteger(1, 12, "last slot; only together with slot_start"),
});
type Args = z.infer<typeof rangeArguments>;

export function queryRange(calendar: Calendar, args: Args): Outcome {
  const { day, slot_start, slot_end } = args;
  if (!insideWindow(calendar, day)) return refuse(outsideWindow(calendar, "day", day));
  if (slot_start === undefined || slot_end === undefined) return wholeDay(calendar, day);
  if (slot_start > slot_end) return refuse("slot_start: lies after slot_end.");
  return slotBySlot(calendar, { day, slot_start, slot_end });
}

function inSpan(calendar: Calendar, where: Position): string {
  const found = occupantsOn(calendar.tasks, where.day).filter(({ position }) => overlaps(position, where));
  return found.map(occupantText).join("; ") || "free";
}

function facts(calendar: Calendar, day: number) {
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

function slotBySlot(calendar: Calendar, where: Position): Outcome {
  const slots = slotNumbers.filter((slot) => slot >= where.slot_start && slot <= where.slot_end);
  const lines = slots.map((slot) => {
    return { slot, text: inSpan(calendar, { day: where.day, slot_start: slot, slot_end: slot }) };
  });
  const free = lines.filter((line) => line.text === "free").length;
  const text = [
    `${capital(dayName(calendar, where.day))}, ${span(where)}: ${free} free, ${length(where) - free} in use.`,
    ...lines.map((line) => `- slot ${line.slot}: ${line.text}`),
  ].join("\n");
  return report(calendar, text, {
    ...facts(calendar, where.day),
    slot_start: where.slot_start,
    slot_end: where.slot_end,
  });
}

function wholeDay(calendar: Calendar, day: number): Outcome {
  const pairs = slotNumbers.filter((slot) => slot % 2 === 1);
  const hosts = occupantsOn(calendar.tasks, day).filter(({ task }) => task.can_embed);
  const open = hosts.filter(({ task }) => task.embedded_by === null);
  const text = [
    `${capital(dayName(calendar, day))}: ${loadText(calendar, day)}.`,
    ...pairs.map((slot) => {
      const pair = { day, slot_start: slot, slot_end: Math.min(slot + 1, SLOTS_PER_DAY) };
      return `- ${span(pair)}: ${inSpan(calendar, pair)}`;
    }),
    freeText(freeRanges(calendar.tasks, day)),
    hosts.length === 0
      ? "No embeddable host on this day."
      : `${count(hosts.length, "embeddable host")}, ${open.length} with room: ${
          open.map(({ task, position }) => `[${task.state_id}] ${span(position)}`).join(", ") || "none"
        }.`,
  ].join("\n");
  return report(calendar, text, facts(calendar, day));
}
