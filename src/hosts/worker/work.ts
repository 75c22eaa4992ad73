// What a thread's object does when its alarm rings: a slice of a background run, a tick of a schedule.
import type { ThreadRows } from "../../adapters/store-durable-object/thread-rows.ts";
import { drive } from "../../jobs/drive.ts";
import { kindOf } from "../../jobs/due.ts";
import { fire } from "../../jobs/fire.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { ThreadAt } from "../../schema/ids.ts";
import type { Runtime, TurnCall } from "../../turn/runtime.ts";
import type { WorkerHost } from "./host.ts";

const OWNER = "alarm";
/** With growing pauses this is about an hour; then somebody has to look at it. */
const ATTEMPTS_MAX = 12;
/** The platform ends an alarm after fifteen minutes. */
const ALARM_MS = 10 * 60_000;
const WAITING_MAX = 500;

/** What alarms are for; a webhook waits in the outbox for a host that sends it. */
export const waiting = (rows: ThreadRows, at: ThreadAt): readonly Delivery[] =>
  rows
    .deliveries(WAITING_MAX)
    .map(({ id, due_at, attempts, body }) => ({ ...at, id, due_at, attempts, body }))
    .filter((one) => one.due_at < Number.MAX_SAFE_INTEGER && kindOf(one) !== "webhook");

/** An object that ends in the middle goes on when its claim is over: after a turn's time and the lease. */
export async function workOn({ rt, jobs }: WorkerHost, due: Delivery): Promise<void> {
  const lease_ms = rt.config.turn_deadline_ms + jobs.lease_ms;
  if (kindOf(due) === "tick") {
    await fire(rt, due, { owner: OWNER, lease_ms, call: (at) => callAt(rt, at) });
    return;
  }
  await drive(rt, due, {
    owner: OWNER,
    lease_ms,
    slice_turns: jobs.slice_turns,
    until: rt.clock.now() + Math.max(ALARM_MS, rt.config.turn_deadline_ms),
    attempts_max: ATTEMPTS_MAX,
    emit: () => undefined,
    stopping: () => false,
  });
}

const callAt = (rt: Runtime, at: ThreadAt): TurnCall => ({
  at,
  actor: OWNER,
  input: null,
  budget: null,
  if_match: null,
  key: null,
  last_turn: true,
  deadline: rt.clock.now() + rt.config.turn_deadline_ms,
  signal: new AbortController().signal,
  emit: () => undefined,
});
