// Moves tasks: it removes all of them from the calendar, and then places each by the rule in fit.ts. It moves all or
// none.
import { positionText, taskLabel } from "../format.ts";
import { findTask, guestsOf, linkGuests, sameSlots, totalLength } from "../occupancy.ts";
import type { Calendar, Placement, Position, Task, TaskChange } from "../schema/calendar.ts";
import { checkFit } from "./fit.ts";

/** The new positions of a task; an empty list makes it pending. */
export type Target = { readonly task_id: number; readonly slots: readonly Position[] };
export type Refusal = { readonly task_id: number; readonly day: number | null; readonly why: string };
export type RelocateResult =
  | { readonly ok: true; readonly calendar: Calendar; readonly changes: readonly TaskChange[] }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/**
 * Removing all tasks first lets two of them exchange positions in one call, in any order. Refusals are collected so that
 * the caller can fix them together. Guests that would be left behind are reported first, on their own.
 */
export function relocate(calendar: Calendar, targets: readonly Target[]): RelocateResult {
  const moving = new Set(targets.map((target) => target.task_id));
  const stranded = targets.flatMap((target) => strandedGuest(calendar, target, moving));
  if (stranded.length > 0) return { ok: false, refusals: stranded };

  let working = removePlacements(calendar, moving);
  const refusals: Refusal[] = [];
  for (const target of hostsFirst(calendar, targets)) {
    const placed = placeTask(working, target);
    if (placed.ok) working = placed.calendar;
    else refusals.push(placed.refusal);
  }
  if (refusals.length > 0) return { ok: false, refusals };
  return { ok: true, calendar: working, changes: changesBetween(calendar, working) };
}

function strandedGuest(calendar: Calendar, target: Target, moving: ReadonlySet<number>): Refusal[] {
  const host = findTask(calendar, target.task_id);
  const guest = host && guestsOf(calendar.tasks, host).find(({ state_id }) => !moving.has(state_id));
  if (!guest) return [];
  const why = `it holds [${guest.state_id}], which would be left behind`;
  return [{ task_id: target.task_id, day: target.slots[0]?.day ?? null, why }];
}

/** A guest can only be embedded in a host that is already placed. */
const hostsFirst = (calendar: Calendar, targets: readonly Target[]): Target[] =>
  [...targets].sort((a, b) => Number(isHost(calendar, b)) - Number(isHost(calendar, a)));

const isHost = (calendar: Calendar, target: Target): boolean => findTask(calendar, target.task_id)?.can_embed ?? false;

function removePlacements(calendar: Calendar, moving: ReadonlySet<number>): Calendar {
  const tasks = calendar.tasks.map(
    (task): Task => (moving.has(task.state_id) ? { ...task, slots: [], status: "pending", embed_host: null } : task),
  );
  return { ...calendar, tasks: linkGuests(tasks) };
}

type PlaceResult = { ok: true; calendar: Calendar } | { ok: false; refusal: Refusal };

function placeTask(calendar: Calendar, target: Target): PlaceResult {
  const task = findTask(calendar, target.task_id);
  // Callers have already found the task, so a missing one is a bug.
  if (!task) throw new Error(`relocate was given the unknown task ${target.task_id}`);
  if (target.slots.length === 0) return { ok: true, calendar };
  let host: Task | null = null;
  for (const position of target.slots) {
    const found = checkFit(calendar, task, position);
    if (found.kind === "free") continue;
    const why =
      found.kind === "clash"
        ? `${positionText(calendar, position)} is taken: ${found.why}`
        : `it has several positions and cannot lie inside the host ${taskLabel(found.host)}`;
    if (found.kind === "clash" || target.slots.length > 1)
      return { ok: false, refusal: { task_id: task.state_id, day: position.day, why } };
    host = found.host;
  }
  return { ok: true, calendar: withPlacement(calendar, task, target.slots, host) };
}

function withPlacement(calendar: Calendar, task: Task, slots: readonly Position[], host: Task | null): Calendar {
  const placed: Task = {
    ...task,
    status: "suggested",
    slots: [...slots],
    duration: totalLength(slots),
    embed_host: host?.state_id ?? null,
  };
  const tasks = calendar.tasks.map((one) => (one.state_id === task.state_id ? placed : one));
  return { ...calendar, tasks: linkGuests(tasks) };
}

export const placementOf = (task: Task): Placement => ({
  state_id: task.state_id,
  status: task.status,
  slots: task.slots,
  duration: task.duration,
  embedded_by: task.embedded_by,
  embed_host: task.embed_host,
});

/** The tasks whose positions differ. Both calendars list the same tasks in the same order. */
export function changesBetween(before: Calendar, after: Calendar): TaskChange[] {
  return before.tasks.flatMap((task, index) => {
    const to = after.tasks[index]?.slots ?? [];
    return sameSlots(task.slots, to) ? [] : [{ task_id: task.state_id, name: task.name, from: task.slots, to }];
  });
}

/** Must be called once per write, with the calendar before the write. */
export function withUndo(before: Calendar, after: Calendar, what: string): Calendar {
  const current = new Map(after.tasks.map((task) => [task.state_id, JSON.stringify(placementOf(task))]));
  const placements = before.tasks.map(placementOf).filter((old) => current.get(old.state_id) !== JSON.stringify(old));
  return placements.length === 0 ? after : { ...after, previous: { what, placements } };
}
