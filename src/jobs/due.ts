// The kinds of deliveries that come due, told by their id. A message never is: it waits for a worker that has its thread.
import type { Delivery } from "../ports/thread-store.ts";
import { WAKE_ID } from "../turn/commit/wake.ts";
import { TICK_ID } from "./schedules/schedules.ts";

export type WorkKind = "wake" | "tick" | "webhook";

export function kindOf(due: Delivery): WorkKind {
  if (due.id === WAKE_ID) return "wake";
  return due.id === TICK_ID ? "tick" : "webhook";
}

/**
 * Work of one lane waits for its own kind only: an endpoint that hangs must hold up neither runs nor other endpoints.
 */
export function laneOf(due: Delivery): string {
  if (kindOf(due) !== "webhook") return "runs";
  const named = /"webhook":"([0-9a-z_]+)"/.exec(due.body);
  return `webhook ${due.tenant} ${named?.[1] ?? ""}`;
}
