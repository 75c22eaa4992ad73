// Holding a delivery for a while. Every claim has a name and a time of its own: a store knows a delivery again by due
// time, tries and text, and of two workers in the same millisecond one could otherwise give back what the other holds.
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";

export function leaseDelivery(rt: Runtime, due: Delivery, lease_ms: number, body: Record<string, unknown>): Delivery {
  const leaseId = rt.ids.make("cmt");
  return {
    ...due,
    attempts: due.attempts + 1,
    due_at: rt.clock.now() + lease_ms - leaseJitter(rt, leaseId, lease_ms),
    body: JSON.stringify({ ...body, claim: leaseId }),
  };
}

/** Up to a quarter of the lease. */
const leaseJitter = (rt: Runtime, leaseId: string, lease_ms: number): number =>
  Number.parseInt(rt.hash.sha256(leaseId).slice(0, 8), 16) % Math.max(1, Math.floor(lease_ms / 4));
