// Defines deliberately broken background runs, schedules and webhooks, each with one defect, between runtime and store
// or in the work of a worker. The runtime itself has no switch for it.
import { createMemoryStore, type MemoryData } from "../../src/adapters/store-memory.ts";
import { updateSchedule, withNextDue } from "../../src/jobs/schedules/schedules.ts";
import { type Delivery, NEVER_DUE, type ThreadStore } from "../../src/ports/thread-store.ts";
import { Schedule } from "../../src/schema/jobs/schedule.ts";
import { ok } from "../../src/schema/problem.ts";
import type { Entry } from "../../src/schema/record.ts";
import type { ThreadState } from "../../src/schema/thread.ts";
import { createThread } from "../../src/threads/create.ts";
import type { BrokenVariant } from "./broken-turns.ts";
import type { StoreSabotage } from "./history.ts";
import type { WorkSabotage } from "./jobs/driver.ts";
import { crashHere } from "./ports.ts";

const isWebhook = ({ id }: Delivery): boolean => id.startsWith("dlv_");
const isWakeUp = ({ id }: Delivery): boolean => id === "wake";

/** Writes some rows a moment after the record, or not at all if the process dies in between. */
const outsideTheCommit =
  (late: (delivery: Delivery) => boolean): StoreSabotage =>
  (world, data, process) => {
    const store = createMemoryStore(data);
    return {
      ...store,
      append: async (at, record, also = {}) => {
        const outbox = also.outbox?.filter((one) => !late(one)) ?? [];
        const appended = await store.append(at, record, { ...also, outbox });
        for (const one of appended.ok ? (also.outbox?.filter(late) ?? []) : []) {
          await world.wait(process, "write the row", 0);
          if (world.fault("write the row", { crash: 1 }, 2)) return crashHere(world, process);
          await store.putDelivery(one);
        }
        return appended;
      },
    };
  };

/** Deletes the message a moment before its turn is stored, so that it is lost if the turn is never stored. */
const inboxEmptiedEarly: StoreSabotage = (world, data, process) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    append: async (at, record, { taken = [], ...rest } = {}) => {
      for (const id of taken) {
        data.outbox.delete(`${at.tenant}/${at.thread}/${id}`);
        await world.wait(process, "take the row out", 0);
        if (world.fault("take the row out", { crash: 1 }, 2)) return crashHere(world, process);
      }
      return store.append(at, record, rest);
    },
  };
};

const sabotagedSettle =
  (settle: (store: ThreadStore, data: MemoryData) => ThreadStore["settleDelivery"]): StoreSabotage =>
  (_world, data) => {
    const store = createMemoryStore(data);
    return { ...store, settleDelivery: settle(store, data) };
  };

/** Overwrites what the owner of the lease has written meanwhile. */
const leaseNotChecked = sabotagedSettle((store, data) => async (delivery, next) => {
  if (!data.outbox.has(`${delivery.tenant}/${delivery.thread}/${delivery.id}`)) return ok(false);
  if (next) await store.putDelivery(next);
  else data.outbox.delete(`${delivery.tenant}/${delivery.thread}/${delivery.id}`);
  return ok(true);
});

/** Drops deliveries that fail a few times. */
const noDeadLetter = sabotagedSettle(
  (store) => (delivery, next) =>
    store.settleDelivery(delivery, next && isWebhook(next) && next.attempts > 2 ? null : next),
);

/** Gives every retry a new id, so that a receiver cannot detect duplicates. */
const newIdEachTime = sabotagedSettle((store) => async (delivery, next) => {
  const waits = next && isWebhook(next) && next.due_at !== NEVER_DUE && !next.body.includes('"claim"');
  if (!waits) return store.settleDelivery(delivery, next);
  const settled = await store.settleDelivery(delivery, null);
  if (settled.ok && settled.value) await store.putDelivery({ ...next, id: `${next.id}${next.attempts}` });
  return settled;
});

