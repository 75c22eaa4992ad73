// Finds candidate positions for a number of slots: free positions, and hosts with room. Searches, spread_even and
// evaluate use them.
import { checkFit } from "../changes/fit.ts";
import { freeRanges, guestAt, occupantsOn, positionAt, type SlotRange, slotCount, slotRuns } from "../occupancy.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import type { Selection } from "./filters.ts";
import { ruleViolation } from "./measure.ts";

export type Candidate = { readonly position: Position; readonly host: Task | null };

type Allowed = Selection["allowed"];

/** Consecutive free positions of a day that do not overlap, so that a short list shows distinct ones. */
export const freeCandidates = (calendar: Calendar, day: number, duration: number, allowed: Allowed): Candidate[] =>
  freeRanges(calendar.tasks, day, allowed).flatMap((range) => consecutiveCandidates(day, range, duration));

/** Positions inside hosts of a day that have room. */
export function hostCandidates(calendar: Calendar, day: number, duration: number, allowed: Allowed): Candidate[] {
  return occupantsOn(calendar.tasks, day)
    .filter(({ task, position }) => task.can_embed && !guestAt(calendar.tasks, task, position))
    .flatMap(({ task, position }) =>
      slotRuns((slot) => slot >= position.slot_start && slot <= position.slot_end && allowed(slot))
        .flatMap((range) => consecutiveCandidates(day, range, duration))
        .filter((one) => checkFit(calendar, null, one.position).kind === "embed")
        .map((one) => ({ ...one, host: task })),
    );
}

function consecutiveCandidates(day: number, range: SlotRange, duration: number): Candidate[] {
  const amount = Math.floor(slotCount(range) / duration);
  return Array.from({ length: amount }, (_, index) => {
    return { position: positionAt(day, range.slot_start + index * duration, duration), host: null };
  });
}

/** The first free position of a day that the rules of the task's class allow. */
export function firstFreePositionFor(calendar: Calendar, task: Task, day: number, allowed: Allowed): Position | null {
  const positions = freeRanges(calendar.tasks, day, allowed).flatMap((range) => {
    const starts = Math.max(0, slotCount(range) - task.duration + 1);
    return Array.from({ length: starts }, (_, index) => positionAt(day, range.slot_start + index, task.duration));
  });
  return positions.find((position) => ruleViolation(calendar, task, position) === null) ?? null;
}

export function firstHostPositionFor(calendar: Calendar, task: Task, day: number, allowed: Allowed): Position | null {
  const positions = hostCandidates(calendar, day, task.duration, allowed).map((one) => one.position);
  const fits = (position: Position) =>
    checkFit(calendar, task, position).kind === "embed" && ruleViolation(calendar, task, position) === null;
  return positions.find(fits) ?? null;
}
