// Who may be touched by which write: a table, and the sentence that says no. Looks at status and lock only.
import type { Task, TaskStatus } from "../schema/calendar.ts";
import { label } from "../words.ts";

export type WriteName = "place" | "move" | "batch_move" | "swap" | "unplace" | "spread_even" | "min_context_switch";
export type Standing = TaskStatus | "locked";

const MOVES_SUGGESTED = { pending: false, suggested: true, existing: false, locked: false } as const;

/** An existing task is a fact: nothing here moves, exchanges or removes one. */
export const PERMISSIONS: Readonly<Record<WriteName, Readonly<Record<Standing, boolean>>>> = {
  place: { pending: true, suggested: false, existing: false, locked: false },
  move: MOVES_SUGGESTED,
  batch_move: MOVES_SUGGESTED,
  swap: MOVES_SUGGESTED,
  unplace: MOVES_SUGGESTED,
  spread_even: MOVES_SUGGESTED,
  min_context_switch: MOVES_SUGGESTED,
};

/** A lock outranks the status. */
export const standing = (task: Task): Standing => (task.locked ? "locked" : task.status);

/** Null when the write may touch the task. */
export function forbidden(write: WriteName, task: Task): string | null {
  const at = standing(task);
  if (PERMISSIONS[write][at]) return null;
  switch (at) {
    case "locked":
      return `${label(task)} is fixed; ${write} cannot touch it.`;
    case "existing":
      return `${label(task)} is an existing entry; it stays where it is and ${write} cannot touch it.`;
    case "suggested":
      return `${label(task)} already has a place; ${write} takes pending tasks only, move changes a place.`;
    case "pending":
      return write === "unplace"
        ? `${label(task)} is already pending.`
        : `${label(task)} is pending and has no place yet; ${write} takes suggested tasks only, place gives it one.`;
  }
}
