// Decides which write may change which task, by status and lock, and returns the error text if it may not.
import { taskLabel } from "../format.ts";
import type { Task, TaskStatus } from "../schema/calendar.ts";

export type WriteName = "place" | "move" | "batch_move" | "swap" | "unplace" | "spread_even" | "min_context_switch";
export type WriteStatus = TaskStatus | "locked";

const SUGGESTED_ONLY = { pending: false, suggested: true, existing: false, locked: false } as const;

/** The writes that may change a task of each status. Existing tasks are fixed entries, which no write may change. */
export const PERMISSIONS: Readonly<Record<WriteName, Readonly<Record<WriteStatus, boolean>>>> = {
  place: { pending: true, suggested: false, existing: false, locked: false },
  move: SUGGESTED_ONLY,
  batch_move: SUGGESTED_ONLY,
  swap: SUGGESTED_ONLY,
  unplace: SUGGESTED_ONLY,
  spread_even: SUGGESTED_ONLY,
  min_context_switch: SUGGESTED_ONLY,
};

/** A lock takes precedence over the status. */
export const writeStatus = (task: Task): WriteStatus => (task.locked ? "locked" : task.status);

/** Null if the write may change the task. */
export function permissionError(write: WriteName, task: Task): string | null {
  const status = writeStatus(task);
  if (PERMISSIONS[write][status]) return null;
  switch (status) {
    case "locked":
      return `${taskLabel(task)} is fixed; ${write} cannot touch it.`;
    case "existing":
      return `${taskLabel(task)} is an existing entry; it stays where it is and ${write} cannot touch it.`;
    case "suggested":
      return `${taskLabel(task)} already has a place; ${write} takes pending tasks only, move changes a place.`;
    case "pending":
      return write === "unplace"
        ? `${taskLabel(task)} is already pending.`
        : `${taskLabel(task)} is pending and has no place yet; ${write} takes suggested tasks only, place gives it one.`;
  }
}
