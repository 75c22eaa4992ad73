// Implements the shared steps of all writes: find the task, check permissions, relocate, and describe the result or the
// refusal.

import { dayOutOfRange, daysText, positionsText, positionText, taskLabel, unknownTask } from "../format.ts";
import { findTask, isCalendarDay } from "../occupancy.ts";
import { type CalendarRefusal, type CalendarResult, type Changes, refuse, succeedWithChanges } from "../result.ts";
import type { Calendar, Position, Task, TaskChange } from "../schema/calendar.ts";
import { clockTimes } from "../slot-times.ts";
import { permissionError, type WriteName } from "./permission.ts";
import { type Refusal, relocate, type Target, withUndo } from "./relocate.ts";

export const UNCHANGED_NOTICE = "Nothing was changed.";

type FoundTask = { readonly ok: true; readonly task: Task };

/** Finds the task and checks that this write may change it. */
export function findWritableTask(
  calendar: Calendar,
  write: WriteName,
  field: string,
  id: number,
): FoundTask | CalendarRefusal {
  const task = findTask(calendar, id);
  if (!task) return refuse(unknownTask(calendar, field, id));
  const denied = permissionError(write, task);
  return denied === null ? { ok: true, task } : refuse(`${field}: ${denied} ${UNCHANGED_NOTICE}`);
}

type PositionResult = { readonly ok: true; readonly position: Position };

/** Returns the position of the task from a start slot, if the day and the slots exist. */
export function positionFor(
  calendar: Calendar,
  task: Task,
  where: { readonly day: number; readonly slot: number },
  fields: { readonly day: string; readonly slot: string },
): PositionResult | CalendarRefusal {
  if (!isCalendarDay(calendar, where.day))
    return refuse(`${dayOutOfRange(calendar, fields.day, where.day)} ${UNCHANGED_NOTICE}`);
  const end = where.slot + task.duration - 1;
  if (end > 12) {
    return refuse(
      `${fields.slot}: ${taskLabel(task)} needs ${task.duration} slots; from slot ${where.slot} it would end at slot ${end}, a day has 12. ${UNCHANGED_NOTICE}`,
    );
  }
  return { ok: true, position: { day: where.day, slot_start: where.slot, slot_end: end } };
}

/** Moves the tasks to the targets, or explains every refusal. `describe` returns the text for a success. */
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

/** Formats positions as times, because a person who approves a change reads times, not slots. */
const timedPositions = (calendar: Calendar, slots: readonly Position[]): string =>
  slots.length === 0
    ? positionsText(calendar, slots)
    : slots.map((one) => `${positionText(calendar, one)} (${clockTimes(one)})`).join(", ");
