// Implements place, which schedules a pending task, and unplace, which makes a suggested one pending again.
import type { z } from "zod";
import { argumentSchema, dayArgument, slotArgument, taskId } from "../arguments.ts";
import { plural, positionText, taskLabel } from "../format.ts";
import { findTask, guestsOf } from "../occupancy.ts";
import type { CalendarResult, Changes } from "../result.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import { applyTargets, findWritableTask, positionFor } from "./write.ts";

export const placeArguments = argumentSchema(
  {
    task_id: taskId("number of a pending task"),
    day: dayArgument("day to place it on"),
    slot_start: slotArgument("first slot; the task takes as many as it needs"),
  },
  { aliases: { id: "task_id", new_day: "day", new_slot_start: "slot_start" } },
);

export function place(calendar: Calendar, args: z.infer<typeof placeArguments>): CalendarResult<Changes> {
  const found = findWritableTask(calendar, "place", "task_id", args.task_id);
  if (!found.ok) return found;
  const where = { day: args.day, slot: args.slot_start };
  const position = positionFor(calendar, found.value, where, { day: "day", slot: "slot_start" });
  if (!position.ok) return position;
  return applyTargets(calendar, [{ task_id: args.task_id, slots: [position.value] }], (after) => {
    const host = findTask(after, findTask(after, args.task_id)?.embed_host ?? 0);
    const pending = after.tasks.filter((task) => task.status === "pending").length;
    const how = host ? `, inside the host ${taskLabel(host)}` : "";
    return `Placed ${taskLabel(found.value)} on ${positionText(after, position.value)}${how}. ${plural(pending, "pending task")} left.${classRuleNote(after, found.value, position.value)}`;
  });
}

/** Rules guide searches, but the user may override them. */
function classRuleNote(calendar: Calendar, task: Task, { day, slot_start, slot_end }: Position): string {
  const rules = calendar.classes.find(({ id }) => id === task.task_class);
  if (!rules) return "";
  const excluded = rules.excluded_slots.filter((slot) => slot >= slot_start && slot <= slot_end);
  const broken = [
    ...(excluded.length > 0 ? [`not in slots ${excluded.join(", ")}`] : []),
    ...(rules.day_start !== null && day < rules.day_start ? [`not before day ${rules.day_start}`] : []),
    ...(rules.day_end !== null && day > rules.day_end ? [`not after day ${rules.day_end}`] : []),
  ];
  return broken.length === 0 ? "" : ` This breaks a rule of the class "${rules.name}": ${broken.join(", ")}.`;
}

export const unplaceArguments = argumentSchema(
  { task_id: taskId("number of a suggested task") },
  { aliases: { id: "task_id" } },
);

/** Unplaces a task together with its guests, which have no slots of their own. */
export function unplace(calendar: Calendar, args: z.infer<typeof unplaceArguments>): CalendarResult<Changes> {
  const found = findWritableTask(calendar, "unplace", "task_id", args.task_id);
  if (!found.ok) return found;
  const guests = guestsOf(calendar.tasks, found.value);
  for (const guest of guests) {
    const allowed = findWritableTask(calendar, "unplace", "task_id", guest.state_id);
    if (!allowed.ok) return allowed;
  }
  const targets = [found.value, ...guests].map((task) => ({ task_id: task.state_id, slots: [] }));
  const also = guests.length > 0 ? `, and ${guests.map(taskLabel).join(", ")}, which lay inside it` : "";
  return applyTargets(calendar, targets, () => `${taskLabel(found.value)} is pending again${also}.`);
}
