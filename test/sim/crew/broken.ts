// Defines deliberately broken sub-agents and workflows, each with one defect outside the runtime.
import type { StoredRecord, ThreadStore } from "../../../src/ports/thread-store.ts";
import { EffectId } from "../../../src/schema/ids.ts";
import { fail, ok } from "../../../src/schema/problem.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import type { WorkflowState } from "../../../src/schema/workflow/state.ts";
import type { CrewSabotage } from "./crew-history.ts";

type Broken = CrewSabotage & { readonly name: string; readonly caughtBy: RegExp };

/** Changes the workflow of a record on its way to the store. */
const changedWorkflow =
  (change: (now: WorkflowState, before: WorkflowState, state: ThreadState) => Partial<WorkflowState>) =>
  (store: ThreadStore): ThreadStore => ({
    ...store,
    append: async (at, record, also) => {
      const state = JSON.parse(record.state) as ThreadState;
      const loaded = state.workflow ? await store.load(at, 1) : null;
      const before = loaded?.ok ? (JSON.parse(loaded.value.head.state) as ThreadState).workflow : undefined;
      if (!state.workflow || !before) return store.append(at, record, also);
      const workflow = { ...state.workflow, ...change(state.workflow, before, state) };
      const changed: StoredRecord = { ...record, state: JSON.stringify({ ...state, workflow }) };
      return store.append(at, changed, also);
    },
  });

/** Creates one store per process, so it knows which calls its process has started. */
function onlyOwnCallsSettle(store: ThreadStore): ThreadStore {
  const started = new Set<string>();
  return {
    ...store,
    append: async (at, record, also) => {
      const { child, acting } = JSON.parse(record.state) as ThreadState;
      const loaded = child ? await store.load(at, 1) : null;
      const before = loaded?.ok ? (JSON.parse(loaded.value.head.state) as ThreadState).acting : null;
      if (acting && !before) started.add(acting.intended.id);
      const isLost = before?.cancel_requested && !acting && !started.has(before.intended.id);
      return isLost ? fail("store_unavailable", "The call is not settled.") : store.append(at, record, also);
    },
  };
}

/** Leaves out the children's usage in the record in which they report. */
const withoutSpendingOfChildren = (store: ThreadStore): ThreadStore => ({
  ...store,
  append: async (at, record, also) => {
    const state = JSON.parse(record.state) as ThreadState;
    const loaded = state.acting ? null : await store.load(at, 1);
    const before = loaded?.ok ? (JSON.parse(loaded.value.head.state) as ThreadState) : null;
    if (!before?.acting?.delegation) return store.append(at, record, also);
    const budget = { ...state.budget, used: before.budget.used };
    return store.append(at, { ...record, state: JSON.stringify({ ...state, budget }) }, also);
  },
});

export const BROKEN_CREW: readonly Broken[] = [
  {
    name: "a repeated call gets new children",
    crew: (crew, rt) => ({
      ...crew,
      delegate: (call, tasks) => crew.delegate({ ...call, effect_id: EffectId.parse(rt.ids.make("eff")) }, tasks),
    }),
    caughtBy: /^C1 /,
  },
  {
    name: "every child is created twice",
    crew: (crew, rt) => ({
      ...crew,
      delegate: async (call, tasks) => {
        await crew.delegate({ ...call, effect_id: EffectId.parse(rt.ids.make("eff")) }, tasks);
        return crew.delegate(call, tasks);
      },
    }),
    caughtBy: /^C1 /,
  },
  {
    name: "a repeated message is another message",
    crew: (crew, rt) => ({
      ...crew,
      broadcast: (call, message, to) =>
        crew.broadcast({ ...call, effect_id: EffectId.parse(rt.ids.make("eff")) }, message, to),
    }),
    caughtBy: /^C[89] /,
  },
  { name: "what children spend is not charged", store: withoutSpendingOfChildren, caughtBy: /^C8 / },
  {
    name: "a wake-up that found its parent waiting is dropped",
    store: (store) => ({
      ...store,
      settleDelivery: (due, next) => store.settleDelivery(due, next?.id === "wake" && next.attempts > 0 ? null : next),
    }),
    caughtBy: /^C5 |^C2 /,
  },
  {
    name: "the cancellation of a child is acknowledged, but not stored",
    store: (store) => ({
      ...store,
      append: async (at, record, also) => {
        const { child, machine } = JSON.parse(record.state) as ThreadState;
        const isLost = child && machine.state === "rest" && machine.outcome === "cancelled";
        return isLost ? ok({ version: record.version } as never) : store.append(at, record, also);
      },
    }),
    caughtBy: /^C2 |^C5 /,
  },
  {
    name: "a cancelled call of a child is not settled once its process has stopped",
    store: onlyOwnCallsSettle,
    caughtBy: /^C2 /,
  },
  {
    name: "the head moves before its step is written",
    store: changedWorkflow((now, _before, { machine }) =>
      machine.state === "deliver" ? { head_blob: "f".repeat(64) } : { head_blob: now.head_blob },
    ),
    caughtBy: /^C3 /,
  },
  {
    name: "a step is stored, but the head stays",
    store: changedWorkflow((_now, before) => ({ head_blob: before.head_blob })),
    caughtBy: /^C3 /,
  },
  {
    name: "the next role is not that of the graph",
    store: changedWorkflow((now, before) =>
      now.count > before.count && now.role === "reviewer" ? { role: "publisher" } : {},
    ),
    caughtBy: /^C4 /,
  },
];
