// undo_last_change: puts back what the newest change altered, once. Older changes are not kept.

import { argumentsOf } from "../arguments.ts";
import { type Changes, changed, type Outcome, refuse } from "../outcome.ts";
import type { Calendar } from "../schema/calendar.ts";
import { daysText } from "../words.ts";
import { changesBetween } from "./relocate.ts";
import { fromTo, UNTOUCHED } from "./write.ts";

export const undoArguments = argumentsOf({});

/** Nothing else can have changed since: every other write replaces `previous`. */
export function undoLastChange(calendar: Calendar): Outcome<Changes> {
  if (calendar.previous === null) return refuse(`There is no change to undo. ${UNTOUCHED}`);
  const old = new Map(calendar.previous.placements.map((one) => [one.state_id, one]));
  const tasks = calendar.tasks.map((task) => ({ ...task, ...old.get(task.state_id) }));
  const after: Calendar = { ...calendar, tasks, previous: null };
  const changes = changesBetween(calendar, after);
  const days = changes.flatMap((one) => [...one.from, ...one.to]).map((one) => one.day);
  const sentence = `Undid the last change: ${changes.map((one) => fromTo(after, one)).join("; ")}.`;
  return changed(after, `${sentence}\n${daysText(after, days)}`, changes);
}
