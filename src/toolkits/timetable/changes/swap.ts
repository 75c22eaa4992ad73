// Implements swap, which exchanges the positions of two suggested tasks of equal length.
import type { z } from "zod";
import { argumentSchema, taskId } from "../arguments.ts";
import { plural, taskLabel } from "../format.ts";
import { totalLength } from "../occupancy.ts";
import { type CalendarResult, type Changes, refuse } from "../result.ts";
import type { Calendar } from "../schema/calendar.ts";
import { applyTargets, changeText, findWritableTask, UNCHANGED_NOTICE } from "./write.ts";

export const swapArguments = argumentSchema(
  { task_a: taskId("number of a suggested task"), task_b: taskId("number of another suggested task of equal length") },
  { aliases: { task_id_a: "task_a", task_id_b: "task_b", a: "task_a", b: "task_b" } },
);

export function swap(calendar: Calendar, args: z.infer<typeof swapArguments>): CalendarResult<Changes> {
  if (args.task_a === args.task_b) return refuse(`task_b: is the same task as task_a. ${UNCHANGED_NOTICE}`);
  const a = findWritableTask(calendar, "swap", "task_a", args.task_a);
  if (!a.ok) return a;
  const b = findWritableTask(calendar, "swap", "task_b", args.task_b);
  if (!b.ok) return b;
  const [lengthA, lengthB] = [totalLength(a.task.slots), totalLength(b.task.slots)];
  if (lengthA !== lengthB) {
    const lengths = `${taskLabel(a.task)} has ${plural(lengthA, "slot")} and ${taskLabel(b.task)} has ${plural(lengthB, "slot")}`;
    return refuse(`task_b: ${lengths}; only tasks of equal length can be swapped. ${UNCHANGED_NOTICE}`);
  }
  const targets = [
    { task_id: args.task_a, slots: b.task.slots },
    { task_id: args.task_b, slots: a.task.slots },
  ];
  return applyTargets(calendar, targets, (after, changes) =>
    changes.length === 0
      ? `${taskLabel(a.task)} and ${taskLabel(b.task)} share the same slots.`
      : `Swapped ${changes.map((one) => changeText(after, one)).join("; ")}.`,
  );
}
