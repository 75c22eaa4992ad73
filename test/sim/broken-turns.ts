// Defines deliberately broken runtimes, each with one realistic defect, because a simulator that does not notice them
// proves nothing. The defects sit between runtime and store, so that the runtime itself has no switch for them.
import { createMemoryStore, type MemoryData } from "../../src/adapters/store-memory.ts";
import type { StoredRecord, ThreadStore } from "../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import type { Entry } from "../../src/schema/record.ts";
import type { ThreadState } from "../../src/schema/thread.ts";
import type { HistoryOptions, StoreSabotage } from "./history.ts";
import type { HistoryKind } from "./history-kinds.ts";
import type { WorkSabotage } from "./jobs/driver.ts";
import { crashHere } from "./ports.ts";

export type BrokenVariant = {
  readonly name: string;
  readonly sabotageStore?: StoreSabotage;
  readonly sabotageWork?: WorkSabotage;
  readonly sabotageSettings?: NonNullable<HistoryOptions["sabotageSettings"]>;
  readonly sabotageHooks?: NonNullable<HistoryOptions["sabotageHooks"]>;
  readonly strippedHeader?: string;
  /** The kind of history that shows the defect. The default is any kind. */
  readonly kind?: HistoryKind;
  readonly caughtBy: RegExp;
  /** The first seed to try, because few histories show the defect. A seed soon after this one does. */
  readonly from?: number;
};

const rowsOf = (data: MemoryData, at: ThreadRef): StoredRecord[] => data.records.get(`${at.tenant}/${at.thread}`) ?? [];

type Parts = { readonly entry: Entry; readonly state: ThreadState };
const read = (record: StoredRecord): Parts => ({
  entry: JSON.parse(record.entry) as Entry,
  state: JSON.parse(record.state) as ThreadState,
});
const write = (record: StoredRecord, { entry, state }: Parts): StoredRecord => ({
  ...record,
  entry: JSON.stringify(entry),
  state: JSON.stringify(state),
});

/** Changes every record before it is stored. */
export const rewriteRecords =
  (change: (parts: Parts, data: MemoryData, at: ThreadRef) => Parts): StoreSabotage =>
  (_world, data) => {
    const store = createMemoryStore(data);
    return {
      ...store,
      append: (at, record, also) => store.append(at, write(record, change(read(record), data, at)), also),
    };
  };

/** Lets the last writer win and overwrite what was there. */
const noCompareAndSet: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    append: (at, record, also) => {
      const rows = rowsOf(data, at);
      if (record.version < rows.length) rows.length = record.version;
      return store.append(at, record, also);
    },
  };
};

/** Keeps the intent in memory and writes it together with its result. */
const noIntendedReceipt: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  const delayed = new Map<string, () => ReturnType<ThreadStore["append"]>>();
  return {
    ...store,
    append: async (at, record, also) => {
      const key = `${at.tenant}/${at.thread}`;
      if (record.entry.includes('"kind":"intended"')) {
        delayed.set(key, () => store.append(at, record, also));
        return ok(record.version);
      }
      await delayed.get(key)?.();
      delayed.delete(key);
      return store.append(at, record, also);
    },
  };
};

/** Reopens the gate after its call has run. */
const confirmationNotSpent = rewriteRecords(({ entry, state }, data, at) => {
  const settled = entry.receipts.find((receipt) => receipt.kind === "settled" && receipt.effect_id !== null);
  const opened = rowsOf(data, at)
    .map((row) => read(row).state)
    .find(({ gate }) => gate !== null && gate.id === settled?.gate_id);
  if (!settled || !opened || state.machine.state !== "execute") return { entry, state };
  return {
    entry,
    state: { ...state, gate: opened.gate, machine: { ...state.machine, state: "confirm", at: "waiting" } },
  };
});

/** Writes the key separately, a moment after the record. */
const keyOutsideTheCommit: StoreSabotage = (world, data, process) => {
  const store = createMemoryStore(data);
  return {
    ...store,
    append: async (at, record, also) => {
      const { entry, state } = read(record);
      const before = rowsOf(data, at)[record.version - 1];
      const bare = {
        entry: { ...entry, key: null },
        state: { ...state, key_ring: before ? read(before).state.key_ring : [] },
      };
      const appended = await store.append(at, write(record, bare), also);
      if (!appended.ok || entry.key === null) return appended;
      await world.wait(process, "write the key", 0);
      if (world.fault("write the key", { crash: 1 }, 2)) return crashHere(world, process);
      const rows = rowsOf(data, at);
      if (rows[record.version]?.commit_id === record.commit_id) rows[record.version] = record;
      return appended;
    },
  };
};

