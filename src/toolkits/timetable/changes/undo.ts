// Implements undo_last_change, which reverts the last change, once. Older changes are not kept.
import { argumentSchema } from "../arguments.ts";
import { daysText } from "../format.ts";
import { type CalendarResult, type Changes, refuse, succeedWithChanges } from "../result.ts";
import type { Calendar } from "../schema/calendar.ts";
import { changesBetween } from "./relocate.ts";
import { changeText, UNCHANGED_NOTICE } from "./write.ts";

export const undoArguments = argumentSchema({});

/** Every other write replaces `previous`, so nothing else can have changed since. */
export function undoLastChange(calendar: Calendar): CalendarResult<Changes> {
  if (calendar.previous === null) return refuse(`There is no change to undo. ${UNCHANGED_NOTICE}`);
  const old = new Map(calendar.previous.placements.map((one) => [one.state_id, one]));
  const tasks = calendar.tasks.map((task) => ({ ...task, ...old.get(task.state_id) }));
  const after: Calendar = { ...calendar, tasks, previous: null };
  const changes = changesBetween(calendar, after);
  const days = changes.flatMap((one) => [...one.from, ...one.to]).map((one) => one.day);
  const sentence = `Undid the last change: ${changes.map((one) => changeText(after, one)).join("; ")}.`;
  return succeedWithChanges(after, `${sentence}\n${daysText(after, days)}`, changes);
}
