// Background runs, schedules and webhooks broken on purpose, each in one way: between runtime and store, or in the work
// that a worker is given. The runtime itself has no switch for it.
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

/** Some rows are written a moment after the record, and not at all if the process dies in between. */
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

/** The message is taken out a moment before the turn that hears it is stored, and nobody has it if that never happens. */
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

/** Whoever comes writes over what the owner of the lease has meanwhile written. */
const leaseNotChecked = sabotagedSettle((store, data) => async (delivery, next) => {
  if (!data.outbox.has(`${delivery.tenant}/${delivery.thread}/${delivery.id}`)) return ok(false);
  if (next) await store.putDelivery(next);
  else data.outbox.delete(`${delivery.tenant}/${delivery.thread}/${delivery.id}`);
  return ok(true);
});

/** What fails a few times is forgotten. */
const noDeadLetter = sabotagedSettle(
  (store) => (delivery, next) =>
    store.settleDelivery(delivery, next && isWebhook(next) && next.attempts > 2 ? null : next),
);

/** Every retry has a name of its own: whoever is told twice cannot know. */
const newIdEachTime = sabotagedSettle((store) => async (delivery, next) => {
  const waits = next && isWebhook(next) && next.due_at !== NEVER_DUE && !next.body.includes('"claim"');
  if (!waits) return store.settleDelivery(delivery, next);
  const settled = await store.settleDelivery(delivery, null);
  if (settled.ok && settled.value) await store.putDelivery({ ...next, id: `${next.id}${next.attempts}` });
  return settled;
});

/** The gate that a link has answered stands open again. */
const linkNotSpent: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    append: (at, record, also) => {
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

/** Whoever wakes starts the run, without asking whether somebody else has done so. */
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

/** A message comes into a call that is being carried out. */
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

export const BROKEN_JOBS: readonly BrokenVariant[] = [
  { name: "webhook row outside the commit", sabotageStore: outsideTheCommit(isWebhook), caughtBy: /^I10 .* is gone/ },
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
    from: 20,
  },
  { name: "lease not checked", sabotageStore: leaseNotChecked, caughtBy: /^I11 .* from whoever held it/ },
  { name: "no dead letter", sabotageStore: noDeadLetter, caughtBy: /^I10 .* is gone/ },
  { name: "webhook id new at each retry", sabotageStore: newIdEachTime, caughtBy: /^I10 .* came as / },
  {
    name: "single-use link not spent",
    sabotageStore: linkNotSpent,
    caughtBy: /^I14 .* spent twice|^I4 gate .* spent twice/,
    from: 10,
  },
  { name: "schedule fires without claim", sabotageWork: firesWithoutClaim, caughtBy: /^I13 .* no time was due/ },
  {
    name: "a call that is carried out is interrupted",
    sabotageStore: callInterrupted,
    caughtBy: /^I12 .* interrupts|^I2 .* keeps a call/,
    from: 18,
  },
].map((one) => ({ ...one, kind: "jobs" as const }));
