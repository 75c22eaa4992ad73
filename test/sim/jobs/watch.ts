// The store as everybody uses it, watched: notes when schedules move and deliveries are given up, and wakes whoever is idle.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { type Delivery, NEVER_DUE, type ThreadStore } from "../../../src/ports/thread-store.ts";
import type { World } from "../world.ts";
import type { JobsFacts } from "./facts.ts";

export function watchedStore(world: World, jobs: JobsFacts, data: MemoryData, inner: ThreadStore): ThreadStore {
  const { ledger, touched } = jobs;
  return {
    ...inner,
    async append(at, record, also) {
      const appended = await inner.append(at, record, also);
      if (appended.ok && at.thread.startsWith("sch_"))
        ledger.saved.push({ at, version: record.version, now: world.now() });
      touched();
      return appended;
    },
    async putDelivery(delivery) {
      const put = await inner.putDelivery(delivery);
      touched();
      return put;
    },
    async settleDelivery(delivery, next) {
      const held = heldIn(data, delivery);
      const settled = await inner.settleDelivery(delivery, next);
      touched();
      if (settled.ok && settled.value && !isSame(held, delivery) && !isSame(held, next))
        ledger.stolen.push(`${delivery.id} of ${delivery.thread}`);
      if (settled.ok && settled.value && next) note(world, jobs, delivery, next);
      return settled;
    },
    async remove(at) {
      const removed = await inner.remove(at);
      touched();
      return removed;
    },
  };
}

const heldIn = (data: MemoryData, { tenant, thread, id }: Delivery): Delivery | null =>
  data.outbox.get(`${tenant}/${thread}/${id}`)?.delivery ?? null;

const isSame = (held: Delivery | null, other: Delivery | null): boolean =>
  held !== null && held.due_at === other?.due_at && held.attempts === other.attempts;

type Body = {
  readonly due?: string;
  readonly since?: number;
  readonly reason?: string;
  readonly webhook?: string;
};

function note(world: World, { ledger }: JobsFacts, before: Delivery, next: Delivery): void {
  const { due, since, reason, webhook = "" } = JSON.parse(next.body) as Body;
  if (next.id === "tick" && before.attempts === 0 && due)
    ledger.taken.push({ schedule: next.thread, due, now: world.now() });
  if (next.due_at === NEVER_DUE && since !== undefined)
    ledger.buried.push({ id: next.id, webhook, time: world.time(), since, now: world.now(), reason: reason ?? "" });
}
