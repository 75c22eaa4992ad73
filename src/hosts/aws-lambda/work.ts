// Checks whether an invocation has enough time for a due delivery, and attempts the delivery.
import { deliveryKind } from "../../jobs/delivery-kind.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { WorkLimits } from "../shared/work.ts";
import type { LambdaHost } from "./host.ts";

/** A webhook's endpoint has fifteen seconds to respond, and the response must then be recorded. */
const WEBHOOK_MS = 25_000;

/** A delivery other than a webhook needs time for one turn. */
export function hasTimeFor({ rt }: LambdaHost, due: Delivery, until: number): boolean {
  const required_ms = deliveryKind(due) === "webhook" ? WEBHOOK_MS : rt.config.turn_deadline_ms;
  return rt.clock.now() + required_ms <= until;
}

/** False after a bug, which must not stop the other deliveries. This one is attempted again when its lease expires. */
export async function tryDelivery({ workOn, log }: LambdaHost, due: Delivery, limits: WorkLimits): Promise<boolean> {
  try {
    await workOn(due, limits);
    return true;
  } catch (error) {
    log.error({ msg: "bug", delivery: due.id, thread: due.thread, error: String(error) });
    return false;
  }
}
