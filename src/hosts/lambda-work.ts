// What a function does with a due delivery: a slice of a background run, a tick of a schedule.
import { randomUUID } from "node:crypto";
import { drive } from "../jobs/drive.ts";
import { kindOf } from "../jobs/due.ts";
import { fire } from "../jobs/fire.ts";
import type { Delivery } from "../ports/thread-store.ts";
import type { ThreadAt } from "../schema/ids.ts";
import type { Runtime, TurnCall } from "../turn/runtime.ts";

const SLICE_TURNS = 50;
const ATTEMPTS_MAX = 5;
/** Besides the time a turn may take. */
const LEASE_GRACE_MS = 30_000;

/** Who holds a delivery: this instance of the function. */
const owner = `lambda:${randomUUID()}`;

export async function workOn(rt: Runtime, due: Delivery, until: number): Promise<void> {
  const lease_ms = rt.config.turn_deadline_ms + LEASE_GRACE_MS;
  switch (kindOf(due)) {
    case "wake":
      await drive(rt, due, {
        owner,
        lease_ms,
        slice_turns: SLICE_TURNS,
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
      // Waits in the outbox for a host that delivers webhooks.
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
