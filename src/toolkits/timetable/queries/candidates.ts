// Where a run of slots could go: empty places first, then hosts with room. Used by searches, spreading and evaluation.

import { checkFit } from "../changes/fit.ts";
import { freeRanges, occupantsOn, slotCount, slotRuns } from "../occupancy.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import type { Selection } from "./filters.ts";
import { ruleViolation } from "./measure.ts";

export type Candidate = { readonly position: Position; readonly host: Task | null };

/** Empty places of a day, side by side from the start of each free run, so that a short list shows different ones. */
export function freeCandidates(
  calendar: Calendar,
  day: number,
  duration: number,
  allowed: Selection["allowed"],
): Candidate[] {
  return freeRanges(calendar.tasks, day, allowed).flatMap((range) => consecutiveCandidates(day, range, duration));
}

/** Places inside hosts of a day that have room. */
export function hostCandidates(
  calendar: Calendar,
  day: number,
  duration: number,
  allowed: Selection["allowed"],
): Candidate[] {
  return occupantsOn(calendar.tasks, day)
    .filter(({ task }) => task.can_embed && task.embedded_by === null)
    .flatMap(({ task, position }) =>
      slotRuns((slot) => slot >= position.slot_start && slot <= position.slot_end && allowed(slot))
        .flatMap((range) => consecutiveCandidates(day, range, duration))
        .filter((one) => checkFit(calendar, null, one.position).kind === "embed")
        .map((one) => ({ ...one, host: task })),
    );
}

function consecutiveCandidates(
  day: number,
  range: { slot_start: number; slot_end: number },
  duration: number,
): Candidate[] {
  const amount = Math.floor(slotCount(range) / duration);
  return Array.from({ length: amount }, (_, index) => {
    const slot_start = range.slot_start + index * duration;
    return { position: { day, slot_start, slot_end: slot_start + duration - 1 }, host: null };
  });
}

/** The first place of a day where this very task may lie and its class agrees. */
export function firstFreePositionFor(
  calendar: Calendar,
  task: Task,
  day: number,
  allowed: Selection["allowed"],
): Position | null {
  const places = freeRanges(calendar.tasks, day, allowed).flatMap((range) =>
    Array.from({ length: Math.max(0, slotCount(range) - task.duration + 1) }, (_, index) => ({
      day,
      slot_start: range.slot_start + index,
      slot_end: range.slot_start + index + task.duration - 1,
    })),
  );
  return places.find((position) => ruleViolation(calendar, task, position) === null) ?? null;
}

export function firstHostPositionFor(
  calendar: Calendar,
  task: Task,
  day: number,
  allowed: Selection["allowed"],
): Position | null {
  const places = hostCandidates(calendar, day, task.duration, allowed).map((one) => one.position);
  const fits = (position: Position) =>
    checkFit(calendar, task, position).kind === "embed" && ruleViolation(calendar, task, position) === null;
  return places.find(fits) ?? null;
}
