// Defines deliberately broken runtimes whose state contradicts the log or the world: plans, proofs, taint, usage, hooks
// and blobs.
import { createMemoryStore, type MemoryData } from "../../src/adapters/store-memory.ts";
import { fail } from "../../src/schema/problem.ts";
import type { ThreadState } from "../../src/schema/thread.ts";
import type { Hook } from "../../src/tools/hooks.ts";
import { type BrokenVariant, rewriteRecords } from "./broken-turns.ts";
import type { StoreSabotage } from "./history.ts";

/** Stores an approved plan whose steps need no proof. */
const planWithoutNeeds = rewriteRecords(({ entry, state }) => {
  if (!entry.signals.includes("plan.approved") || !state.plan) return { entry, state };
  return { entry, state: { ...state, plan: state.plan.map((step) => ({ ...step, needs: "none" as const })) } };
});

/** Delivers every run as proven. */
const alwaysProven = rewriteRecords(({ entry, state }) =>
  entry.signals.includes("run.delivered") ? { entry, state: { ...state, evidence: "proven" } } : { entry, state },
);

/** Counts every call as a proof of the current step, including failed calls. */
const failuresProve = rewriteRecords(({ entry, state }) => {
  const [receipt] = entry.receipts;
  if (receipt?.success !== false) return { entry, state };
  const proof = { step: state.machine.step, kind: "write" as const, receipt_id: receipt.id, summary: receipt.summary };
  return { entry, state: { ...state, proofs: [...state.proofs, proof], failed_writes: [] } };
});

/** Forgets that a result came from outside. */
const taintLost = rewriteRecords(({ entry, state }) => ({ entry, state: { ...state, taint: null } }));

/** Charges only the last reply of a turn with corrections. */
const correctionsFree = rewriteRecords(({ entry, state }, data, at) => {
  const { usage } = entry;
  if (!usage || usage.model_calls < 2) return { entry, state };
  const input_tokens = Math.floor(usage.input_tokens / usage.model_calls);
  const output_tokens = Math.floor(usage.output_tokens / usage.model_calls);
  const rows = data.records.get(`${at.tenant}/${at.thread}`) ?? [];
  const before = JSON.parse(rows.at(-1)?.state ?? "null") as ThreadState | null;
  const earlier = before && before.run === state.run ? before.budget.used.tokens : 0;
  const used = { ...state.budget.used, tokens: earlier + input_tokens + output_tokens };
  return {
    entry: { ...entry, usage: { ...usage, input_tokens, output_tokens } },
    state: { ...state, budget: { ...state.budget, used } },
  };
});

/** Never counts the time of the model. */
const timeFree = rewriteRecords(({ entry, state }) => ({
  entry,
  state: { ...state, budget: { ...state.budget, used: { ...state.budget.used, seconds: 0 } } },
}));

/** Does not ask the hooks about a call that a person approves. */
const hooksSkippedAtApproval = (hooks: readonly Hook[], data: MemoryData): readonly Hook[] =>
  hooks.map((hook) => {
    if (hook.hook_type !== "PRE_TOOL_USE") return hook;
    const handler: typeof hook.handler = (call) => {
      const rows = data.records.get(`${call.tenant}/${call.thread}`) ?? [];
      const state = JSON.parse(rows.at(-1)?.state ?? "null") as ThreadState | null;
      return state?.gate ? { action: "ALLOW" } : hook.handler(call);
    };
    return { ...hook, handler };
  });

/** Loses blobs when they are read for an export. */
const blobsNotFound: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  return { ...store, getBlob: async (_at, hash) => fail("blob_not_found", `There is no blob ${hash}.`) };
};

/** Copies the keys of the original thread to a fork. */
const forkKeepsKeys: StoreSabotage = (_world, data) => {
  const store = createMemoryStore(data);
  const { fork } = store;
  if (!fork) throw new Error("the memory store forks threads");
  return {
    ...store,
    fork: (from, to, head, meta) => {
      const origin = data.records.get(`${from.tenant}/${from.thread}`)?.[head.version];
      const { key_ring } = JSON.parse(origin?.state ?? "{}") as ThreadState;
      return fork(from, to, { ...head, state: JSON.stringify({ ...JSON.parse(head.state), key_ring }) }, meta);
    },
  };
};

export const BROKEN_DERIVED: readonly BrokenVariant[] = [
  { name: "an approved plan needs no proof", sabotageStore: planWithoutNeeds, caughtBy: /^I18 .* another plan/ },
  { name: "every run is delivered as proven", sabotageStore: alwaysProven, caughtBy: /^I19 .* is delivered as proven/ },
  { name: "a failed call proves a step", sabotageStore: failuresProve, caughtBy: /^I19 .* without proof/ },
  { name: "the taint of a result is lost", sabotageStore: taintLost, caughtBy: /^I20 .* is not tainted/ },
  { name: "corrections cost nothing", sabotageStore: correctionsFree, caughtBy: /^I22 .* which no model used/ },
  { name: "the time of the model costs nothing", sabotageStore: timeFree, caughtBy: /^I22 .* the model took/ },
  {
    name: "hooks are not asked at approval",
    sabotageHooks: hooksSkippedAtApproval,
    caughtBy: /^I21 .* no hook was asked after gate/,
  },
  {
    name: "a fork keeps the keys of its origin",
    sabotageStore: forkKeepsKeys,
    caughtBy: /^I1 .* the fork remembers it/,
  },
  { name: "an export has no blobs", sabotageStore: blobsNotFound, kind: "changes", caughtBy: /^I16 .* lacks blob/ },
];
