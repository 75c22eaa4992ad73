// Runs the embedded worker: polls for due deliveries and handles several at a time, fairly between tenants, until it is stopped.
import { seededRandom } from "../ports/backoff.ts";
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";
import { concurrencyLane, type DeliveryKind, deliveryKind } from "./delivery-kind.ts";
import { createDueBacklog } from "./due-backlog.ts";
import { deliveryPath } from "./due-poller.ts";
import { createFairQueue } from "./fair-queue.ts";

/** Leases the delivery itself and returns "not_acquired" if that fails. */
export type DeliveryHandler = (due: Delivery, stopping: () => boolean) => Promise<{ readonly kind: string }>;

export type WorkerOptions = {
  /** Number of concurrent runs. The same number of webhooks can run in addition. */
  readonly concurrency: number;
  readonly poll_ms: number;
  readonly handlers: Readonly<Record<DeliveryKind, DeliveryHandler>>;
  /** Checks deliveries that are not due yet, about once a minute. */
  readonly sweep?: () => Promise<unknown>;
  /** Called with an exception that a handler threw. The delivery is retried when its lease expires. */
  readonly onError: (due: Delivery, error: unknown) => void;
};

export type Worker = {
  /** Makes the worker poll now instead of at the next interval. */
  readonly pollNow: () => void;
  /** Stops starting turns and waits for those in progress. */
  readonly drain: () => Promise<void>;
};

const SWEEP_MS = 60_000;
/** After this many failed leases in a row, the worker waits for the next interval, because others are faster or the store accepts no leases. */
const MISSES_MAX = 20;
const CONTENDED_POLLS = 20;
/** Passed as the reason, because abort() without one would create an error with a stack. */
const POLL_NOW = "poll now";
/** Number of concurrent deliveries to one endpoint. */
const SENDS_PER_ENDPOINT_MAX = 2;

export function startWorker(rt: Runtime, options: WorkerOptions): Worker {
  const running = new Map<string, { readonly due: Delivery; readonly done: Promise<void> }>();
  const backlog = createDueBacklog(rt, { concurrency: options.concurrency, ttl_ms: options.poll_ms });
  const queue = createFairQueue();
  let stopping = false;
  let sleepAbort = new AbortController();
  let misses = 0;
  /** Number of polls in which the worker avoids the oldest rows, because another worker was faster or started at the same time. */
  let contended = 1;
  let swept_at = Number.NEGATIVE_INFINITY;

  const sweep = async (): Promise<void> => {
    const now = rt.clock.now();
    // The sweep also runs after the clock was set back, because it corrects due times that a wrong clock stored.
    if (!options.sweep || (now >= swept_at && now - swept_at < SWEEP_MS)) return;
    swept_at = now;
    await options.sweep();
  };

  const start = (due: Delivery): void => {
    backlog.remove(due);
    queue.markServed(due);
    const done = options.handlers[deliveryKind(due)](due, () => stopping)
      .then(
        ({ kind }) => {
          misses = kind === "not_acquired" ? misses + 1 : 0;
          if (kind !== "not_acquired") return;
          contended = CONTENDED_POLLS;
          backlog.expire();
        },
        (error: unknown) => {
          misses += 1;
          options.onError(due, error);
        },
      )
      .then(() => {
        running.delete(deliveryPath(due));
        if (misses < MISSES_MAX) sleepAbort.abort(POLL_NOW);
      });
    running.set(deliveryPath(due), { due, done });
  };

  const select = (atWork: readonly Delivery[]): readonly Delivery[] => {
    // If all workers start with the oldest row, they lose most leases to each other.
    const skip = contended > 0 ? seededRandom(rt.hash, rt.ids.make("cmt")) : 0;
    return selectRunnable(queue.order(backlog.next(skip), atWork), atWork, options.concurrency);
  };

  const startNext = async (): Promise<void> => {
    const atWork = [...running.values()].map(({ due }) => due);
    if (atWork.length >= 2 * options.concurrency) return;
    let selected = backlog.isFresh() ? select(atWork) : [];
    if (selected.length === 0 || runsIn([...atWork, ...selected]) < options.concurrency) {
      await backlog.read((due) => running.has(deliveryPath(due)));
      selected = select(atWork);
    }
    contended = Math.max(0, contended - 1);
    if (!stopping) for (const one of selected) start(one);
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      await sweep();
      sleepAbort = new AbortController();
      misses = misses < MISSES_MAX ? misses : 0;
      await startNext();
      if (!stopping) await rt.clock.sleep(options.poll_ms, sleepAbort.signal);
    }
  };

  const loopDone = loop();
  return {
    pollNow() {
      backlog.expire();
      sleepAbort.abort(POLL_NOW);
    },
    async drain() {
      stopping = true;
      sleepAbort.abort(POLL_NOW);
      await loopDone;
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

const isRun = (due: Delivery): boolean => deliveryKind(due) !== "webhook";
const runsIn = (atWork: readonly Delivery[]): number => atWork.filter(isRun).length;

export function selectRunnable(
  due: readonly Delivery[],
  atWork: readonly Delivery[],
  concurrency: number,
): readonly Delivery[] {
  const selected: Delivery[] = [...atWork];
  const hasCapacity = (one: Delivery): boolean => {
    const sameKind = selected.filter((other) => isRun(other) === isRun(one));
    if (sameKind.length >= concurrency) return false;
    return (
      isRun(one) ||
      sameKind.filter((other) => concurrencyLane(other) === concurrencyLane(one)).length < SENDS_PER_ENDPOINT_MAX
    );
  };
  for (const one of due) if (hasCapacity(one)) selected.push(one);
  return selected.slice(atWork.length);
}
