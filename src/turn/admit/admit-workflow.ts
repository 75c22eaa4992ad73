// Decides whether a workflow can be resumed, or its newest step repeated, in the current state.
import type { SuspendGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { budgetShortfall, NO_COST } from "../judge/judge-safety.ts";
import { workflowStatus } from "../workflow/view.ts";

export type WorkflowAdmission =
  /** `gate` is null if the workflow had used up its budget, which has been raised since. */
  | { readonly kind: "resume_role"; readonly gate: SuspendGate | null; readonly supplement: string }
  | { readonly kind: "restart_workflow"; readonly supplement: string }
  | { readonly kind: "poke"; readonly text: string };

export function admitWorkflowInput(
  state: ThreadState,
  input: Extract<TurnInput, { type: "resume" | "poke" }>,
): Result<WorkflowAdmission> {
  const refused = input.type === "poke" ? "not_pokable" : "not_resumable";
  if (!state.workflow) return fail(refused, "This thread runs no workflow.");
  const status = workflowStatus(state, state.workflow);
  const gate = state.gate?.kind === "suspend" ? state.gate : null;
  const shortfall = status === "suspended" && !gate ? budgetShortfall(state.budget, NO_COST) : null;
  if (shortfall) return fail("budget_exhausted", `The workflow is suspended because ${shortfall}.`);
  if (input.type === "resume") {
    if (status === "suspended") return ok({ kind: "resume_role", gate, supplement: input.supplement });
    if (status === "end") return ok({ kind: "restart_workflow", supplement: input.supplement });
    return fail(refused, `The workflow is ${status}; only a suspended or ended one is resumed.`, { status });
  }
  if (state.workflow.count === 0) return fail(refused, "The workflow has no step yet.", { status });
  if (status === "suspended" || status === "idle") return ok({ kind: "poke", text: input.text });
  return fail(refused, `The workflow is ${status}; only a suspended or idle one repeats its newest step.`, { status });
}

/** Resumes an ended workflow on a message, because its task is its only goal. In any other thread a message begins a run. */
export const admitMessageAtRest = (
  state: ThreadState,
  text: string,
): Result<WorkflowAdmission | { readonly kind: "begin"; readonly text: string }> =>
  state.workflow ? admitWorkflowInput(state, { type: "resume", supplement: text }) : ok({ kind: "begin", text });
