// move and batch_move: other places for suggested tasks; a batch is checked as a whole, so its order does not matter.
import { z } from "zod";
import { argumentsOf, dayArgument, slotArgument, taskId } from "../arguments.ts";
import { type Changes, type Outcome, type Refused, refuse } from "../outcome.ts";
import type { Calendar } from "../schema/calendar.ts";
import { atAll, count, label } from "../words.ts";
import type { WriteName } from "./permission.ts";
import type { Target } from "./relocate.ts";
import { carryOut, fromTo, permitted, spanFor, UNTOUCHED } from "./write.ts";

/** A person confirms a batch: more than this nobody reads through. */
export const MAX_BATCH = 8;

const moveShape = {
  task_id: taskId("number of a suggested task"),
  new_day: dayArgument("day to move it to"),
  new_slot_start: slotArgument("first slot there; the length stays"),
};
const aliases = { id: "task_id", day: "new_day", slot_start: "new_slot_start" };

export const moveArguments = argumentsOf(moveShape, { aliases });
type MoveArgs = z.infer<typeof moveArguments>;

export function move(calendar: Calendar, args: MoveArgs): Outcome<Changes> {
  const target = targetOf(calendar, "move", args);
  if (!target.ok) return target;
  return carryOut(calendar, [target.target], (after, changes) => {
    const [change] = changes;
    if (change) return `Moved ${fromTo(after, change)}.`;
    return `${label(target.task)} already lies on ${atAll(calendar, target.task.slots)}.`;
  });
}

export const batchMoveArguments = argumentsOf({
  moves: z
    .array(argumentsOf(moveShape, { aliases }), { error: "must be a list of {task_id, new_day, new_slot_start}" })
    .min(1, { error: "must have at least one move" })
    .max(MAX_BATCH, { error: `must have at most ${MAX_BATCH} moves` })
    .describe("the moves; all of them happen or none"),
});

export function batchMove(calendar: Calendar, args: z.infer<typeof batchMoveArguments>): Outcome<Changes> {
  const faults: string[] = [];
  const targets: Target[] = [];
  const seen = new Set<number>();
  for (const [index, one] of args.moves.entries()) {
    const target = targetOf(calendar, "batch_move", one);
    if (seen.has(one.task_id)) faults.push(`moves[${index}].task_id: task ${one.task_id} occurs twice.`);
    else if (!target.ok) faults.push(`moves[${index}].${target.text.replace(` ${UNTOUCHED}`, "")}`);
    else targets.push(target.target);
    seen.add(one.task_id);
  }
  if (faults.length > 0) return refuse([...faults, UNTOUCHED].join("\n"));
  return carryOut(calendar, targets, (after, changes) =>
    changes.length === 0
      ? "Every task already lies there."
      : `Moved ${count(changes.length, "task")}: ${changes.map((one) => fromTo(after, one)).join("; ")}.`,
  );
}

type Targeted = { readonly ok: true; readonly target: Target; readonly task: Calendar["tasks"][number] };

function targetOf(calendar: Calendar, write: WriteName, args: MoveArgs): Targeted | Refused {
  const found = permitted(calendar, write, "task_id", args.task_id);
  if (!found.ok) return found;
  const where = { day: args.new_day, slot: args.new_slot_start };
  const spanned = spanFor(calendar, found.task, where, { day: "new_day", slot: "new_slot_start" });
  if (!spanned.ok) return spanned;
  return { ok: true, target: { task_id: args.task_id, slots: [spanned.position] }, task: found.task };
}