/** Stores a correction for the model as if the user had written it. */
const correctionAsUserInput = rewriteRecords(({ entry, state }) => {
  const [correction] = entry.corrections;
  if (!correction || entry.input) return { entry, state };
  return { entry: { ...entry, input: { type: "message", text: correction.message } }, state };
});

/** Acknowledges a cancellation during a running call, but does not store it. */
const cancelForgotten = rewriteRecords(({ entry, state }) => ({
  entry,
  state: { ...state, acting: state.acting && { ...state.acting, cancel_requested: false } },
}));

/** Acknowledges that an approval is revoked, but keeps it. */
const revocationForgotten = rewriteRecords(({ entry, state }, data, at) => {
  const before = rowsOf(data, at).at(-1);
  if (entry.input?.type !== "revoke" || !before) return { entry, state };
  return { entry, state: { ...state, approvals: read(before).state.approvals } as ThreadState };
});

/** Stores an approval for a run as one for the thread. */
const approvalOutlivesRun = rewriteRecords(({ entry, state }) => {
  if (!state.approvals) return { entry, state };
  return { entry, state: { ...state, approvals: state.approvals.map((one) => ({ ...one, remember: "thread" })) } };
});

const reportsClient = (entry: Entry): boolean => entry.receipts.some(({ source }) => source === "client_reply");

/** Believes the client's claim that it wrote something. */
const clientResultProvesWrite = rewriteRecords(({ entry, state }) => {
  if (!reportsClient(entry)) return { entry, state };
  const ids = entry.receipts.map(({ id }) => id);
  const proofs = state.proofs.map((proof) =>
    ids.includes(proof.receipt_id) ? { ...proof, kind: "write" as const } : proof,
  );
  return { entry, state: { ...state, proofs } };
});

/** Keeps the gate open after the result, so that a second result is accepted. */
const clientResultNotSpent = rewriteRecords(({ entry, state }, data, at) => {
  const before = rowsOf(data, at).at(-1);
  if (!reportsClient(entry) || !before || state.machine.state !== "execute") return { entry, state };
  const { gate } = read(before).state;
  return { entry, state: { ...state, gate, machine: { ...state.machine, state: "confirm", at: "waiting" } } };
});

/** Reports every run that ends as if everything had been written. */
const evidenceOverstated = rewriteRecords(({ entry, state }) => ({
  entry,
  state: state.evidence === null ? state : { ...state, evidence: "proven", evidence_kind: "written" },
}));

/** Treats a plan that nobody approved as approved, so that its writes do not ask. */
const planCountsAsApproved = rewriteRecords(({ entry, state }) => ({
  entry,
  state: state.plan === null ? state : { ...state, plan_approved: true },
}));

export const BROKEN_TURNS: readonly BrokenVariant[] = [
  { name: "no compare-and-set", sabotageStore: noCompareAndSet, caughtBy: /^I1 .*lost|^I1 .*is not what/ },
  { name: "no intended receipt", sabotageStore: noIntendedReceipt, caughtBy: /^I5 .* ran before it was recorded/ },
  { name: "confirmation can be reused", sabotageStore: confirmationNotSpent, caughtBy: /^I4 gate .* was used twice/ },
  {
    name: "idempotency key outside the commit",
    sabotageStore: keyOutsideTheCommit,
    caughtBy: /^I1 .* is stored \d+ times/,
  },
  {
    name: "correction counted as user input",
    sabotageStore: correctionAsUserInput,
    caughtBy: /^I4 .* attributes to the user/,
  },
  {
    name: "a cancellation during a call is lost",
    sabotageStore: cancelForgotten,
    caughtBy: /^I3 .* loses a cancellation/,
    from: 25,
  },
  {
    name: "a revoked approval is still used",
    sabotageStore: revocationForgotten,
    caughtBy: /^I4 .* has an approval that was revoked/,
  },
  {
    name: "an approval for a run outlives it",
    sabotageStore: approvalOutlivesRun,
    caughtBy: /^I4 .* has an approval that nobody gave this way/,
  },
  {
    name: "a client's result counts as a write",
    sabotageStore: clientResultProvesWrite,
    caughtBy: /^I26 .* proves more than a reply/,
  },
  {
    name: "a client's result can be sent twice",
    sabotageStore: clientResultNotSpent,
    caughtBy: /^I26 .* has two results/,
  },
  {
    name: "a plan that nobody approved counts as approved",
    sabotageStore: planCountsAsApproved,
    caughtBy: /^I18 .* is wrong about who approved the plan/,
  },
  { name: "evidence is overstated", sabotageStore: evidenceOverstated, caughtBy: /^I18 .* says written/ },
];
