// Wraps a store to record when schedules change and deliveries are dead-lettered, and to wake idle workers.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { type Delivery, NEVER_DUE, type ThreadSnapshot, type ThreadStore } from "../../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../../src/schema/ids.ts";
import type { World } from "../world.ts";
import type { JobsState } from "./jobs-state.ts";

export function jobRecordingStore(world: World, jobs: JobsState, data: MemoryData, inner: ThreadStore): ThreadStore {
  const { ledger, invalidateNextDue } = jobs;
  return {
    ...inner,
    async append(at, record, also) {
      const appended = await inner.append(at, record, also);
      if (appended.ok && at.thread.startsWith("sch_"))
        ledger.saved.push({ at, version: record.version, time: world.time() });
      invalidateNextDue();
      return appended;
    },
    ...(inner.createFromSnapshot
      ? {
          createFromSnapshot: async (at: ThreadRef, snapshot: ThreadSnapshot) => {
            const created = await inner.createFromSnapshot?.(at, snapshot);
            if (!created) throw new Error("the simulated store creates threads from snapshots");
            invalidateNextDue();
            return created;
          },
        }
      : {}),
    async putDelivery(delivery) {
      const put = await inner.putDelivery(delivery);
      invalidateNextDue();
      return put;
    },
    async settleDelivery(delivery, next) {
      const stored = storedDelivery(data, delivery);
      const settled = await inner.settleDelivery(delivery, next);
      invalidateNextDue();
      if (settled.ok && settled.value && !isSame(stored, delivery) && !isSame(stored, next))
        ledger.leaseViolations.push(`${delivery.id} of ${delivery.thread}`);
      if (settled.ok && settled.value && next) recordTransition(world, jobs, delivery, next);
      return settled;
    },
    async remove(at) {
      const removed = await inner.remove(at);
      invalidateNextDue();
      return removed;
    },
  };
}

const storedDelivery = (data: MemoryData, { tenant, thread, id }: Delivery): Delivery | null =>
  data.outbox.get(`${tenant}/${thread}/${id}`)?.delivery ?? null;

const isSame = (stored: Delivery | null, other: Delivery | null): boolean =>
  stored !== null && stored.due_at === other?.due_at && stored.attempts === other.attempts;

type Body = {
  readonly due?: string;
  readonly since?: number;
  readonly reason?: string;
  readonly webhook?: string;
};

function recordTransition(world: World, { ledger }: JobsState, before: Delivery, next: Delivery): void {
  if (next.id !== "tick" && next.due_at !== NEVER_DUE) return;
  // Rows that only mark something and are not sent have no body.
  const { due, since, reason, webhook = "" } = JSON.parse(next.body || "{}") as Body;
  if (next.id === "tick" && before.attempts === 0 && due)
    ledger.claimed.push({ schedule: next.thread, due, time: world.time() });
  if (next.due_at === NEVER_DUE && since !== undefined)
    ledger.deadLettered.push({
      id: next.id,
      webhook,
      time: world.time(),
      since,
      reason: reason ?? "",
    });
}
