// Holding a delivery for a while. Every claim has a name and a time of its own: a store knows a delivery again by due
// time, tries and text, and of two workers in the same millisecond one could otherwise give back what the other holds.
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";

export function claim(rt: Runtime, due: Delivery, lease_ms: number, body: Record<string, unknown>): Delivery {
  const name = rt.ids.make("cmt");
  return {
    ...due,
    attempts: due.attempts + 1,
    due_at: rt.clock.now() + lease_ms - earlier(rt, name, lease_ms),
    body: JSON.stringify({ ...body, claim: name }),
  };
}

/** Up to a quarter of the lease. */
const earlier = (rt: Runtime, name: string, lease_ms: number): number =>
  Number.parseInt(rt.hash.sha256(name).slice(0, 8), 16) % Math.max(1, Math.floor(lease_ms / 4));
