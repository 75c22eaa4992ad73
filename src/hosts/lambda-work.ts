// What a function does with a due delivery: a slice of a background run, a tick of a schedule, a webhook.
import { randomUUID } from "node:crypto";
import { drive } from "../jobs/drive.ts";
import { kindOf } from "../jobs/due.ts";
import { fire } from "../jobs/fire.ts";
import { sendWebhook } from "../jobs/webhooks/send.ts";
import type { Delivery } from "../ports/thread-store.ts";
import type { ThreadAt } from "../schema/ids.ts";
import type { Runtime, TurnCall } from "../turn/runtime.ts";
import type { LambdaHost } from "./lambda-host.ts";

/** With growing pauses this is about an hour; then somebody has to look at it. */
const ATTEMPTS_MAX = 12;

/** Who holds a delivery: this instance of the function. */
const owner = `lambda:${randomUUID()}`;

export async function workOn({ rt, jobs, fetcher }: LambdaHost, due: Delivery, until: number): Promise<void> {
  const lease_ms = rt.config.turn_deadline_ms + jobs.lease_ms;
  switch (kindOf(due)) {
    case "wake":
      await drive(rt, due, {
        owner,
        lease_ms,
        slice_turns: jobs.slice_turns,
        until,
        attempts_max: ATTEMPTS_MAX,
        emit: () => undefined,
        stopping: () => false,
      });
      return;
    case "tick":
      await fire(rt, due, { owner, lease_ms, call: (at) => callAt(rt, at) });
      return;
    case "webhook":
      await sendWebhook(rt, due, { fetcher, links: null, owner });
      return;
  }
}

const callAt = (rt: Runtime, at: ThreadAt): TurnCall => ({
  at,
  actor: owner,
  input: null,
  budget: null,
  if_match: null,
  key: null,
  last_turn: true,
  deadline: rt.clock.now() + rt.config.turn_deadline_ms,
  signal: new AbortController().signal,
  emit: () => undefined,
});
