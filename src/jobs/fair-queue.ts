// Whose turn it is: of all tenants the one with the least in hand, then the one that was served longest ago. Runs and
// webhooks are counted apart, as they have places of their own.
import type { Delivery } from "../ports/thread-store.ts";
import { deliveryKind } from "./delivery-kind.ts";

const queueKey = (due: Delivery): string => `${deliveryKind(due) === "webhook" ? "webhooks" : "runs"} ${due.tenant}`;

/** Past so many tenants it forgets who was served when: the order is a little less fair for one round. */
const TENANTS_MAX = 10_000;

export type FairQueue = {
  /** In the order in which they should be begun; oldest first within a tenant. */
  readonly order: (due: readonly Delivery[], atWork: readonly Delivery[]) => readonly Delivery[];
  readonly markServed: (due: Delivery) => void;
};

export function createFairQueue(): FairQueue {
  const servedAt = new Map<string, number>();
  let round = 0;
  return {
    markServed(due) {
      if (servedAt.size >= TENANTS_MAX) servedAt.clear();
      servedAt.set(queueKey(due), ++round);
    },
    order: (due, atWork) => fairOrder(due, atWork, (line) => servedAt.get(line) ?? 0),
  };
}

/** The second of a tenant ranks behind the first of every other, and what the tenant has in hand counts as before it. */
function fairOrder(
  due: readonly Delivery[],
  inProgress: readonly Delivery[],
  servedAt: (line: string) => number,
): readonly Delivery[] {
  const counts = new Map<string, number>();
  const count = (one: Delivery): number => {
    const line = queueKey(one);
    const before = counts.get(line) ?? 0;
    counts.set(line, before + 1);
    return before;
  };
  for (const one of inProgress) count(one);
  return due
    .map((one, age) => ({ one, age, rank: count(one), served: servedAt(queueKey(one)) }))
    .sort((a, b) => a.rank - b.rank || a.served - b.served || a.age - b.age)
    .map(({ one }) => one);
}

/** For whoever has nothing in hand yet. */
export const orderFairly = (due: readonly Delivery[]): readonly Delivery[] => fairOrder(due, [], () => 0);
