// place and unplace: give a pending task its first place, or take a suggested one off the calendar again.
import type { z } from "zod";
import { argumentsOf, dayArgument, slotArgument, taskId } from "../arguments.ts";
import { findTask } from "../occupancy.ts";
import type { Changes, Outcome } from "../outcome.ts";
import type { Calendar } from "../schema/calendar.ts";
import { at, count, label } from "../words.ts";
import { carryOut, permitted, spanFor } from "./write.ts";

export const placeArguments = argumentsOf(
  {
    task_id: taskId("number of a pending task"),
    day: dayArgument("day to place it on"),
    slot_start: slotArgument("first slot; the task takes as many as it needs"),
  },
  { aliases: { id: "task_id", new_day: "day", new_slot_start: "slot_start" } },
);

export function place(calendar: Calendar, args: z.infer<typeof placeArguments>): Outcome<Changes> {
  const found = permitted(calendar, "place", "task_id", args.task_id);
  if (!found.ok) return found;
  const where = { day: args.day, slot: args.slot_start };
  const spanned = spanFor(calendar, found.task, where, { day: "day", slot: "slot_start" });
  if (!spanned.ok) return spanned;
  return carryOut(calendar, [{ task_id: args.task_id, slots: [spanned.position] }], (after) => {
    const host = findTask(after, findTask(after, args.task_id)?.embed_host ?? 0);
    const pending = after.tasks.filter((task) => task.status === "pending").length;
    const how = host ? `, inside the host ${label(host)}` : "";
    return `Placed ${label(found.task)} on ${at(after, spanned.position)}${how}. ${count(pending, "pending task")} left.`;
  });
}

export const unplaceArguments = argumentsOf(
  { task_id: taskId("number of a suggested task") },
  { aliases: { id: "task_id" } },
);

/** A host takes its guest along: the guest has no place of its own. */
export function unplace(calendar: Calendar, args: z.infer<typeof unplaceArguments>): Outcome<Changes> {
  const found = permitted(calendar, "unplace", "task_id", args.task_id);
  if (!found.ok) return found;
  const guest = found.task.embedded_by === null ? undefined : findTask(calendar, found.task.embedded_by);
  if (guest) {
    const allowed = permitted(calendar, "unplace", "task_id", guest.state_id);
    if (!allowed.ok) return allowed;
  }
  const targets = [found.task, ...(guest ? [guest] : [])].map((task) => ({ task_id: task.state_id, slots: [] }));
  const also = guest ? `, and ${label(guest)}, which lay inside it` : "";
  return carryOut(calendar, targets, () => `${label(found.task)} is pending again${also}.`);
}
