// Implements the shared steps of all writes: find the task, check permissions, relocate, and describe the result or the
// refusal.
import { ok, type Result } from "../../../schema/problem.ts";
import { dayOutOfRange, daysText, positionsText, positionText, taskLabel, unknownTask } from "../format.ts";
import { findTask, isCalendarDay, positionAt } from "../occupancy.ts";
import { type CalendarResult, type Changes, refuse, succeedWithChanges } from "../result.ts";
import { type Calendar, type Position, SLOTS_PER_DAY, type Task, type TaskChange } from "../schema/calendar.ts";
import { clockTimes } from "../slot-times.ts";
import { permissionError, type WriteName } from "./permission.ts";
import { type Refusal, relocate, type Target, withUndo } from "./relocate.ts";

export const UNCHANGED_NOTICE = "Nothing was changed.";

export function findWritableTask(calendar: Calendar, write: WriteName, field: string, id: number): Result<Task> {
  const task = findTask(calendar, id);
  if (!task) return refuse(unknownTask(calendar, field, id));
  const denied = permissionError(write, task);
  return denied === null ? ok(task) : refuse(`${field}: ${denied} ${UNCHANGED_NOTICE}`);
}

/** Refuses a day or slots that do not exist. */
export function positionFor(
  calendar: Calendar,
  task: Task,
  where: { readonly day: number; readonly slot: number },
  fields: { readonly day: string; readonly slot: string },
): Result<Position> {
  if (!isCalendarDay(calendar, where.day))
    return refuse(`${dayOutOfRange(calendar, fields.day, where.day)} ${UNCHANGED_NOTICE}`);
  const position = positionAt(where.day, where.slot, task.duration);
  if (position.slot_end <= SLOTS_PER_DAY) return ok(position);
  const need = `${taskLabel(task)} needs ${task.duration} slots`;
  const end = `from slot ${where.slot} it would end at slot ${position.slot_end}, a day has 12`;
  return refuse(`${fields.slot}: ${need}; ${end}. ${UNCHANGED_NOTICE}`);
}

/** Explains every refusal. `describe` returns the text for a success. */
export function applyTargets(
  calendar: Calendar,
  targets: readonly Target[],
  describe: (after: Calendar, changes: readonly TaskChange[]) => string,
): CalendarResult<Changes> {
  const relocated = relocate(calendar, targets);
  if (!relocated.ok) return refuse(refusalText(calendar, relocated.refusals));
  const sentence = describe(relocated.calendar, relocated.changes);
  if (relocated.changes.length === 0) return succeedWithChanges(calendar, `${sentence} ${UNCHANGED_NOTICE}`, []);
  const days = relocated.changes.flatMap((one) => [...one.from, ...one.to]).map((one) => one.day);
  const after = withUndo(calendar, relocated.calendar, sentence);
  return succeedWithChanges(after, `${sentence}\n${daysText(after, days)}`, relocated.changes);
}

function refusalText(calendar: Calendar, refusals: readonly Refusal[]): string {
  const lines = refusals.map((one) => {
    const task = findTask(calendar, one.task_id);
    return `${task ? taskLabel(task) : `[${one.task_id}]`} cannot go there: ${one.why}.`;
  });
  const days = refusals.flatMap((one) => (one.day === null ? [] : [one.day]));
  return [...lines, UNCHANGED_NOTICE, ...(days.length > 0 ? [daysText(calendar, days)] : [])].join("\n");
}

export const changeText = (calendar: Calendar, { task_id, name, from, to }: TaskChange): string =>
  `[${task_id}] ${name} from ${timedPositions(calendar, from)} to ${timedPositions(calendar, to)}`;

/** A person who approves a change reads times, not slots. */
const timedPositions = (calendar: Calendar, slots: readonly Position[]): string => {
  const timed = slots.map((one) => `${positionText(calendar, one)} (${clockTimes(one)})`);
  return timed.join(", ") || positionsText(calendar, slots);
};
