// Whose turn it is: of all tenants the one with the least in hand, then the one that was served longest ago. Runs and
// webhooks are counted apart, as they have places of their own.
import type { Delivery } from "../ports/thread-store.ts";
import { kindOf } from "./due.ts";

const lineOf = (due: Delivery): string => `${kindOf(due) === "webhook" ? "webhooks" : "runs"} ${due.tenant}`;

/** Past so many tenants it forgets who was served when: the order is a little less fair for one round. */
const LINES_MAX = 10_000;

export type Turns = {
  /** In the order in which they should be begun; oldest first within a tenant. */
  readonly order: (due: readonly Delivery[], atWork: readonly Delivery[]) => readonly Delivery[];
  readonly served: (due: Delivery) => void;
};

export function createTurns(): Turns {
  const servedAt = new Map<string, number>();
  let round = 0;
  return {
    served(due) {
      if (servedAt.size >= LINES_MAX) servedAt.clear();
      servedAt.set(lineOf(due), ++round);
    },
    order: (due, atWork) => inTurn(due, atWork, (line) => servedAt.get(line) ?? 0),
  };
}

/** The second of a tenant ranks behind the first of every other, and what the tenant has in hand counts as before it. */
function inTurn(
  due: readonly Delivery[],
  atWork: readonly Delivery[],
  servedAt: (line: string) => number,
): readonly Delivery[] {
  const held = new Map<string, number>();
  const count = (one: Delivery): number => {
    const line = lineOf(one);
    const before = held.get(line) ?? 0;
    held.set(line, before + 1);
    return before;
  };
  for (const one of atWork) count(one);
  return due
    .map((one, age) => ({ one, age, rank: count(one), served: servedAt(lineOf(one)) }))
    .sort((a, b) => a.rank - b.rank || a.served - b.served || a.age - b.age)
    .map(({ one }) => one);
}

/** For whoever has nothing in hand yet. */
export const fairly = (due: readonly Delivery[]): readonly Delivery[] => inTurn(due, [], () => 0);
