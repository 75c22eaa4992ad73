// Repairs due times that were stored while the clock was wrong and could lie years ahead. Recurring schedules are
// recomputed, expiring gates restart, and other deliveries become due now. Times that a caller chose are kept.
import { isoTime } from "../../ports/clock.ts";
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import type { Gate } from "../../schema/gate.ts";
import { type Schedule, ScheduleId } from "../../schema/jobs/schedule.ts";
import { CLOCK_SKEW_MS } from "../../schema/jobs/time-limit.ts";
import { ok } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { changeState } from "../../threads/change-state.ts";
import { loadThread } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { deliveryKind } from "../delivery-kind.ts";
import { documentThreadRef } from "../documents.ts";
import { RETRY_DELAY_MAX_MS } from "../end-slice.ts";
import { LONGEST_WAIT_MS } from "../webhooks/send-webhook.ts";
import { createWorkerRequest } from "../worker-request.ts";
import { nextAt, withJitter } from "./next-due.ts";
import { loadSchedule, tickDelivery, updateSchedule } from "./schedules.ts";

/** The maximum number of rows that are checked, earliest due first. */
const ROWS_MAX = 20_000;

export type FarDueOptions = {
  /** The longest time that a worker holds a lease on a delivery. */
  readonly lease_ms: number;
};

export async function repairFarDue(rt: Runtime, options: FarDueOptions): Promise<number> {
  const rows = await rt.store.dueDeliveries(NEVER_DUE - 1, ROWS_MAX);
  return rows.ok ? repairFarRows(rt, rows.value, options) : 0;
}

/** Returns the number of corrected rows. Each is changed by compare-and-set, so a worker with a valid lease loses nothing. */
export async function repairFarRows(
  rt: Runtime,
  rows: readonly Delivery[],
  { lease_ms }: FarDueOptions,
): Promise<number> {
  const longest_ms = Math.max(lease_ms, RETRY_DELAY_MAX_MS) + CLOCK_SKEW_MS;
  let repaired = 0;
  for (const row of rows) if (await repairRow(rt, row, longest_ms)) repaired += 1;
  return repaired;
}

async function repairRow(rt: Runtime, row: Delivery, longest_ms: number): Promise<boolean> {
  const ahead_ms = row.due_at - rt.clock.now();
  // A schedule may have a wrong next time even if its tick is due soon.
  if (deliveryKind(row) === "tick") return ahead_ms > 0 && repairTick(rt, row, longest_ms);
  if (deliveryKind(row) === "wake") return ahead_ms > longest_ms && repairWakeUp(rt, row, ahead_ms);
  return row.id.startsWith("dlv_") && ahead_ms > LONGEST_WAIT_MS + CLOCK_SKEW_MS && makeDueNow(rt, row);
}

/** The next poll finds the delivery, and the worker that leases it decides what to do. */
async function makeDueNow(rt: Runtime, row: Delivery): Promise<boolean> {
  const settled = await rt.store.settleDelivery(row, { ...row, due_at: rt.clock.now() });
  return settled.ok && settled.value;
}

async function repairWakeUp(rt: Runtime, row: Delivery, ahead_ms: number): Promise<boolean> {
  const thread = await loadThread(rt, row);
  if (thread.ok && isFromFuture(thread.value.state.gate, rt.clock.now())) return repairGate(rt, row);
  if (!thread.ok || ahead_ms <= waitOf(thread.value.state, rt.clock.now()) + CLOCK_SKEW_MS) return false;
  return makeDueNow(rt, row);
}

const isFromFuture = (gate: Gate | null, now: number): gate is Gate & { expires_at: string } =>
  gate?.expires_at != null && Date.parse(gate.created_at) > now + CLOCK_SKEW_MS;

/** The gate stays open as long as intended, counted from now. Its id and digest stay, so that an answer still fits. */
async function repairGate(rt: Runtime, row: Delivery): Promise<boolean> {
  const now = rt.clock.now();
  const request = createWorkerRequest(rt, { tenant: row.tenant, thread: row.thread }, { owner: "clock" });
  let due_at: number | null = null;
  const changed = await changeState(rt, request, ({ gate }) => {
    due_at = null;
    if (!isFromFuture(gate, now)) return ok(null);
    due_at = now + Date.parse(gate.expires_at) - Date.parse(gate.created_at);
    return ok({ state: { gate: { ...gate, created_at: isoTime(now), expires_at: isoTime(due_at) } } });
  });
  if (!changed.ok || due_at === null) return false;
  const settled = await rt.store.settleDelivery(row, { ...row, due_at });
  return settled.ok && settled.value;
}

/** How long the thread itself waits: until its gate expires, or for as long as the running call may take. */
function waitOf({ gate, acting }: ThreadState, now: number): number {
  if (gate?.expires_at) return Date.parse(gate.expires_at) - now;
  return acting ? Date.parse(acting.intended.settle_by) - Date.parse(acting.intended.started_at) : 0;
}

async function repairTick(rt: Runtime, row: Delivery, longest_ms: number): Promise<boolean> {
  const id = ScheduleId.safeParse(row.thread);
  const found = id.success ? await loadSchedule(rt, row.tenant, id.data) : null;
  if (!id.success || !found?.ok) return false;
  const schedule = found.value.value;
  const now = rt.clock.now();
  const next_at = nextByRule(schedule, now);
  if (schedule.when.kind !== "once" && isBefore(next_at, schedule.next_at)) {
    const change = (held: Schedule) => ok(held.next_at === schedule.next_at ? { ...held, next_at } : held);
    return (await updateSchedule(rt, row.tenant, id.data, change)).ok;
  }
  // The due time is valid, but the tick is leased for longer than the limit.
  const due_at = schedule.next_at === null ? now : withJitter(rt.hash, schedule, schedule.next_at);
  if (row.due_at <= Math.max(due_at, now + longest_ms)) return false;
  const settled = await rt.store.settleDelivery(
    row,
    tickDelivery(rt, documentThreadRef(row.tenant, id.data), schedule),
  );
  return settled.ok && settled.value;
}

/** Follows the due time that fired last, unless a wrong clock fired that one too early. */
function nextByRule(schedule: Schedule, now: number): string | null {
  const done = schedule.last ? Date.parse(schedule.last.due_at) : 0;
  return nextAt(schedule, done <= now + CLOCK_SKEW_MS ? Math.max(now, done) : now);
}

const isBefore = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && Date.parse(one) + CLOCK_SKEW_MS < Date.parse(other);
