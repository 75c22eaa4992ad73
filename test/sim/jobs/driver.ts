// Runs the real worker of a simulated process on unreliable ports and sometimes triggers it twice.

import type { DeliveryKind } from "../../../src/jobs/delivery-kind.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import { fireSchedule } from "../../../src/jobs/schedules/fire-schedule.ts";
import { sendWebhook } from "../../../src/jobs/webhooks/send-webhook.ts";
import { type DeliveryHandler, startWorker, type Worker } from "../../../src/jobs/worker.ts";
import type { Fetcher } from "../../../src/ports/fetcher.ts";
import type { LiveEvent } from "../../../src/schema/event.ts";
import type { ThreadRef } from "../../../src/schema/ids.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import type { Process, World } from "../world.ts";
import type { JobsState } from "./jobs-state.ts";

const POLL_MS = 500;

export type WorkHandlers = Readonly<Record<DeliveryKind, DeliveryHandler>>;
/** A function that deliberately breaks the work of a worker. */
export type WorkSabotage = (rt: Runtime, handlers: WorkHandlers) => WorkHandlers;

export type DriverOptions = {
  readonly world: World;
  readonly process: Process;
  readonly rt: Runtime;
  readonly jobs: JobsState;
  readonly fetcher: Fetcher;
  readonly emit: (at: ThreadRef, event: LiveEvent) => void;
  readonly onBug: (error: unknown) => void;
  readonly sabotageWork: WorkSabotage;
};

export function startDriver({ world, process, rt, jobs, fetcher, emit, onBug, sabotageWork }: DriverOptions): Worker {
  const idle = {
    now: rt.clock.now,
    sleep: (ms: number, signal?: AbortSignal) => world.idle(process, ms, jobs.nextDue, signal),
  };
  const handlers = sabotageWork(rt, createWorkHandlers(rt, process, jobs, fetcher, emit));
  const sometimesTwice =
    (work: DeliveryHandler): DeliveryHandler =>
    async (due, stopping) => {
      if (!world.fault(`trigger ${due.id.slice(0, 4)}`, { twice: 1 }, 2)) return work(due, stopping);
      const [first] = await Promise.all([work(due, stopping), work(due, stopping)]);
      return first;
    };
  return startWorker(
    { ...rt, clock: idle },
    {
      concurrency: jobs.concurrency,
      poll_ms: POLL_MS,
      handlers: {
        wake: sometimesTwice(handlers.wake),
        tick: sometimesTwice(handlers.tick),
        webhook: sometimesTwice(handlers.webhook),
      },
      onError: (_due, error) => onBug(error),
    },
  );
}

function createWorkHandlers(
  rt: Runtime,
  process: Process,
  jobs: JobsState,
  fetcher: Fetcher,
  emit: DriverOptions["emit"],
): WorkHandlers {
  const owner = `worker-${process.id}`;
  const { lease_ms, slice_turns, attempts_max, links } = jobs;
  const turnRequest = (at: ThreadRef) => ({
    at,
    actor: owner,
    input: null,
    budget: null,
    if_match: null,
    key: null,
    last_turn: true,
    deadline: rt.clock.now() + rt.config.turn_deadline_ms,
    signal: new AbortController().signal,
    emit: (event: LiveEvent) => emit(at, event),
  });
  return {
    wake: (due, stopping) =>
      runSlice(rt, due, {
        owner,
        lease_ms,
        slice_turns,
        until: Number.POSITIVE_INFINITY,
        attempts_max,
        emit,
        stopping,
      }),
    tick: (due) => fireSchedule(rt, due, { owner, lease_ms, turnRequest }),
    webhook: (due) => sendWebhook(rt, due, { fetcher, links, owner }),
  };
}
