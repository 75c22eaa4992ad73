// Decides whether a task fits a position, including sharing a host. All searches, writes and evaluations use this rule.
import { slotRangeText, taskLabel } from "../format.ts";
import { guestAt, occupantsAt, overlaps } from "../occupancy.ts";
import { type Calendar, contains, type Position, type Task } from "../schema/calendar.ts";

export type FitResult =
  | { readonly kind: "free" }
  | { readonly kind: "embed"; readonly host: Task }
  | { readonly kind: "clash"; readonly occupants: readonly Task[]; readonly why: string };

/** `task` is null for a search that does not know yet which task will be placed. */
export function checkFit(calendar: Calendar, task: Task | null, position: Position): FitResult {
  const others = calendar.tasks.filter((one) => one.state_id !== task?.state_id);
  const occupants = occupantsAt(others, position);
  const [only, ...more] = occupants;
  if (only === undefined) return { kind: "free" };
  if (more.length > 0 || !only.can_embed)
    return conflict(occupants, occupants.map((one) => occupancyText(one, position)).join("; "));
  const why = sharingError({ ...calendar, tasks: others }, only, task, position);
  return why === null ? { kind: "embed", host: only } : conflict(occupants, why);
}

const conflict = (occupants: readonly Task[], why: string): FitResult => ({ kind: "clash", occupants, why });

function occupancyText(task: Task, position: Position): string {
  const where = task.slots.filter((one) => overlaps(one, position)).map(slotRangeText);
  return `${taskLabel(task)}${task.locked ? " (fixed)" : ""} has ${where.join(" and ")}`;
}

function sharingError(calendar: Calendar, host: Task, task: Task | null, position: Position): string | null {
  // A host that repeats takes one task in each of its positions.
  const used = host.slots.filter((one) => overlaps(one, position));
  const guest = used.map((one) => guestAt(calendar.tasks, host, one)).find((one) => one !== undefined);
  if (guest) return `${taskLabel(host)} already holds [${guest.state_id}] and takes no second task`;
  if (!used.some((one) => contains(one, position)))
    return `only a part of it would lie inside the host ${taskLabel(host)}; it must lie fully inside or fully outside`;
  if (task === null) return null;
  if (task.can_embed) return `${taskLabel(task)} is a host itself and cannot lie inside ${taskLabel(host)}`;
  const rules = calendar.classes.find((one) => one.id === task.task_class);
  const isForbidden = rules && !rules.allow_embed;
  return isForbidden ? `the class "${rules.name}" does not let its tasks share the slots of ${taskLabel(host)}` : null;
}
