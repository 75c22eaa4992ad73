// swap: two suggested tasks of equal length change places.
import type { z } from "zod";
import { argumentsOf, taskId } from "../arguments.ts";
import { totalLength } from "../occupancy.ts";
import { type Changes, type Outcome, refuse } from "../outcome.ts";
import type { Calendar } from "../schema/calendar.ts";
import { count, label } from "../words.ts";
import { carryOut, fromTo, permitted, UNTOUCHED } from "./write.ts";

export const swapArguments = argumentsOf(
  { task_a: taskId("number of a suggested task"), task_b: taskId("number of another suggested task of equal length") },
  { aliases: { task_id_a: "task_a", task_id_b: "task_b", a: "task_a", b: "task_b" } },
);

export function swap(calendar: Calendar, args: z.infer<typeof swapArguments>): Outcome<Changes> {
  if (args.task_a === args.task_b) return refuse(`task_b: is the same task as task_a. ${UNTOUCHED}`);
  const a = permitted(calendar, "swap", "task_a", args.task_a);
  if (!a.ok) return a;
  const b = permitted(calendar, "swap", "task_b", args.task_b);
  if (!b.ok) return b;
  const [lengthA, lengthB] = [totalLength(a.task.slots), totalLength(b.task.slots)];
  if (lengthA !== lengthB) {
    return refuse(
      `task_b: ${label(a.task)} has ${count(lengthA, "slot")} and ${label(b.task)} has ${count(lengthB, "slot")}; only tasks of equal length can be swapped. ${UNTOUCHED}`,
    );
  }
  const targets = [
    { task_id: args.task_a, slots: b.task.slots },
    { task_id: args.task_b, slots: a.task.slots },
  ];
  return carryOut(calendar, targets, (after, changes) =>
    changes.length === 0
      ? `${label(a.task)} and ${label(b.task)} share the same slots.`
      : `Swapped ${changes.map((one) => fromTo(after, one)).join("; ")}.`,
  );
}
