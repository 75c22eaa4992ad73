// Orders work fairly between tenants: first the one with the least work in progress, then the one served longest ago.
import type { Delivery } from "../ports/thread-store.ts";
import { deliveryKind } from "./delivery-kind.ts";

const queueKey = (due: Delivery): string => `${deliveryKind(due) === "webhook" ? "webhooks" : "runs"} ${due.tenant}`;

/** Beyond this many tenants, the service times are cleared, which makes the order slightly less fair for one round. */
const TENANTS_MAX = 10_000;

export type FairQueue = {
  /** Returns the deliveries in the order in which to start them, oldest first within a tenant. */
  readonly order: (due: readonly Delivery[], inProgress: readonly Delivery[]) => readonly Delivery[];
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
    order: (due, inProgress) => fairOrder(due, inProgress, (line) => servedAt.get(line) ?? 0),
  };
}

/** The second delivery of a tenant ranks behind the first of every other tenant. Work in progress counts as earlier deliveries. */
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

/** For a caller without work in progress. */
export const orderFairly = (due: readonly Delivery[]): readonly Delivery[] => fairOrder(due, [], () => 0);
