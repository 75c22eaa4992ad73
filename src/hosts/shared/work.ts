// Processes one due delivery on any host: a slice of a background run, a tick of a schedule, or a webhook.
import type { Log } from "../../http/env.ts";
import { deliveryKind } from "../../jobs/delivery-kind.ts";
import { runSlice } from "../../jobs/run-slice.ts";
import { fireSchedule } from "../../jobs/schedules/fire-schedule.ts";
import { createWorkerRequest } from "../../jobs/worker-request.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { JobsConfig } from "../../schema/jobs/jobs-config.ts";
import type { Runtime } from "../../turn/runtime.ts";

/** With growing pauses, these attempts take about an hour. Then an operator has to inspect the delivery. */
const ATTEMPTS_MAX = 12;

export type WorkOptions = {
  /** The actor in the records of a run. */
  readonly owner: string;
  readonly jobs: Pick<JobsConfig, "lease_ms" | "slice_turns">;
  readonly emit: (at: ThreadRef, event: LiveEvent) => void;
  readonly sendWebhook: (due: Delivery) => Promise<{ readonly kind: string }>;
  readonly log: Log;
  /** How late a tick must be to count as missed. The default is that of schedules. */
  readonly missed_after_ms?: number;
};

export type WorkLimits = {
  /** The time at which the work must stop, in milliseconds since the epoch. */
  readonly until?: number;
  /** The number of turns after which a run is requeued. */
  readonly slice_turns?: number;
  readonly stopping?: () => boolean;
};

export type WorkOn = (due: Delivery, limits?: WorkLimits) => Promise<{ readonly kind: string }>;

export function createWorkOn(rt: Runtime, options: WorkOptions): WorkOn {
  return async (due, limits = {}) => {
    switch (deliveryKind(due)) {
      case "wake":
        return driveRun(rt, options, due, limits);
      case "tick":
        return tickSchedule(rt, options, due);
      case "webhook":
        return options.sendWebhook(due);
    }
  };
}

/** Longer than a turn, so that another host takes over only if this one has stopped. */
const leaseOf = (rt: Runtime, { jobs }: WorkOptions): number => rt.config.turn_deadline_ms + jobs.lease_ms;

async function driveRun(rt: Runtime, options: WorkOptions, due: Delivery, limits: WorkLimits) {
  const { owner, jobs, emit, log } = options;
  const result = await runSlice(rt, due, {
    owner,
    lease_ms: leaseOf(rt, options),
    slice_turns: limits.slice_turns ?? jobs.slice_turns,
    until: limits.until ?? Number.POSITIVE_INFINITY,
    attempts_max: ATTEMPTS_MAX,
    emit,
    stopping: limits.stopping ?? (() => false),
  });
  if (result.kind === "dead" || result.kind === "retry") {
    const { tenant, thread } = due;
    log.warn({ msg: "run", tenant, thread, became: result.kind, code: result.problem.code });
  }
  return result;
}

async function tickSchedule(rt: Runtime, options: WorkOptions, due: Delivery) {
  const { owner, emit, log, missed_after_ms } = options;
  const result = await fireSchedule(rt, due, {
    owner,
    lease_ms: leaseOf(rt, options),
    turnRequest: (at) => createWorkerRequest(rt, at, { owner, emit }),
    ...(missed_after_ms === undefined ? {} : { missed_after_ms }),
  });
  const { tenant, thread: schedule } = due;
  if (result.kind === "retry")
    log.warn({ msg: "schedule", tenant, schedule, became: "retry", code: result.problem.code });
  return result;
}
