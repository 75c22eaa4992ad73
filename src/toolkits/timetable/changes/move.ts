// Implements move, batch_move and swap, which move suggested tasks. A batch is checked as a whole, so its order does not
// matter.

import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { argumentSchema, dayArgument, slotArgument, taskId } from "../arguments.ts";
import { plural, positionsText, taskLabel } from "../format.ts";
import { totalLength } from "../occupancy.ts";
import { type CalendarResult, type Changes, refuse } from "../result.ts";
import type { Calendar, Task } from "../schema/calendar.ts";
import type { WriteName } from "./permission.ts";
import type { Target } from "./relocate.ts";
import { applyTargets, changeText, findWritableTask, positionFor, UNCHANGED_NOTICE } from "./write.ts";

/** The user approves the whole batch, so it must be short enough to review. */
export const MAX_BATCH = 8;

const moveShape = {
  task_id: taskId("number of a suggested task"),
  new_day: dayArgument("day to move it to"),
  new_slot_start: slotArgument("first slot there; the length stays"),
};
const aliases = { id: "task_id", day: "new_day", slot_start: "new_slot_start" };

export const moveArguments = argumentSchema(moveShape, { aliases });
type MoveArgs = z.infer<typeof moveArguments>;

export function move(calendar: Calendar, args: MoveArgs): CalendarResult<Changes> {
  const target = resolveTarget(calendar, "move", args);
  if (!target.ok) return target;
  return applyTargets(calendar, [target.value.target], (after, changes) => {
    const [change] = changes;
    if (change) return `Moved ${changeText(after, change)}.`;
    return `${taskLabel(target.value.task)} already lies on ${positionsText(calendar, target.value.task.slots)}.`;
  });
}

export const batchMoveArguments = argumentSchema({
  moves: z
    .array(argumentSchema(moveShape, { aliases }), { error: "must be a list of {task_id, new_day, new_slot_start}" })
    .min(1, { error: "must have at least one move" })
    .max(MAX_BATCH, { error: `must have at most ${MAX_BATCH} moves` })
    .describe("the moves; all of them happen or none"),
});

export function batchMove(calendar: Calendar, args: z.infer<typeof batchMoveArguments>): CalendarResult<Changes> {
  const errors: string[] = [];
  const targets: Target[] = [];
  const seen = new Set<number>();
  for (const [index, one] of args.moves.entries()) {
    const target = resolveTarget(calendar, "batch_move", one);
    if (seen.has(one.task_id)) errors.push(`moves[${index}].task_id: task ${one.task_id} occurs twice.`);
    else if (!target.ok) errors.push(`moves[${index}].${target.problem.message.replace(` ${UNCHANGED_NOTICE}`, "")}`);
    else targets.push(target.value.target);
    seen.add(one.task_id);
  }
  if (errors.length > 0) return refuse([...errors, UNCHANGED_NOTICE].join("\n"));
  return applyTargets(calendar, targets, (after, changes) =>
    changes.length === 0
      ? "Every task already lies there."
      : `Moved ${plural(changes.length, "task")}: ${changes.map((one) => changeText(after, one)).join("; ")}.`,
  );
}

function resolveTarget(calendar: Calendar, write: WriteName, args: MoveArgs): Result<{ target: Target; task: Task }> {
  const found = findWritableTask(calendar, write, "task_id", args.task_id);
  if (!found.ok) return found;
  const where = { day: args.new_day, slot: args.new_slot_start };
  const position = positionFor(calendar, found.value, where, { day: "new_day", slot: "new_slot_start" });
  if (!position.ok) return position;
  return ok({ target: { task_id: args.task_id, slots: [position.value] }, task: found.value });
}

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
  const [lengthA, lengthB] = [totalLength(a.value.slots), totalLength(b.value.slots)];
  if (lengthA !== lengthB) {
    const lengths = `${taskLabel(a.value)} has ${plural(lengthA, "slot")} and ${taskLabel(b.value)} has ${plural(lengthB, "slot")}`;
    return refuse(`task_b: ${lengths}; only tasks of equal length can be swapped. ${UNCHANGED_NOTICE}`);
  }
  const targets = [
    { task_id: args.task_a, slots: b.value.slots },
    { task_id: args.task_b, slots: a.value.slots },
  ];
  return applyTargets(calendar, targets, (after, changes) =>
    changes.length === 0
      ? `${taskLabel(a.value)} and ${taskLabel(b.value)} share the same slots.`
      : `Swapped ${changes.map((one) => changeText(after, one)).join("; ")}.`,
  );
}
