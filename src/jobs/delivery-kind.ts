// The kinds of deliveries that come due, told by their id. A message never is: it waits for a worker that has its thread.
import type { Delivery } from "../ports/thread-store.ts";
import { WAKE_ID } from "../turn/commit/wake-up.ts";
import { TICK_ID } from "./schedules/schedules.ts";

export type DeliveryKind = "wake" | "tick" | "webhook";

export function deliveryKind(due: Delivery): DeliveryKind {
  if (due.id === WAKE_ID) return "wake";
  return due.id === TICK_ID ? "tick" : "webhook";
}

/**
 * Work of one lane waits for its own kind only: an endpoint that hangs must hold up neither runs nor other endpoints.
 */
export function concurrencyLane(due: Delivery): string {
  if (deliveryKind(due) !== "webhook") return "runs";
  const webhookMatch = /"webhook":"([0-9a-z_]+)"/.exec(due.body);
  return `webhook ${due.tenant} ${webhookMatch?.[1] ?? ""}`;
}
