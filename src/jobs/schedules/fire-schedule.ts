// Starts a schedule's run for this due time, then waits for the next one. A repeated trigger derives the same ids and starts nothing.
import { type Backoff, backoffMs } from "../../ports/backoff.ts";
import { isTransient } from "../../ports/retry.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { type Schedule, ScheduleId } from "../../schema/jobs/schedule.ts";
import { ok, type Problem, type Result } from "../../schema/problem.ts";
import { createThread } from "../../threads/create.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";
import { documentThreadRef } from "../documents.ts";
import { postMessage } from "../inbox/post-message.ts";
import { leaseDelivery } from "../lease.ts";
import { dueOfTick, loadSchedule, tickDelivery, updateSchedule, withNextDue } from "./schedules.ts";

/** A trigger later than this counts as missed. */
export const MISSED_AFTER_MS = 60_000;

export type FireResult =
  | { readonly kind: "not_acquired" | "skipped" | "gone" }
  | { readonly kind: "fired"; readonly thread: string }
  | { readonly kind: "retry"; readonly problem: Problem };

export type FireOptions = {
  readonly owner: string;
  readonly lease_ms: number;
  readonly turnRequest: (at: ThreadRef) => TurnRequest;
  /** Hosts that do not poll continuously find a tick some time after it is due, so they set a longer time. */
  readonly missed_after_ms?: number;
};

export async function fireSchedule(rt: Runtime, tick: Delivery, options: FireOptions): Promise<FireResult> {
  const now = rt.clock.now();
  const due = dueOfTick(tick);
  const leased = leaseDelivery(
    rt,
    tick,
    { lease_ms: options.lease_ms, busy_ms: 0 },
    { kind: "tick", due, owner: options.owner },
  );
  const acquired = await rt.store.settleDelivery(tick, leased);
  if (!acquired.ok || !acquired.value) return { kind: "not_acquired" };
  const id = ScheduleId.parse(tick.thread);
  const found = await loadSchedule(rt, tick.tenant, id);
  if (!found.ok) {
    if (found.problem.code === "schedule_not_found") await rt.store.settleDelivery(leased, null);
    return found.problem.code === "schedule_not_found" ? { kind: "gone" } : { kind: "retry", problem: found.problem };
  }
  const schedule = found.value.value;
  if (schedule.next_at !== due) return replaceStaleTick(rt, leased, schedule);
  // A tick that was leased in time and then interrupted is not late when it is retried.
  const { missed_after_ms = MISSED_AFTER_MS } = options;
  const isLate = tick.attempts === 0 && now - Date.parse(due) - schedule.jitter_s * 1000 > missed_after_ms;
  if (isLate && schedule.missed === "skip") return finish(rt, tick, schedule, due, null, "skipped");
  const started = await startScheduledRun(rt, tick, schedule, due, options);
  if (started.ok) return finish(rt, tick, schedule, due, started.value, "started");
  // If waiting does not solve a problem, it is recorded, and the schedule tries again at the next due time.
  if (!isTransient(started.problem) || leased.attempts >= ATTEMPTS_MAX)
    return finish(rt, tick, schedule, due, null, started.problem.code);
  return retryLater(rt, leased, started.problem);
}

const ATTEMPTS_MAX = 8;

/** The document decides which due time is next; a repeated create may have replaced its tick. If it has changed since, it has its own tick. */
async function replaceStaleTick(rt: Runtime, leased: Delivery, schedule: Schedule): Promise<FireResult> {
  await rt.store.settleDelivery(leased, tickDelivery(rt, documentThreadRef(leased.tenant, schedule.id), schedule));
  return { kind: "not_acquired" };
}

const BACKOFF: Backoff = { first_ms: 5_000, max_ms: 15 * 60_000 };

async function retryLater(rt: Runtime, leased: Delivery, problem: Problem): Promise<FireResult> {
  const wait = backoffMs(BACKOFF, leased.attempts, 0);
  await rt.store.settleDelivery(leased, { ...leased, due_at: rt.clock.now() + wait });
  return { kind: "retry", problem };
}

/** The key is derived from the schedule and the due time, so firing again returns the existing thread. */
async function startScheduledRun(
  rt: Runtime,
  tick: Delivery,
  schedule: Schedule,
  due: string,
  options: FireOptions,
): Promise<Result<string>> {
  const name = `${schedule.id}:${due}`;
  const key = {
    name,
    hash: keyHash(rt.hash, name),
    body: bodyHash(rt.hash, { route: "schedule", query: {}, body: name }),
  };
  const { what } = schedule;
  if (what.kind === "thread") {
    const created = await createThread(rt, {
      tenant: tick.tenant,
      actor: schedule.name,
      input: { ...what.create, run: "background" },
      key,
      untrusted: schedule.untrusted,
      already_validated: true,
    });
    return created.ok ? ok(created.value.outcome.thread.id) : created;
  }
  const request = { ...options.turnRequest({ tenant: tick.tenant, thread: what.thread }), actor: schedule.name, key };
  const posted = await postMessage(rt, request, { message: what.message, untrusted: schedule.untrusted });
  return posted.ok ? ok(what.thread) : posted;
}

async function finish(
  rt: Runtime,
  tick: Delivery,
  schedule: Schedule,
  due: string,
  thread: string | null,
  outcome: string,
): Promise<FireResult> {
  const now = rt.clock.now();
  const saved = await updateSchedule(rt, tick.tenant, schedule.id, (current) => {
    if (current.next_at !== due) return ok(current);
    // The next due time is in the future, because all due times during a downtime count as one.
    const next = withNextDue(
      { ...current, last: { due_at: due, thread, outcome }, runs: current.runs + (thread ? 1 : 0) },
      Math.max(now, Date.parse(due)),
    );
    return ok(next);
  });
  if (!saved.ok) return { kind: "retry", problem: saved.problem };
  return thread ? { kind: "fired", thread } : { kind: "skipped" };
}
