// The embedded worker: looks for what is due, works on a few at a time, fairly between tenants, until told to stop.
import type { Delivery } from "../ports/thread-store.ts";
import type { Runtime } from "../turn/runtime.ts";
import { kindOf, laneOf, type WorkKind } from "./due.ts";
import { createTurns } from "./fair.ts";
import { createLookOut, nameOf } from "./look-out.ts";

/** What is done with a due delivery of a kind. It claims the delivery itself: "taken" when it did not get it. */
export type Work = (due: Delivery, stopping: () => boolean) => Promise<{ readonly kind: string }>;

export type WorkerOptions = {
  /** Runs at once; and as many webhooks again. */
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

/** Others are faster, or the store takes no claims: after so many in a row the next look waits for its time. */
const MISSES_MAX = 20;
/** Said with every nudge: without a reason a signal makes an error of its own, stack and all. */
const NUDGED = "nudged";
/** Of one endpoint at once. */
const SENDS_OF_ONE = 2;

export function startWorker(rt: Runtime, options: WorkerOptions): Worker {
  const running = new Map<string, { readonly due: Delivery; readonly done: Promise<void> }>();
  const lookOut = createLookOut(rt);
  const turns = createTurns();
  let stopping = false;
  let nudge = new AbortController();
  let misses = 0;

  const begin = (due: Delivery): void => {
    lookOut.begun(due);
    turns.served(due);
    const done = options.work[kindOf(due)](due, () => stopping)
      .then(
        ({ kind }) => {
          misses = kind === "taken" ? misses + 1 : 0;
        },
        (error: unknown) => {
          misses += 1;
          options.onBug(due, error);
        },
      )
      .then(() => {
        running.delete(nameOf(due));
        if (misses < MISSES_MAX) nudge.abort(NUDGED);
      });
    running.set(nameOf(due), { due, done });
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      nudge = new AbortController();
      misses = misses < MISSES_MAX ? misses : 0;
      const atWork = [...running.values()].map(({ due }) => due);
      const full = atWork.length >= 2 * options.concurrency;
      const due = full ? [] : await lookOut.look();
      const waiting = turns.order(
        due.filter((row) => !running.has(nameOf(row))),
        atWork,
      );
      if (!stopping) for (const one of withinLanes(waiting, atWork, options.concurrency)) begin(one);
      if (!stopping) await rt.clock.sleep(options.poll_ms, nudge.signal);
    }
  };

  const looping = loop();
  return {
    nudge: () => nudge.abort(NUDGED),
    async drain() {
      stopping = true;
      nudge.abort(NUDGED);
      await looping;
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

/** As many as there is room for, in their order. */
export function withinLanes(
  due: readonly Delivery[],
  atWork: readonly Delivery[],
  concurrency: number,
): readonly Delivery[] {
  const taken: Delivery[] = [...atWork];
  const hasRoom = (one: Delivery): boolean => {
    const isRun = kindOf(one) !== "webhook";
    const alike = taken.filter((other) => (kindOf(other) !== "webhook") === isRun);
    if (alike.length >= concurrency) return false;
    return isRun || alike.filter((other) => laneOf(other) === laneOf(one)).length < SENDS_OF_ONE;
  };
  for (const one of due) if (hasRoom(one)) taken.push(one);
  return taken.slice(atWork.length);
}