/** Reopens a gate that was answered by a link. */
const linkNotSpent: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    append: (at, record, also) => {
      // Schedules are stored as records, too, but have no receipts.
      if (!at.thread.startsWith("thr_")) return store.append(at, record, also);
      const entry = JSON.parse(record.entry) as Entry;
      const state = JSON.parse(record.state) as ThreadState;
      const rows = data.records.get(`${at.tenant}/${at.thread}`) ?? [];
      const opened = rows
        .map((row) => (JSON.parse(row.state) as ThreadState).gate)
        .findLast((gate) => gate?.kind === "confirmation");
      const ran = entry.receipts.some(({ kind, gate_id }) => kind === "settled" && gate_id === opened?.id);
      const spent = ran || entry.closed_gate?.id === opened?.id;
      if (!opened || !spent || !entry.actor.startsWith("link:") || state.machine.state !== "execute")
        return store.append(at, record, also);
      const machine = { ...state.machine, state: "confirm", at: "waiting" };
      return store.append(at, { ...record, state: JSON.stringify({ ...state, gate: opened, machine }) }, also);
    },
  };
};

/** Starts a run on every wake-up without claiming the due time. */
const firesWithoutClaim: WorkSabotage = (rt, works) => ({
  ...works,
  tick: async (due) => {
    const rows = await rt.store.load({ tenant: due.tenant, thread: due.thread }, 1);
    const schedule = rows.ok ? Schedule.parse(JSON.parse(rows.value.head.state)) : null;
    if (schedule?.what.kind !== "thread" || !schedule.next_at) return works.tick(due, () => false);
    const input = { ...schedule.what.create, run: "background" as const };
    const made = await createThread(rt, { tenant: due.tenant, actor: schedule.name, input, key: null });
    if (made.ok)
      await updateSchedule(rt, due.tenant, schedule.id, (held) =>
        ok(withNextDue({ ...held, runs: held.runs + 1 }, Date.parse(schedule.next_at ?? ""))),
      );
    return { kind: "fired" };
  },
});

/** Lets a message interrupt a running call. */
const callInterrupted: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    load: async (at, entries) => {
      const loaded = await store.load(at, entries);
      if (!loaded.ok) return loaded;
      const state = JSON.parse(loaded.value.head.state) as ThreadState;
      if (state.machine.at !== "acting" || state.background?.status !== "on") return loaded;
      const machine = { ...state.machine, state: "execute", at: "deciding" };
      return ok({ ...loaded.value, head: { ...loaded.value.head, state: JSON.stringify({ ...state, machine }) } });
    },
  };
};

const VARIANTS: readonly BrokenVariant[] = [
  {
    name: "webhook row outside the commit",
    sabotageStore: outsideTheCommit(isWebhook),
    caughtBy: /^I10 .* is missing/,
  },
  {
    name: "wake-up outside the commit",
    sabotageStore: outsideTheCommit(isWakeUp),
    caughtBy: /^I11 .* stopped in/,
    from: 110,
  },
  {
    name: "inbox row deleted outside the commit",
    sabotageStore: inboxEmptiedEarly,
    caughtBy: /^I12 /,
    from: 41,
  },
  { name: "lease not checked", sabotageStore: leaseNotChecked, caughtBy: /^I11 .* from its owner/ },
  { name: "no dead letter", sabotageStore: noDeadLetter, caughtBy: /^I10 .* is missing/ },
  // An id that does not belong to the record is not sent, so the event is missing.
  { name: "new webhook id on each retry", sabotageStore: newIdEachTime, caughtBy: /^I10 .* is missing/ },
  {
    name: "single-use link can be reused",
    sabotageStore: linkNotSpent,
    caughtBy: /^I14 .* used twice|^I4 gate .* used twice/,
    from: 19,
  },
  { name: "schedule fires without claim", sabotageWork: firesWithoutClaim, caughtBy: /^I13 .* had no due time/ },
  {
    name: "a running call is interrupted",
    sabotageStore: callInterrupted,
    caughtBy: /^I12 .* interrupts|^I2 .* keeps a call/,
    from: 33,
  },
];
export const BROKEN_JOBS = VARIANTS.map((variant) => ({ ...variant, kind: "jobs" as const }));
