// The embedded worker: looks for what is due, works on a few at a time, fairly between tenants, until told to stop.
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";
import { kindOf, type WorkKind } from "./due.ts";

/** What is done with a due delivery of a kind. It claims the delivery itself and never throws. */
export type Work = (due: Delivery, stopping: () => boolean) => Promise<unknown>;

export type WorkerOptions = {
  readonly concurrency: number;
  readonly poll_ms: number;
  readonly work: Readonly<Record<WorkKind, Work>>;
  /** A bug in some work: told, and the delivery comes again when its claim is over. */
  readonly onBug: (due: Delivery, error: unknown) => void;
};

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

  const begin = (due: Delivery, kind: WorkKind): void => {
    const done = options.work[kind](due, () => stopping)
      .catch((error: unknown) => options.onBug(due, error))
      .finally(() => {
        running.delete(nameOf(due));
        nudge.abort();
      });
    running.set(
      nameOf(due),
      done.then(() => undefined),
    );
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      nudge = new AbortController();
      const free = options.concurrency - running.size;
      const due = free > 0 ? await rt.store.dueDeliveries(rt.clock.now(), LOOK_AHEAD) : null;
      const rows = due?.ok ? due.value.filter((row) => !running.has(nameOf(row))) : [];
      for (const one of fairly(rows).slice(0, free)) begin(one, kindOf(one));
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

const nameOf = (due: Delivery): string => `${due.tenant}/${due.thread}/${due.id}`;

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
