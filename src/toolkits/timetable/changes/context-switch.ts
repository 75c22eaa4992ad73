// Implements min_context_switch, which exchanges the positions of suggested tasks so that tasks of one category are
// consecutive.
import type { z } from "zod";
import { argumentSchema, taskIds } from "../arguments.ts";
import { comparePositions, slotCount } from "../occupancy.ts";
import { type CalendarResult, type Changes, succeedWithChanges } from "../result.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import { chooseTasks } from "./spread.ts";
import { applyTargets, changeText, UNCHANGED_NOTICE } from "./write.ts";

export const contextSwitchArguments = argumentSchema({ task_ids: taskIds });

type Assignment = { readonly task: Task; readonly position: Position };

export function minContextSwitch(
  calendar: Calendar,
  args: z.infer<typeof contextSwitchArguments>,
): CalendarResult<Changes> {
  const chosen = chooseTasks(calendar, "min_context_switch", args.task_ids);
  if (!chosen.ok) return chosen;
  const assignments = chosen.value
    .flatMap((task): Assignment[] => task.slots.map((position) => ({ task, position })))
    .sort((a, b) => comparePositions(a.position, b.position));
  const arranged = arrange(assignments);
  const before = countSwitches(assignments);
  const after = countSwitches(arranged);
  if (after >= before) {
    const text = `These tasks already change category only ${before} times. ${UNCHANGED_NOTICE}`;
    return succeedWithChanges(calendar, text, []);
  }
  const targets = arranged.map((assignment) => ({ task_id: assignment.task.state_id, slots: [assignment.position] }));
  return applyTargets(calendar, targets, (now, changes) => {
    return `Category switches ${before} -> ${after}: ${changes.map((one) => changeText(now, one)).join("; ")}.`;
  });
}

export const countSwitches = (assignments: readonly Assignment[]): number =>
  assignments.filter(({ task }, index) => index > 0 && assignments[index - 1]?.task.category !== task.category).length;

/** Fills the positions in order, and stays in a category while it has a task of the right length. */
function arrange(assignments: readonly Assignment[]): Assignment[] {
  const unassigned = assignments.map((assignment) => assignment.task);
  let category: string | null | undefined;
  return assignments.map(({ position }) => {
    const fitting = unassigned.filter((task) => task.duration === slotCount(position));
    const next = fitting.find((task) => task.category === category) ?? fitting[0];
    // There are as many tasks as positions of each length, so one is always available.
    if (!next) throw new Error("more positions than tasks of one length");
    unassigned.splice(unassigned.indexOf(next), 1);
    category = next.category;
    return { task: next, position };
  });
}
