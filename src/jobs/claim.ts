// Holding a delivery for a while. Every claim has a name of its own: a store tells a claim whose reply was lost from
// another worker's by its text, and two workers in the same millisecond would otherwise write the same.
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";

export const claim = (rt: Runtime, due: Delivery, lease_ms: number, body: Record<string, unknown>): Delivery => ({
  ...due,
  attempts: due.attempts + 1,
  due_at: rt.clock.now() + lease_ms,
  body: JSON.stringify({ ...body, claim: rt.ids.make("cmt") }),
});
