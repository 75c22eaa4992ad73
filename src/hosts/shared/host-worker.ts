// The worker inside a host: drives background runs, fires schedules, sends webhooks, and is told of every commit here.

import type { Log } from "../../http/env.ts";
import { runSlice } from "../../jobs/run-slice.ts";
import { repairFarDue } from "../../jobs/schedules/far-due.ts";
import { fireSchedule } from "../../jobs/schedules/fire-schedule.ts";
import { type DeliveryHandler, startWorker, type Worker } from "../../jobs/worker.ts";
import { createWorkerRequest } from "../../jobs/worker-request.ts";
import type { ThreadStore, WholeThread } from "../../ports/thread-store.ts";
import type { JobsConfig } from "../../schema/config.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { Runtime } from "../../turn/runtime.ts";

export type HostWorkerOptions = {
  /** Stands in records as the one who advanced a run. */
  readonly owner: string;
  readonly jobs: JobsConfig;
  readonly emit: (at: ThreadRef, event: LiveEvent) => void;
  readonly sendWebhook: DeliveryHandler;
  readonly log: Log;
};

/** With growing pauses this is about an hour; then somebody has to look at it. */
const ATTEMPTS_MAX = 12;

export function startHostWorker(rt: Runtime, { owner, jobs, emit, sendWebhook, log }: HostWorkerOptions): Worker {
  const lease_ms = rt.config.turn_deadline_ms + jobs.lease_ms;
  const { slice_turns, concurrency, poll_ms } = jobs;
  return startWorker(rt, {
    concurrency,
    poll_ms,
    sweep: async () => {
      try {
        const repaired = await repairFarDue(rt, { lease_ms });
        if (repaired > 0) log.warn({ msg: "due times of a wrong clock were put right", repaired });
      } catch (error) {
        log.error({ msg: "bug", error: error instanceof Error ? error.stack : String(error) });
      }
    },
    handlers: {
      wake: async (due, stopping) => {
        const result = await runSlice(rt, due, {
          owner,
          lease_ms,
          slice_turns,
          until: Number.POSITIVE_INFINITY,
          attempts_max: ATTEMPTS_MAX,
          emit,
          stopping,
        });
        if (result.kind === "dead" || result.kind === "retry") {
          const { tenant, thread } = due;
          log.warn({ msg: "run", tenant, thread, became: result.kind, code: result.problem.code });
        }
        return result;
      },
      tick: async (due) => {
        const result = await fireSchedule(rt, due, {
          owner,
          lease_ms,
          turnRequest: (at) => createWorkerRequest(rt, at, { owner, emit }),
        });
        const { tenant, thread: schedule } = due;
        if (result.kind === "retry")
          log.warn({ msg: "schedule", tenant, schedule, became: "retry", code: result.problem.code });
        return result;
      },
      webhook: sendWebhook,
    },
    onError: ({ tenant, thread, id }, error) =>
      log.error({ msg: "bug", tenant, thread, id, error: error instanceof Error ? error.stack : String(error) }),
  });
}

/** The same store, which tells when something was left for a worker: nobody then waits for the next look. */
export function withPollOnWrite(store: ThreadStore, pollNow: () => void): ThreadStore {
  const { createWhole } = store;
  return {
    ...store,
    async append(at, record, also) {
      const appended = await store.append(at, record, also);
      if (appended.ok && also?.outbox?.length) pollNow();
      return appended;
    },
    ...(createWhole
      ? {
          createWhole: async (at: ThreadRef, whole: WholeThread) => {
            const created = await createWhole(at, whole);
            if (created.ok && whole.outbox.length > 0) pollNow();
            return created;
          },
        }
      : {}),
    async putDelivery(delivery) {
      const put = await store.putDelivery(delivery);
      if (put.ok) pollNow();
      return put;
    },
  };
}
