// Checks whether an invocation has enough time for a due delivery, and attempts the delivery.
import { deliveryKind } from "../../jobs/delivery-kind.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { WorkLimits } from "../shared/work.ts";
import type { LambdaHost } from "./host.ts";

/** The time reserved for a webhook. Its endpoint has fifteen seconds to respond, and the response must be recorded. */
const WEBHOOK_MS = 25_000;

/** Reports whether the delivery can be handled completely before the invocation ends. */
export function hasTimeFor({ rt }: LambdaHost, due: Delivery, until: number): boolean {
  const required_ms = deliveryKind(due) === "webhook" ? WEBHOOK_MS : rt.config.turn_deadline_ms;
  return rt.clock.now() + required_ms <= until;
}

/** Attempts a delivery. A bug in one must not stop the others; after its lease expires, it is attempted again. */
export async function tryDelivery({ workOn, log }: LambdaHost, due: Delivery, limits: WorkLimits): Promise<boolean> {
  try {
    await workOn(due, limits);
    return true;
  } catch (error) {
    log.error({ msg: "bug", delivery: due.id, thread: due.thread, error: String(error) });
    return false;
  }
}
