// Computes calendars before and after a proposed or applied change.
import type { Position, Task, TaskChange } from "../../toolkits/timetable/schema/calendar.ts";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";

export type ShownCalendar = NonNullable<CalendarView["calendar"]>;

/** Applies the changes to the calendar, or reverts them with direction "back". */
export function applyChanges(
  calendar: ShownCalendar,
  changes: readonly TaskChange[],
  direction: "forward" | "back" = "forward",
): ShownCalendar {
  const positions = new Map(changes.map((one) => [one.task_id, direction === "forward" ? one.to : one.from]));
  return { ...calendar, tasks: calendar.tasks.map((task) => moveTask(task, positions.get(task.state_id))) };
}

function moveTask(task: Task, slots: readonly Position[] | undefined): Task {
  if (!slots) return task;
  const status = slots.length === 0 ? "pending" : task.status === "pending" ? "suggested" : task.status;
  return { ...task, slots: [...slots], status };
}

/** Returns the calendar before and after an earlier effect, by reverting the later effects. */
export function calendarBeforeAndAfter(
  view: CalendarView,
  effect_id: string,
): { readonly before: ShownCalendar; readonly after: ShownCalendar } {
  if (!view.calendar) throw new Error("a view without a calendar has no effects");
  let after = view.calendar;
  for (const effect of view.effects.toReversed()) {
    const before = applyChanges(after, effect.changes, "back");
    if (effect.effect_id === effect_id) return { before, after };
    after = before;
  }
  return { before: after, after };
}

export const affectedDays = (changes: readonly TaskChange[]): readonly number[] =>
  [...new Set(changes.flatMap((one) => [...one.from, ...one.to]).map((position) => position.day))].sort(
    (a, b) => a - b,
  );
