// What a function does with a due delivery: a slice of a background run, a tick of a schedule, a webhook.
import { randomUUID } from "node:crypto";
import { deliveryKind } from "../../jobs/delivery-kind.ts";
import { runSlice } from "../../jobs/run-slice.ts";
import { fireSchedule } from "../../jobs/schedules/fire-schedule.ts";
import { sendWebhook } from "../../jobs/webhooks/send-webhook.ts";
import { createWorkerRequest } from "../../jobs/worker-request.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { LambdaHost } from "./host.ts";

/** With growing pauses this is about an hour; then somebody has to look at it. */
const ATTEMPTS_MAX = 12;
/** The clock that asks for what is due ticks once a minute, and may be late itself. */
const MISSED_AFTER_MS = 5 * 60_000;
/** For a webhook: fifteen seconds to answer, and to write down what it said. */
const WEBHOOK_MS = 25_000;

/** Who holds a delivery: this instance of the function. */
const owner = `lambda:${randomUUID()}`;

export type TimeLimit = {
  /** When the invocation ends. */
  readonly until: number;
  /** Turns before a run goes to the end of the line. */
  readonly slice_turns: number;
};

/** Whether it can be begun and ended before the invocation is over. */
export function hasTimeFor({ rt }: LambdaHost, due: Delivery, until: number): boolean {
  const required_ms = deliveryKind(due) === "webhook" ? WEBHOOK_MS : rt.config.turn_deadline_ms;
  return rt.clock.now() + required_ms <= until;
}

export async function processDelivery(
  host: LambdaHost,
  due: Delivery,
  { until, slice_turns }: TimeLimit,
): Promise<void> {
  const { rt, jobs, fetcher } = host;
  const lease_ms = rt.config.turn_deadline_ms + jobs.lease_ms;
  switch (deliveryKind(due)) {
    case "wake":
      await runSlice(rt, due, {
        owner,
        lease_ms,
        slice_turns,
        until,
        attempts_max: ATTEMPTS_MAX,
        emit: () => undefined,
        stopping: () => false,
      });
      return;
    case "tick":
      await fireSchedule(rt, due, {
        owner,
        lease_ms,
        missed_after_ms: MISSED_AFTER_MS,
        turnRequest: (at) => createWorkerRequest(rt, at, { owner, emit: () => undefined }),
      });
      return;
    case "webhook": {
      const links = await host.links();
      if (!links.ok) throw new Error(`${links.problem.code}: ${links.problem.message}`);
      await sendWebhook(rt, due, { fetcher, links: links.value, owner });
      return;
    }
  }
}
