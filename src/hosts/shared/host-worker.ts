// Runs the job worker inside a process. It polls at an interval and after every write that adds work.
import { repairFarDue } from "../../jobs/schedules/far-due.ts";
import { type DeliveryHandler, startWorker, type Worker } from "../../jobs/worker.ts";
import type { ThreadSnapshot, ThreadStore } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { JobsConfig } from "../../schema/jobs/jobs-config.ts";
import { warmUpJudge } from "../../turn/judge/warm-up.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createWorkOn, type WorkOptions } from "./work.ts";

export type HostWorkerOptions = WorkOptions & { readonly jobs: JobsConfig };

/** After this delay the first run waits for its model, so the processor is idle. */
const WARM_UP_MS = 100;

export function startHostWorker(rt: Runtime, options: HostWorkerOptions): Worker {
  const workOn = createWorkOn(rt, options);
  const handler: DeliveryHandler = (due, stopping) => workOn(due, { stopping });
  let warm = false;
  const wake: DeliveryHandler = (due, stopping) => {
    if (!warm) void rt.clock.sleep(WARM_UP_MS).then(warmUpJudge);
    warm = true;
    return handler(due, stopping);
  };
  const { concurrency, poll_ms } = options.jobs;
  return startWorker(rt, {
    concurrency,
    poll_ms,
    sweep: () => repairDueTimes(rt, options),
    handlers: { wake, tick: handler, webhook: handler },
    onError: ({ tenant, thread, id }, error) => {
      const detail = error instanceof Error ? error.stack : String(error);
      options.log.error({ msg: "bug", tenant, thread, id, error: detail });
    },
  });
}

/** Corrects due times that a wrong clock has set too far in the future. */
async function repairDueTimes(rt: Runtime, { jobs, log }: HostWorkerOptions): Promise<void> {
  try {
    const repaired = await repairFarDue(rt, { lease_ms: rt.config.turn_deadline_ms + jobs.lease_ms });
    if (repaired > 0) log.warn({ msg: "due times of a wrong clock were corrected", repaired });
  } catch (error) {
    log.error({ msg: "bug", error: error instanceof Error ? error.stack : String(error) });
  }
}

export function withPollOnWrite(store: ThreadStore, pollNow: () => void): ThreadStore {
  const { createFromSnapshot } = store;
  return {
    ...store,
    ...(createFromSnapshot
      ? {
          createFromSnapshot: async (at: ThreadRef, snapshot: ThreadSnapshot) => {
            const created = await createFromSnapshot(at, snapshot);
            if (created.ok && snapshot.outbox.length > 0) pollNow();
            return created;
          },
        }
      : {}),
    async append(at, record, also) {
      const appended = await store.append(at, record, also);
      if (appended.ok && also?.outbox?.length) pollNow();
      return appended;
    },
    async putDelivery(delivery) {
      const put = await store.putDelivery(delivery);
      if (put.ok) pollNow();
      return put;
    },
  };
}
