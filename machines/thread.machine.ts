// The lifecycle of a thread as a pure transition table. It is never started as an actor: a stored state goes in, the next one comes out.
// So it uses no invoke, delay, history or eventless transition: none of them survives storage.
import { assign, setup } from "xstate";
import type { Signal } from "./thread.signals.ts";

export type ThreadContext = {
  mode: "plan" | "direct";
  step: number;
  steps: number;
  /** The state that a reset or a raised budget returns to. */
  back: "plan" | "execute" | null;
  outcome: "completed" | "aborted" | "exhausted" | "cancelled" | null;
};

export const initialContext: ThreadContext = { mode: "plan", step: 0, steps: 0, back: null, outcome: null };

const machine = setup({
  types: { context: {} as ThreadContext, events: {} as Signal },
  guards: {
    startsDirect: ({ event }) => event.type === "run.started" && event.mode === "direct",
    hasPlanMode: ({ context }) => context.mode === "plan",
    hasLaterStep: ({ context }) => context.step + 1 < context.steps,
    isLastStep: ({ context }) => context.step + 1 >= context.steps,
    resumesPlan: ({ context }) => context.outcome === "exhausted" && context.back === "plan",
    resumesExecute: ({ context }) => context.outcome === "exhausted" && context.back === "execute",
    // While a plan is being created, there are no steps yet.
    hasRunningPlan: ({ context }) => context.steps > 0,
    cameFromPlan: ({ context }) => context.back === "plan",
    cameFromExecute: ({ context }) => context.back === "execute",
  },
  actions: {
    startPlan: assign({ mode: "plan", step: 0, steps: 0, back: null, outcome: null }),
    startDirect: assign({ mode: "direct", step: 0, steps: 1, back: null, outcome: null }),
    setPlan: assign({ step: 0, steps: ({ event }) => (event.type === "plan.approved" ? event.steps : 0) }),
    dropPlan: assign({ step: 0, steps: 0 }),
    nextStep: assign({ step: ({ context }) => context.step + 1 }),
    rememberPlan: assign({ back: "plan" }),
    rememberExecute: assign({ back: "execute" }),
    clearReturn: assign({ back: null, outcome: null }),
    startVisit: assign({ step: 0, steps: 1, back: null, outcome: null }),
    complete: assign({ outcome: "completed", back: null }),
    abort: assign({ outcome: "aborted", back: null }),
    cancel: assign({ outcome: "cancelled", back: null }),
    exhaustPlan: assign({ outcome: "exhausted", back: "plan" }),
    exhaustExecute: assign({ outcome: "exhausted", back: "execute" }),
  },
});

const aborted = { target: "#thread.rest", actions: "abort" } as const;
const cancelled = { target: "#thread.rest", actions: "cancel" } as const;

export const threadMachine = machine.createMachine({
  id: "thread",
  initial: "rest",
  context: initialContext,
  states: {
    rest: {
      on: {
        "run.started": [
          { guard: "startsDirect", target: "execute", actions: "startDirect" },
          { target: "plan", actions: "startPlan" },
        ],
        "run.resumed": [
          { guard: "resumesPlan", target: "plan", actions: "clearReturn" },
          { guard: "resumesExecute", target: "execute", actions: "clearReturn" },
        ],
      },
    },
    plan: {
      initial: "thinking",
      on: { "run.cancelled": cancelled },
      states: {
        thinking: {
          on: {
            "plan.continued": { target: "thinking", reenter: true },
            "plan.proposed": { target: "approving" },
            "plan.approved": { target: "#thread.execute", actions: "setPlan" },
            "question.asked": { target: "asking" },
            // A new plan was requested while still planning: planning continues.
            "run.replanned": { target: "thinking", reenter: true },
            "run.aborted": aborted,
            "run.answered": { target: "#thread.rest", actions: "complete" },
            "run.exhausted": { target: "#thread.rest", actions: "exhaustPlan" },
            "thread.poisoned": { target: "#thread.failed", actions: "rememberPlan" },
          },
        },
        asking: { on: { "question.closed": { target: "thinking" } } },
        approving: {
          on: {
            "plan.approved": [
              { guard: "hasRunningPlan", target: "#thread.execute" },
              { target: "#thread.execute", actions: "setPlan" },
            ],
            "plan.rejected": { target: "thinking", actions: "dropPlan" },
          },
        },
      },
    },
    execute: {
      initial: "deciding",
      on: { "run.cancelled": cancelled },
      states: {
        deciding: {
          on: {
            "turn.taken": { target: "deciding", reenter: true },
            "step.advanced": { guard: "hasLaterStep", target: "deciding", reenter: true, actions: "nextStep" },
            "question.asked": { target: "asking" },
            "call.gated": { target: "#thread.confirm.waiting" },
            "call.intended": { target: "#thread.confirm.acting" },
            // The plan ran without approval because it only reads; now a call would change something.
            "plan.gated": { guard: "hasPlanMode", target: "#thread.plan.approving" },
            "run.replanned": { guard: "hasPlanMode", target: "#thread.plan", actions: "dropPlan" },
            "run.finished": { guard: "isLastStep", target: "#thread.deliver" },
            "run.aborted": aborted,
            "run.exhausted": { target: "#thread.rest", actions: "exhaustExecute" },
            "role.suspended": { target: "suspended" },
            "role.resumed": { target: "deciding", reenter: true, actions: "startVisit" },
            "thread.poisoned": { target: "#thread.failed", actions: "rememberExecute" },
          },
        },
        asking: { on: { "question.closed": { target: "deciding" } } },
        suspended: { on: { "role.resumed": { target: "deciding", actions: "startVisit" } } },
      },
    },
    confirm: {
      initial: "waiting",
      states: {
        waiting: {
          on: {
            // A pure call runs inside the turn that approves it, so it settles without an intended record.
            "call.settled": { target: "#thread.execute" },
            "call.intended": { target: "acting" },
            "call.rejected": { target: "#thread.execute" },
            // What the call would do changed since the person was asked, so the person is asked again. Or the approved call
            // runs in the client, so the thread waits for its result.
            "call.gated": { target: "waiting", reenter: true },
            "run.cancelled": cancelled,
          },
        },
        acting: {
          on: {
            // Taken over after its owner did not settle it in time: stored as intended again before it is resent.
            "call.intended": { target: "acting", reenter: true },
            "call.settled": { target: "#thread.execute" },
            "call.doubted": { target: "doubting" },
            "call.delegated": { target: "delegating" },
          },
        },
        delegating: {
          on: {
            // A request of the parent advanced a child.
            "call.delegated": { target: "delegating", reenter: true },
            "call.settled": { target: "#thread.execute" },
          },
        },
        doubting: {
          on: {
            // A person allows another attempt.
            "call.intended": { target: "acting" },
            "call.settled": { target: "#thread.execute" },
            "run.aborted": aborted,
          },
        },
      },
    },
    deliver: {
      on: {
        "run.delivered": { target: "rest", actions: "complete" },
        "role.routed": { target: "execute", actions: "startVisit" },
        "role.suspended": { target: "execute.suspended" },
        // The deliverable of a role does not fit into the budget; after it is raised, the role continues.
        "run.exhausted": { target: "rest", actions: "exhaustExecute" },
        "run.cancelled": cancelled,
      },
    },
    failed: {
      on: {
        "thread.reset": [
          { guard: "cameFromPlan", target: "plan", actions: "clearReturn" },
          { guard: "cameFromExecute", target: "execute", actions: "clearReturn" },
        ],
        "run.cancelled": cancelled,
      },
    },
  },
});
