// Leases a delivery for a limited time. Every lease has its own id, in the body, and its own expiry. A store compares deliveries by due time and
// attempts and, to recognize a lost response, by body. Without these differences, two workers that lease a delivery in the same millisecond could
// both believe that they hold it.
import { seededRandom } from "../ports/backoff.ts";
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";

/** `lease_ms` includes `busy_ms`, during which the holder may be unable to renew the lease, so the lease never ends earlier. */
type LeaseTimes = { readonly lease_ms: number; readonly busy_ms: number };

export function leaseDelivery(
  rt: Runtime,
  due: Delivery,
  { lease_ms, busy_ms }: LeaseTimes,
  body: Record<string, unknown>,
): Delivery {
  const leaseId = rt.ids.make("cmt");
  return {
    ...due,
    attempts: due.attempts + 1,
    due_at: rt.clock.now() + lease_ms - leaseJitter(rt, leaseId, Math.max(0, lease_ms - busy_ms)),
    body: JSON.stringify({ ...body, claim: leaseId }),
  };
}

/** Up to a quarter of the rest, so that two leases rarely expire at the same time. */
const leaseJitter = (rt: Runtime, leaseId: string, rest_ms: number): number =>
  Math.floor((seededRandom(rt.hash, leaseId) * rest_ms) / 4);
