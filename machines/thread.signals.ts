// The facts that move a thread. Time, people, models and tools all come in as one of these.
export type Signal =
  | { type: "run.started"; mode: "plan" | "direct" }
  | { type: "run.resumed" }
  | { type: "plan.continued" }
  | { type: "plan.proposed" }
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
  | { type: "run.replanned" }
  | { type: "run.answered" }
  | { type: "run.finished" }
  | { type: "run.delivered" }
  | { type: "run.aborted" }
  | { type: "run.exhausted" }
  | { type: "run.cancelled" }
  | { type: "thread.poisoned" }
  | { type: "thread.reset" };

export type SignalName = Signal["type"];

/** What a fact means, one line each; the picture and its tests read this list. */
export const SIGNAL_MEANINGS: Record<SignalName, string> = {
  "run.started": "a message opened a run",
  "run.resumed": "the budget was raised after exhausted",
  "plan.continued": "the planner thinks on",
  "plan.proposed": "a plan waits for a person",
  "plan.approved": "the plan is to be carried out",
  "plan.rejected": "a person refused the plan",
  "question.asked": "a question waits for a person",
  "question.closed": "it was answered, or its time is over",
  "turn.taken": "a turn stayed on its step",
  "step.advanced": "the step is proven, the next one begins",
  "call.gated": "a call waits for a person",
  "call.intended": "a call was written down and is carried out",
  "call.settled": "what became of the call is known",
  "call.rejected": "a person refused the call, or its time is over",
  "call.doubted": "nobody knows what became of the call",
  "run.replanned": "a message asked for a new plan",
  "run.answered": "the planner answered without a plan",
  "run.finished": "every step is proven",
  "run.delivered": "the summary was written",
  "run.aborted": "the run was given up",
  "run.exhausted": "the budget is used up",
  "run.cancelled": "a person stopped the run",
  "thread.poisoned": "too many failed turns in a row",
  "thread.reset": "a person let it try again",
};
