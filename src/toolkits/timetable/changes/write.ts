// What every write does around relocate: look up, ask the table of permissions, and word the result or the refusal.

import { findTask, insideWindow } from "../occupancy.ts";
import { type Changes, changed, type Outcome, type Refused, refuse } from "../outcome.ts";
import type { Calendar, Change, Position, Task } from "../schema/calendar.ts";
import { atAll, daysText, label, outsideWindow, unknownTask } from "../words.ts";
import { forbidden, type WriteName } from "./permission.ts";
import { type Refusal, relocate, type Target, undoable } from "./relocate.ts";

export const UNTOUCHED = "Nothing was changed.";

type Found = { readonly ok: true; readonly task: Task };

/** The task, if this write may touch it. */
export function permitted(calendar: Calendar, write: WriteName, field: string, id: number): Found | Refused {
  const task = findTask(calendar, id);
  if (!task) return refuse(unknownTask(calendar, field, id));
  const no = forbidden(write, task);
  return no === null ? { ok: true, task } : refuse(`${field}: ${no} ${UNTOUCHED}`);
}

type Spanned = { readonly ok: true; readonly position: Position };

/** The span a task of this length takes from a start, if the day and the slots exist. */
export function spanFor(
  calendar: Calendar,
  task: Task,
  where: { readonly day: number; readonly slot: number },
  fields: { readonly day: string; readonly slot: string },
): Spanned | Refused {
  if (!insideWindow(calendar, where.day))
    return refuse(`${outsideWindow(calendar, fields.day, where.day)} ${UNTOUCHED}`);
  const end = where.slot + task.duration - 1;
  if (end > 12) {
    return refuse(
      `${fields.slot}: ${label(task)} needs ${task.duration} slots; from slot ${where.slot} it would end at slot ${end}, a day has 12. ${UNTOUCHED}`,
    );
  }
  return { ok: true, position: { day: where.day, slot_start: where.slot, slot_end: end } };
}

/** Carries the targets out, or says why each of them cannot be; `word` gives the sentence of success. */
export function carryOut(
  calendar: Calendar,
  targets: readonly Target[],
  word: (after: Calendar, changes: readonly Change[]) => string,
): Outcome<Changes> {
  const done = relocate(calendar, targets);
  if (!done.ok) return refuse(refusalText(calendar, done.refusals));
  const sentence = word(done.calendar, done.changes);
  if (done.changes.length === 0) return changed(calendar, `${sentence} ${UNTOUCHED}`, []);
  const days = done.changes.flatMap((one) => [...one.from, ...one.to]).map((one) => one.day);
  const after = undoable(calendar, done.calendar, sentence);
  return changed(after, `${sentence}\n${daysText(after, days)}`, done.changes);
}

function refusalText(calendar: Calendar, refusals: readonly Refusal[]): string {
  const lines = refusals.map((one) => {
    const task = findTask(calendar, one.task_id);
    return `${task ? label(task) : `[${one.task_id}]`} cannot go there: ${one.why}.`;
  });
  const days = refusals.flatMap((one) => (one.day === null ? [] : [one.day]));
  return [...lines, UNTOUCHED, ...(days.length > 0 ? [daysText(calendar, days)] : [])].join("\n");
}

export const fromTo = (calendar: Calendar, change: Change): string =>
  `[${change.task_id}] ${change.name} from ${atAll(calendar, change.from)} to ${atAll(calendar, change.to)}`;
