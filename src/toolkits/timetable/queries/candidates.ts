// Where a run of slots could go: empty places first, then hosts with room. Used by searches, spreading and evaluation.

import { fit } from "../changes/fit.ts";
import { freeRanges, length, occupantsOn, runs } from "../occupancy.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import type { Selection } from "./filters.ts";
import { brokenRule } from "./measure.ts";

export type Candidate = { readonly position: Position; readonly host: Task | null };

/** Empty places of a day, side by side from the start of each free run, so that a short list shows different ones. */
export function emptyPlaces(
  calendar: Calendar,
  day: number,
  duration: number,
  allowed: Selection["allowed"],
): Candidate[] {
  return freeRanges(calendar.tasks, day, allowed).flatMap((range) => sideBySide(day, range, duration));
}

/** Places inside hosts of a day that have room. */
export function sharedPlaces(
  calendar: Calendar,
  day: number,
  duration: number,
  allowed: Selection["allowed"],
): Candidate[] {
  return occupantsOn(calendar.tasks, day)
    .filter(({ task }) => task.can_embed && task.embedded_by === null)
    .flatMap(({ task, position }) =>
      runs((slot) => slot >= position.slot_start && slot <= position.slot_end && allowed(slot))
        .flatMap((range) => sideBySide(day, range, duration))
        .filter((one) => fit(calendar, null, one.position).kind === "embed")
        .map((one) => ({ ...one, host: task })),
    );
}

function sideBySide(day: number, range: { slot_start: number; slot_end: number }, duration: number): Candidate[] {
  const amount = Math.floor(length(range) / duration);
  return Array.from({ length: amount }, (_, index) => {
    const slot_start = range.slot_start + index * duration;
    return { position: { day, slot_start, slot_end: slot_start + duration - 1 }, host: null };
  });
}

/** The first place of a day where this very task may lie and its class agrees. */
export function firstEmptyFor(
  calendar: Calendar,
  task: Task,
  day: number,
  allowed: Selection["allowed"],
): Position | null {
  const places = freeRanges(calendar.tasks, day, allowed).flatMap((range) =>
    Array.from({ length: Math.max(0, length(range) - task.duration + 1) }, (_, index) => ({
      day,
      slot_start: range.slot_start + index,
      slot_end: range.slot_start + index + task.duration - 1,
    })),
  );
  return places.find((position) => brokenRule(calendar, task, position) === null) ?? null;
}

export function firstSharedFor(
  calendar: Calendar,
  task: Task,
  day: number,
  allowed: Selection["allowed"],
): Position | null {
  const places = sharedPlaces(calendar, day, task.duration, allowed).map((one) => one.position);
  const fits = (position: Position) =>
    fit(calendar, task, position).kind === "embed" && brokenRule(calendar, task, position) === null;
  return places.find(fits) ?? null;
}
