// Defines the changes that starting, resuming, cancelling or resetting a run makes to the state before the machine moves.
import { type ActiveCall, GOAL_BYTES_MAX, type ThreadState, TITLE_CHARS_MAX } from "../../schema/thread.ts";
import { truncateBytes, truncateChars } from "../../tools/truncate-text.ts";
import { cancelledText } from "../commit/delivery-text.ts";
import { amend, closedGateEntry, type Draft } from "../commit/draft.ts";
import { freshBudget } from "../judge/budget.ts";
import { unprovenEnd } from "../judge/run-evidence.ts";

/** Starts a new run: clears the plan, proofs and spent budget, and keeps the dialogue, window, todo list, taint, keys and overrides. */
export function withNewRun(draft: Draft, goal: string): Draft {
  const { state } = draft;
  const run = state.run + 1;
  return amend(draft, {
    state: {
      run,
      goal: truncateBytes(goal, GOAL_BYTES_MAX),
      ...keptTitle(state),
      ...freshRun(state),
      budget: freshBudget(state.budget.limit),
      ...(state.child && { child: { ...state.child, escalated: null } }),
    },
    entry: { run },
    signals: [{ type: "run.started", mode: state.machine.mode }],
  });
}

/** Keeps the goal of the first run as the title, unless the thread was created with a title. */
const keptTitle = ({ title, goal, metadata }: ThreadState): Partial<ThreadState> =>
  title !== undefined || goal === "" || metadata === null || metadata?.title !== undefined
    ? {}
    : { title: truncateChars(goal, TITLE_CHARS_MAX) };

export const withoutPlan = () => ({ plan: null, plan_approved: false, proofs: [], failed_writes: [], results: [] });

/** The parts of the state that begin anew with every run. Approvals and rejections that are remembered for the run end with it. */
export const freshRun = (state: ThreadState): Partial<ThreadState> => ({
  ...withoutPlan(),
  evidence: null,
  evidence_kind: null,
  failures: { decisions: 0, handlers: 0 },
  idle: 0,
  last_digest: null,
  ...(state.approvals && { approvals: state.approvals.filter(({ remember }) => remember === "thread") }),
  ...(state.rejections && { rejections: {} }),
});

export const withResumedRun = (draft: Draft): Draft =>
  amend(draft, { state: { evidence: null, evidence_kind: null }, signals: [{ type: "run.resumed" }] });

/** While planning, the next prompt shows the message anyway; while executing, the run returns to planning. */
export function withReplan(draft: Draft): Draft {
  if (draft.state.machine.state === "plan") return draft;
  return amend(draft, { state: { ...withoutPlan(), idle: 0 }, signals: [{ type: "run.replanned" }] });
}

/** The process that runs the call sees the request when the call settles, and then delivers the cancellation. */
export const withCancelRequest = (draft: Draft, acting: ActiveCall): Draft =>
  amend(draft, { state: { acting: { ...acting, cancel_requested: true } }, entry: { call: acting.call } });

export function withCancelledRun(draft: Draft): Draft {
  const { gate } = draft.state;
  return amend(draft, {
    state: { gate: null, ...unprovenEnd(draft.state) },
    entry: {
      speak: cancelledText(draft.state),
      ...closedGateEntry(gate, "cancelled"),
    },
    signals: [{ type: "run.cancelled" }],
  });
}

export const withReset = (draft: Draft): Draft =>
  amend(draft, { state: { failures: { decisions: 0, handlers: 0 } }, signals: [{ type: "thread.reset" }] });
