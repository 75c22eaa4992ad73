// What a function does with a due delivery: a slice of a background run, a tick of a schedule, a webhook.
import { randomUUID } from "node:crypto";
import { drive } from "../../jobs/drive.ts";
import { kindOf } from "../../jobs/due.ts";
import { fire } from "../../jobs/schedules/fire.ts";
import { sendWebhook } from "../../jobs/webhooks/send.ts";
import { workerCall } from "../../jobs/worker-call.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { LambdaHost } from "./host.ts";

/** With growing pauses this is about an hour; then somebody has to look at it. */
const ATTEMPTS_MAX = 12;
/** The clock that asks for what is due ticks once a minute, and may be late itself. */
const MISSED_AFTER_MS = 5 * 60_000;
/** For a webhook: fifteen seconds to answer, and to write down what it said. */
const SEND_MS = 25_000;

/** Who holds a delivery: this instance of the function. */
const owner = `lambda:${randomUUID()}`;

export type WorkTime = {
  /** When the invocation ends. */
  readonly until: number;
  /** Turns before a run goes to the end of the line. */
  readonly slice_turns: number;
};

/** Whether it can be begun and ended before the invocation is over. */
export function hasTimeFor({ rt }: LambdaHost, due: Delivery, until: number): boolean {
  const need = kindOf(due) === "webhook" ? SEND_MS : rt.config.turn_deadline_ms;
  return rt.clock.now() + need <= until;
}

export async function workOn(host: LambdaHost, due: Delivery, { until, slice_turns }: WorkTime): Promise<void> {
  const { rt, jobs, fetcher } = host;
  const lease_ms = rt.config.turn_deadline_ms + jobs.lease_ms;
  switch (kindOf(due)) {
    case "wake":
      await drive(rt, due, {
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
      await fire(rt, due, {
        owner,
        lease_ms,
        missed_after_ms: MISSED_AFTER_MS,
        call: (at) => workerCall(rt, at, { owner, emit: () => undefined }),
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
