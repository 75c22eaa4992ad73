// The worker inside a host: drives background runs, fires schedules, sends webhooks, and is told of every commit here.

import type { Log } from "../../http/env.ts";
import { drive } from "../../jobs/drive.ts";
import { fire } from "../../jobs/schedules/fire.ts";
import { startWorker, type Work, type Worker } from "../../jobs/worker.ts";
import { workerCall } from "../../jobs/worker-call.ts";
import type { ThreadStore } from "../../ports/thread-store.ts";
import type { JobsConfig } from "../../schema/config.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadAt } from "../../schema/ids.ts";
import type { Runtime } from "../../turn/runtime.ts";

export type HostWorkerParts = {
  /** Stands in records as the one who advanced a run. */
  readonly owner: string;
  readonly jobs: JobsConfig;
  readonly emit: (at: ThreadAt, event: LiveEvent) => void;
  readonly sendWebhook: Work;
  readonly log: Log;
};

/** With growing pauses this is about an hour; then somebody has to look at it. */
const ATTEMPTS_MAX = 12;

export function startHostWorker(rt: Runtime, { owner, jobs, emit, sendWebhook, log }: HostWorkerParts): Worker {
  const lease_ms = rt.config.turn_deadline_ms + jobs.lease_ms;
  const { slice_turns, concurrency, poll_ms } = jobs;
  return startWorker(rt, {
    concurrency,
    poll_ms,
    work: {
      wake: async (due, stopping) => {
        const driven = await drive(rt, due, {
          owner,
          lease_ms,
          slice_turns,
          until: Number.POSITIVE_INFINITY,
          attempts_max: ATTEMPTS_MAX,
          emit,
          stopping,
        });
        if (driven.kind === "dead" || driven.kind === "retry") {
          const { tenant, thread } = due;
          log.warn({ msg: "run", tenant, thread, became: driven.kind, code: driven.problem.code });
        }
        return driven;
      },
      tick: async (due) => {
        const fired = await fire(rt, due, { owner, lease_ms, call: (at) => workerCall(rt, at, { owner, emit }) });
        const { tenant, thread: schedule } = due;
        if (fired.kind === "retry")
          log.warn({ msg: "schedule", tenant, schedule, became: "retry", code: fired.problem.code });
        return fired;
      },
      webhook: sendWebhook,
    },
    onBug: ({ tenant, thread, id }, error) =>
      log.error({ msg: "bug", tenant, thread, id, error: error instanceof Error ? error.stack : String(error) }),
  });
}

/** The same store, which tells when something was left for a worker: nobody then waits for the next look. */
export function nudgingStore(store: ThreadStore, nudge: () => void): ThreadStore {
  return {
    ...store,
    async append(at, record, also) {
      const appended = await store.append(at, record, also);
      if (appended.ok && also?.outbox?.length) nudge();
      return appended;
    },
    async putDelivery(delivery) {
      const put = await store.putDelivery(delivery);
      if (put.ok) nudge();
      return put;
    },
  };
}
