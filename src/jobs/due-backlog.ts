// Holds the due deliveries that a worker has read and not started yet, so that it does not have to read them again whenever a job ends.
import type { Delivery } from "../ports/thread-store.ts";
import { hasPassed } from "../schema/jobs/time-limit.ts";
import type { Runtime } from "../turn/runtime.ts";
import { concurrencyLane } from "./delivery-kind.ts";
import { createDuePoller } from "./due-poller.ts";

export type DueBacklog = {
  /** False once the rows are older than `ttl_ms`, or after `expire`. */
  readonly isFresh: () => boolean;
  /** Reads the due rows, except those for which `isStarted` is true, because their leases may not be committed yet. */
  readonly read: (isStarted: (due: Delivery) => boolean) => Promise<void>;
  /** With a `skip` above 0 (at most 1), some of the oldest rows come last, so that other workers take them. */
  readonly next: (skip: number) => readonly Delivery[];
  readonly remove: (due: Delivery) => void;
  /** Marks the rows as outdated. Call this when the store may contain other rows. */
  readonly expire: () => void;
};

/** A worker skips at most this many of the oldest rows of a lane, as a multiple of its own concurrency. */
const SKIP_SHARE = 16;

const laneKey = (due: Delivery): string => `${due.tenant} ${concurrencyLane(due)}`;

export function createDueBacklog(
  rt: Pick<Runtime, "store" | "clock">,
  { concurrency, ttl_ms }: { readonly concurrency: number; readonly ttl_ms: number },
): DueBacklog {
  const poller = createDuePoller(rt);
  let lanes = new Map<string, Delivery[]>();
  let readAt = Number.NEGATIVE_INFINITY;

  const firstOf = (lane: readonly Delivery[], skip: number): readonly Delivery[] => {
    const skipped = Math.floor(skip * Math.max(0, Math.min(lane.length, SKIP_SHARE * concurrency) - concurrency));
    return [...lane.slice(skipped, skipped + concurrency), ...lane.slice(0, Math.min(skipped, concurrency))];
  };

  return {
    isFresh: () => !hasPassed(readAt, ttl_ms, rt.clock.now()),
    async read(isStarted) {
      // The age is counted from before the read, because rows written during the read may be missing.
      readAt = rt.clock.now();
      const due = await poller.poll();
      lanes = Map.groupBy(
        due.filter((row) => !isStarted(row)),
        laneKey,
      );
    },
    next: (skip) => [...lanes.values()].flatMap((lane) => firstOf(lane, skip)),
    remove(due) {
      poller.markStarted(due);
      const lane = lanes.get(laneKey(due));
      const index = lane?.indexOf(due) ?? -1;
      if (index >= 0) lane?.splice(index, 1);
    },
    expire() {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
