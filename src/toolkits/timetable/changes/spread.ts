// Implements spread_even, which moves several suggested tasks so that the selected days have about the same load. It
// moves all or none.

import type { z } from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { argumentSchema, taskIds } from "../arguments.ts";
import { plural, taskLabel } from "../format.ts";
import { loadOf } from "../occupancy.ts";
import { firstFreePositionFor, firstHostPositionFor } from "../queries/candidates.ts";
import {
  applyFilters,
  type Filters,
  filterAliases,
  filterHints,
  filterShape,
  type Selection,
} from "../queries/filters.ts";
import { imbalance, roundToHundredths } from "../queries/measure.ts";
import { type CalendarResult, type Changes, refuse, succeedWithChanges } from "../result.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import type { WriteName } from "./permission.ts";
import { relocate, type Target } from "./relocate.ts";
import { applyTargets, changeText, findWritableTask, UNCHANGED_NOTICE } from "./write.ts";

export const spreadArguments = argumentSchema(
  { task_ids: taskIds, ...filterShape },
  { aliases: filterAliases, hints: filterHints },
);
type Args = z.infer<typeof spreadArguments>;

export function spreadEven(calendar: Calendar, args: Args): CalendarResult<Changes> {
  const chosen = chooseTasks(calendar, "spread_even", args.task_ids);
  if (!chosen.ok) return chosen;
  const { task_ids: _ids, ...filters } = args;
  const selection = applyFilters(calendar, filters satisfies Filters);
  if (!selection.ok) return refuse(`${selection.problem.message} ${UNCHANGED_NOTICE}`);
  const pending = chosen.value.map((task) => ({ task_id: task.state_id, slots: [] }));
  const unplaced = relocate(calendar, pending);
  if (!unplaced.ok) return refuse(`A task to spread holds a guest that is not in task_ids. ${UNCHANGED_NOTICE}`);

  const targets = assign(unplaced.calendar, chosen.value, selection.value);
  if (!targets.ok) return targets;
  const before = imbalance(calendar, selection.value.days);
  const spread = relocate(calendar, targets.value);
  const after = spread.ok ? imbalance(spread.calendar, selection.value.days) : before;
  const outside = chosen.value.some((task) => task.slots.some((one) => !selection.value.days.includes(one.day)));
  // A task outside the selected days has to move even if the load does not become more even.
  if (spread.ok && after >= before && !outside) {
    const text = `The load of these days is already as even (imbalance ${roundToHundredths(before)}). ${UNCHANGED_NOTICE}`;
    return succeedWithChanges(calendar, text, []);
  }
  return applyTargets(calendar, targets.value, (now, changes) => {
    const head = `Spread ${plural(changes.length, "task")} (imbalance ${roundToHundredths(before)} -> ${roundToHundredths(after)})`;
    return `${head}: ${changes.map((one) => changeText(now, one)).join("; ")}.`;
  });
}

/** Refuses repeated ids, and tasks that may not be changed or have several positions. */
export function chooseTasks(calendar: Calendar, write: WriteName, ids: readonly number[]): Result<readonly Task[]> {
  const tasks: Task[] = [];
  for (const [index, id] of ids.entries()) {
    const field = `task_ids[${index}]`;
    if (ids.indexOf(id) !== index) return refuse(`${field}: task ${id} occurs twice. ${UNCHANGED_NOTICE}`);
    const found = findWritableTask(calendar, write, field, id);
    if (!found.ok) return found;
    const several = `${taskLabel(found.value)} has several positions; ${write} takes tasks with one.`;
    if (found.value.slots.length > 1) return refuse(`${field}: ${several} ${UNCHANGED_NOTICE}`);
    tasks.push(found.value);
  }
  return ok(tasks);
}

/**
 * Hosts come first, and then the longest tasks, each on the day with the least load. A task shares a host only if no
 * free position is left.
 */
function assign(unplaced: Calendar, tasks: readonly Task[], selection: Selection): Result<readonly Target[]> {
  const targets: Target[] = [];
  let working = unplaced;
  const order = [...tasks].sort(
    (a, b) => Number(b.can_embed) - Number(a.can_embed) || b.duration - a.duration || a.state_id - b.state_id,
  );
  for (const task of order) {
    const position =
      lightestDayPosition(working, task, selection, targets, firstFreePositionFor) ??
      (selection.allowEmbed ? lightestDayPosition(working, task, selection, targets, firstHostPositionFor) : null);
    if (!position) {
      const need = `${taskLabel(task)} needs ${plural(task.duration, "slot")}`;
      return refuse(`${need} and finds no place in the chosen days. ${UNCHANGED_NOTICE}`);
    }
    const target = { task_id: task.state_id, slots: [position] };
    const relocated = relocate(working, [target]);
    if (!relocated.ok)
      return refuse(`${taskLabel(task)} finds no place: ${relocated.refusals[0]?.why}. ${UNCHANGED_NOTICE}`);
    working = relocated.calendar;
    targets.push(target);
  }
  return ok(targets);
}

function lightestDayPosition(
  calendar: Calendar,
  task: Task,
  selection: Selection,
  taken: readonly Target[],
  find: typeof firstFreePositionFor,
): Position | null {
  const used = taken.flatMap((target) => target.slots.map((one) => one.day));
  const distance = (day: number) => Math.min(Infinity, ...used.map((one) => Math.abs(one - day)));
  const days = selection.days
    .map((day) => ({ day, load: loadOf(calendar.tasks, day).total, apart: distance(day) }))
    .sort((a, b) => a.load - b.load || compare(b.apart, a.apart) || a.day - b.day);
  for (const { day } of days) {
    const position = find(calendar, task, day, selection.allowed);
    if (position) return position;
  }
  return null;
}

/** Compares without subtraction, because Infinity - Infinity is NaN. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
