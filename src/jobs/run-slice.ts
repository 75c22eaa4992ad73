// Runs one background thread for a slice: leases its wake-up, advances turn by turn, then parks, requeues or dead-letters it.
import type { Delivery } from "../ports/thread-store.ts";
import type { Thread } from "../schema/record.ts";
import type { Runtime } from "../turn/runtime.ts";
import { deadLetterRun, ensureWakeUp, loadWakeUp, park, requeue, retryOrDeadLetter, WORKER_LOST } from "./end-slice.ts";
import { leaseDelivery } from "./lease.ts";
import type { SliceOptions, SliceResult } from "./slice.ts";
import { runTurn } from "./slice-turn.ts";

export async function runSlice(rt: Runtime, due: Delivery, options: SliceOptions): Promise<SliceResult> {
  let leased = leaseWakeUp(rt, due, options);
  const acquired = await rt.store.settleDelivery(due, leased);
  if (!acquired.ok || !acquired.value) return { kind: "not_acquired" };
  const at = { tenant: due.tenant, thread: due.thread };
  // A crash of the worker counts as a failed attempt, so that a job that crashes its worker ends eventually.
  if (leased.attempts > options.attempts_max) return deadLetterRun(rt, at, leased, WORKER_LOST, options);
  let thread: Thread | null = null;
  for (let turns = 0; ; turns++) {
    if (turns >= options.slice_turns || options.stopping() || !hasTimeForTurn(rt, options))
      return requeue(rt, leased, turns);
    const step = await runTurn(rt, { at, thread }, options);
    if (step.kind === "park") return park(rt, leased, step.due_at, turns);
    if (step.kind === "problem") return retryOrDeadLetter(rt, at, leased, step.problem, options);
    if (step.kind === "finish") return park(rt, leased, step.due_at, turns + 1);
    thread = step.thread;
    const renewed = await renewLease(rt, leased, options);
    if (!renewed) {
      // Another request, such as an answer or a pause, replaced the wake-up in the meantime. If the run must continue, it needs a wake-up.
      await ensureWakeUp(rt, at);
      return { kind: "parked", turns: turns + 1 };
    }
    leased = renewed;
  }
}

/** Null if the lease was lost. */
async function renewLease(rt: Runtime, leased: Delivery, options: SliceOptions): Promise<Delivery | null> {
  if (!needsRenewal(rt, leased)) {
    const [row] = await loadWakeUp(rt, leased);
    const stillLeased = row?.due_at === leased.due_at && row.attempts === leased.attempts && row.body === leased.body;
    return stillLeased ? leased : null;
  }
  const renewed = { ...leaseWakeUp(rt, leased, options), attempts: 1 };
  const settled = await rt.store.settleDelivery(leased, renewed);
  return settled.ok && settled.value ? renewed : null;
}

/** Renewing costs as much as a commit, so a lease is renewed only if it is too short for another turn, or if earlier attempts still count. */
const needsRenewal = (rt: Runtime, leased: Delivery): boolean =>
  leased.attempts > 1 || leased.due_at - rt.clock.now() < rt.config.turn_deadline_ms + LEASE_MARGIN_MS;

/** Reserves time for the commit after a turn that used its whole deadline. */
const LEASE_MARGIN_MS = 2_000;

const leaseWakeUp = (rt: Runtime, due: Delivery, options: SliceOptions): Delivery =>
  leaseDelivery(
    rt,
    due,
    { lease_ms: options.lease_ms, busy_ms: rt.config.turn_deadline_ms },
    { kind: "wake", owner: options.owner },
  );

/** A turn that cannot end before the invocation does is left to the next invocation. */
const hasTimeForTurn = (rt: Runtime, options: SliceOptions): boolean =>
  rt.clock.now() + rt.config.turn_deadline_ms <= options.until;
