// What is due, as a worker sees it: the oldest rows, and now and then far past them, so that nobody who comes after a
// tenant with thousands of jobs waits for all of them.
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";

/** Read at every look. */
const NEAR = 500;
/** Read when the near ones are more than that, at most once in `FAR_EVERY_MS`: it costs some tens of milliseconds. */
const FAR = 20_000;
const FAR_EVERY_MS = 1_000;
/** Of one tenant, of those found far away: enough until the next far look. */
const FAR_OF_ONE = 50;

export const nameOf = (due: Delivery): string => `${due.tenant}/${due.thread}/${due.id}`;

export type LookOut = {
  readonly look: () => Promise<readonly Delivery[]>;
  /** It is in hand: not to be found again in what was seen far away. */
  readonly begun: (due: Delivery) => void;
};

export function createLookOut(rt: Pick<Runtime, "store" | "clock">): LookOut {
  let far = new Map<string, Delivery>();
  let looked_at = Number.NEGATIVE_INFINITY;
  const lookFar = async (near: readonly Delivery[]): Promise<void> => {
    looked_at = rt.clock.now();
    const due = await rt.store.dueDeliveries(looked_at, FAR);
    far = due.ok ? hidden(due.value, near) : new Map();
  };
  return {
    begun: (due) => void far.delete(nameOf(due)),
    async look() {
      const due = await rt.store.dueDeliveries(rt.clock.now(), NEAR);
      if (!due.ok) return [];
      if (due.value.length < NEAR) far.clear();
      else if (rt.clock.now() - looked_at >= FAR_EVERY_MS) await lookFar(due.value);
      const near = new Set(due.value.map(nameOf));
      // Somebody else may have had those far ones meanwhile: claiming tells.
      return [...due.value, ...[...far.values()].filter((one) => !near.has(nameOf(one)))];
    },
  };
}

/** Of tenants that are not among the near ones. */
function hidden(due: readonly Delivery[], near: readonly Delivery[]): Map<string, Delivery> {
  const seen = new Set(near.map(({ tenant }) => tenant));
  const lines = Map.groupBy(
    due.filter(({ tenant }) => !seen.has(tenant)),
    ({ tenant }) => tenant,
  );
  const found = [...lines.values()].flatMap((line) => line.slice(0, FAR_OF_ONE));
  return new Map(found.map((one) => [nameOf(one), one]));
}
