// The embedded worker: looks for due wake-ups, drives a few threads at a time, fairly between tenants, until told to stop.
import type { Delivery } from "../ports/thread-store.ts";
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadAt } from "../schema/ids.ts";
import type { Runtime } from "../turn/runtime.ts";
import { type Driven, drive } from "./drive.ts";

export type WorkerOptions = {
  readonly owner: string;
  readonly concurrency: number;
  readonly lease_ms: number;
  readonly slice_turns: number;
  readonly poll_ms: number;
  readonly attempts_max: number;
  readonly emit: (at: ThreadAt, event: LiveEvent) => void;
  /** Hears what became of each slice. */
  readonly onDriven?: (at: ThreadAt, driven: Driven) => void;
};

export const WORKER_DEFAULTS = {
  concurrency: 4,
  lease_ms: 90_000,
  slice_turns: 5,
  poll_ms: 500,
  attempts_max: 8,
} as const;

export type Worker = {
  /** Looks at once instead of at the next tick. */
  readonly nudge: () => void;
  /** Begins no further turn and waits for those at work. */
  readonly drain: () => Promise<void>;
};

const LOOK_AHEAD = 500;

export function startWorker(rt: Runtime, options: WorkerOptions): Worker {
  const running = new Map<string, Promise<void>>();
  let stopping = false;
  let nudge = new AbortController();

  const begin = (due: Delivery): void => {
    const at = { tenant: due.tenant, thread: due.thread };
    const work = drive(rt, due, { ...options, until: Number.POSITIVE_INFINITY, stopping: () => stopping })
      .then((driven) => options.onDriven?.(at, driven))
      .finally(() => {
        running.delete(nameOf(due));
        nudge.abort();
      });
    running.set(
      nameOf(due),
      work.then(() => undefined),
    );
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      nudge = new AbortController();
      const free = options.concurrency - running.size;
      const due = free > 0 ? await rt.store.dueDeliveries(rt.clock.now(), LOOK_AHEAD) : null;
      const wakes = due?.ok ? due.value.filter((row) => isWake(row) && !running.has(nameOf(row))) : [];
      for (const one of fairly(wakes).slice(0, free)) begin(one);
      if (!stopping) await rt.clock.sleep(options.poll_ms, nudge.signal);
    }
  };

  const looping = loop();
  return {
    nudge: () => nudge.abort(),
    async drain() {
      stopping = true;
      nudge.abort();
      await looping;
      await Promise.allSettled(running.values());
    },
  };
}

const nameOf = (due: Delivery): string => `${due.tenant}/${due.thread}`;
export const isWake = (due: Delivery): boolean => due.id === "wake";

/** One of each tenant in turn, oldest first within a tenant: a tenant with a thousand jobs does not starve the next. */
export function fairly(due: readonly Delivery[]): readonly Delivery[] {
  const lines = new Map<string, Delivery[]>();
  for (const one of due) lines.set(one.tenant, [...(lines.get(one.tenant) ?? []), one]);
  const order: Delivery[] = [];
  for (let rank = 0; order.length < due.length; rank++) {
    for (const line of lines.values()) {
      const one = line[rank];
      if (one) order.push(one);
    }
  }
  return order;
}
