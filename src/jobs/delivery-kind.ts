// Derives the kind of a due delivery from its id. A queued message never becomes due, because the worker of its thread reads it.
import type { Delivery } from "../ports/thread-store.ts";
import { WAKE_ID } from "../turn/commit/wake-up.ts";
import { TICK_ID } from "./schedules/schedules.ts";

export type DeliveryKind = "wake" | "tick" | "webhook";

export function deliveryKind(due: Delivery): DeliveryKind {
  if (due.id === WAKE_ID) return "wake";
  return due.id === TICK_ID ? "tick" : "webhook";
}

/** Deliveries wait only for others of their lane, so that a hanging endpoint blocks neither runs nor other endpoints. */
export function concurrencyLane(due: Delivery): string {
  if (deliveryKind(due) !== "webhook") return "runs";
  const webhookMatch = /"webhook":"([0-9a-z_]+)"/.exec(due.body);
  return `webhook ${due.tenant} ${webhookMatch?.[1] ?? ""}`;
}
