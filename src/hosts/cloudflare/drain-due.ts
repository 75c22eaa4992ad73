// What a thread's object does when its alarm rings: slices of a background run, ticks of a schedule, webhooks, side by
// side, until nothing is due any more. An endpoint that hangs holds up neither the run nor another endpoint.
import type { ThreadRows } from "../../adapters/store-durable-object/thread-rows.ts";
import { deliveryKind } from "../../jobs/delivery-kind.ts";
import { runSlice } from "../../jobs/run-slice.ts";
import { fireSchedule } from "../../jobs/schedules/fire-schedule.ts";
import type { SliceResult } from "../../jobs/slice.ts";
import { sendWebhook } from "../../jobs/webhooks/send-webhook.ts";
import { selectRunnable } from "../../jobs/worker.ts";
import { createWorkerRequest } from "../../jobs/worker-request.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { CloudflareHost } from "./host.ts";

const OWNER = "alarm";
/** With growing pauses this is about an hour; then somebody has to look at it. */
const ATTEMPTS_MAX = 12;
/** The platform ends an alarm after fifteen minutes. */
const ALARM_BUDGET_MS = 10 * 60_000;
/** A turn of the longest time still begins. */
const DEADLINE_MARGIN_MS = 60_000;
const DUE_LIMIT = 100;
/** Of each kind; the platform opens six connections at once. */
const CONCURRENCY = 4;

export type DrainOptions = {
  readonly rows: () => ThreadRows;
  /** Resolves when something else became due. */
  readonly whenMoreWork: () => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** True when all went its way; false after a bug, which must not come again at once and for ever. */
export async function drainDue(host: CloudflareHost, at: ThreadRef, parts: DrainOptions): Promise<boolean> {
  const { clock, config } = host.rt;
  const running = new Map<string, { readonly due: Delivery; readonly done: Promise<void> }>();
  const skipped = new Set<string>();
  const until = clock.now() + Math.max(ALARM_BUDGET_MS, config.turn_deadline_ms + DEADLINE_MARGIN_MS);
  let healthy = true;

  const start = (due: Delivery): void => {
    const done = processDelivery(host, due, until)
      .then(({ kind }) => {
        if (kind === "not_acquired") skipped.add(due.id);
      })
      .catch((error: unknown) => {
        healthy = false;
        skipped.add(due.id);
        parts.onError(error);
      })
      .finally(() => running.delete(due.id));
    running.set(due.id, { due, done });
  };

  for (;;) {
    const moreWork = parts.whenMoreWork();
    const inProgress = [...running.values()].map(({ due }) => due);
    const inTime = clock.now() + config.turn_deadline_ms <= until;
    const due = inTime ? parts.rows().due(clock.now(), DUE_LIMIT) : [];
    const waiting = due.filter(({ id }) => !running.has(id) && !skipped.has(id)).map((one) => ({ ...one, ...at }));
    for (const one of selectRunnable(waiting, inProgress, CONCURRENCY)) start(one);
    if (running.size === 0) return healthy;
    await Promise.race([moreWork, ...[...running.values()].map(({ done }) => done)]);
  }
}

/** An object that ends in the middle goes on when its claim is over: after a turn's time and the lease. */
async function processDelivery(host: CloudflareHost, due: Delivery, until: number): Promise<{ readonly kind: string }> {
  const { rt, jobs } = host;
  const lease_ms = rt.config.turn_deadline_ms + jobs.lease_ms;
  switch (deliveryKind(due)) {
    case "tick":
      return fireSchedule(rt, due, {
        owner: OWNER,
        lease_ms,
        turnRequest: (at) => createWorkerRequest(rt, at, { owner: OWNER, emit: host.settings.hub.publish }),
      });
    case "webhook":
      return sendWebhook(rt, due, { fetcher: host.fetcher, links: host.links, owner: OWNER });
    case "wake": {
      const result = await runSlice(rt, due, {
        owner: OWNER,
        lease_ms,
        slice_turns: jobs.slice_turns,
        until,
        attempts_max: ATTEMPTS_MAX,
        emit: host.settings.hub.publish,
        stopping: () => false,
      });
      logRunProblem(host, due, result);
      return result;
    }
  }
}

function logRunProblem({ settings }: CloudflareHost, { tenant, thread }: Delivery, result: SliceResult): void {
  if (result.kind === "dead" || result.kind === "retry")
    settings.log.warn({ msg: "run", tenant, thread, became: result.kind, code: result.problem.code });
}
