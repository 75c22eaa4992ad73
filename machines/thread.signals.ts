// The signals that move a thread. Time, people, models and tools all act on it through one of these.
export type Signal =
  | { type: "run.started"; mode: "plan" | "direct" }
  | { type: "run.resumed" }
  | { type: "plan.continued" }
  | { type: "plan.proposed" }
  | { type: "plan.gated" }
  | { type: "plan.approved"; steps: number }
  | { type: "plan.rejected" }
  | { type: "question.asked" }
  | { type: "question.closed" }
  | { type: "turn.taken" }
  | { type: "step.advanced" }
  | { type: "call.gated" }
  | { type: "call.intended" }
  | { type: "call.settled" }
  | { type: "call.rejected" }
  | { type: "call.doubted" }
  | { type: "call.delegated" }
  | { type: "run.replanned" }
  | { type: "run.answered" }
  | { type: "run.finished" }
  | { type: "run.delivered" }
  | { type: "role.routed" }
  | { type: "role.suspended" }
  | { type: "role.resumed" }
  | { type: "run.aborted" }
  | { type: "run.exhausted" }
  | { type: "run.cancelled" }
  | { type: "thread.poisoned" }
  | { type: "thread.reset" };

export type SignalName = Signal["type"];

/** The meaning of each signal; the diagram and its tests read this list. */
export const SIGNAL_MEANINGS: Record<SignalName, string> = {
  "run.started": "a message started a run",
  "run.resumed": "the budget was raised after the run had exhausted it",
  "plan.continued": "planning continues in the next turn",
  "plan.proposed": "a plan waits for approval",
  "plan.gated": "a running plan waits for approval because a call would change something",
  "plan.approved": "the plan was approved and execution starts",
  "plan.rejected": "a person rejected the plan",
  "question.asked": "a question waits for an answer",
  "question.closed": "the question was answered or expired",
  "turn.taken": "a turn ended without leaving its step",
  "step.advanced": "the step is proven and the next one starts",
  "call.gated": "a call waits for approval, or for its result from the client",
  "call.intended": "a call was stored as intended and is running",
  "call.settled": "the result of the call is known",
  "call.rejected": "a person rejected the call, or its gate expired",
  "call.delegated": "the call waits for child threads",
  "call.doubted": "the result of the call is unknown",
  "run.replanned": "a message asked for a new plan",
  "run.answered": "the planner answered without a plan",
  "run.finished": "every step is proven",
  "run.delivered": "the summary was written",
  "role.routed": "the role of a workflow delivered, and the next role starts",
  "role.suspended": "the role of a workflow waits for a person",
  "role.resumed": "a person resumed the role, or repeats the newest step",
  "run.aborted": "the run was aborted",
  "run.exhausted": "the budget is used up",
  "run.cancelled": "a person stopped the run",
  "thread.poisoned": "too many consecutive turns failed",
  "thread.reset": "a person reset the failed thread",
};
