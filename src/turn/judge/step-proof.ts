// What proves the current step, and which actions are possible. The judge enforces these rules, and the prompt describes them.
import { EXECUTE_ACTIONS, type ExecuteAction, PLAN_ACTIONS, type PlanAction } from "../../schema/decision/decision.ts";
import type { Plan } from "../../schema/plan.ts";
import type { Proof, ProofKind, ThreadState } from "../../schema/thread.ts";
import { isConditional } from "./orders-change-languages.ts";

const ALL_KINDS: readonly ProofKind[] = ["write", "observation", "reply"];

const KIND_DESCRIPTIONS: Record<ProofKind, string> = {
  write: "a write that succeeded",
  observation: "an observation that succeeded",
  reply: "a reply of the user",
};

/** The kinds of receipt that prove the current step. If the list is empty, nothing has to be proven. */
export function acceptedProofKinds(state: ThreadState): readonly ProofKind[] {
  const needs = state.plan?.[state.machine.step]?.needs ?? "any";
  // A model must not be able to exempt its own steps: only a person can accept a step without proof.
  if (needs === "none" && (state.plan_approved || onlyTells(state))) return [];
  if (needs !== "none" && needs !== "any") return [needs];
  return state.failed_writes.includes(state.machine.step) ? ["write", "reply"] : ALL_KINDS;
}

/** The delivery tells the user the results, so a last step that only does that needs no proof, even in a plan that nobody approved. */
const onlyTells = ({ plan, machine, failed_writes }: ThreadState): boolean =>
  plan !== null && isReportStep(plan, machine.step) && !failed_writes.includes(machine.step);

const isReportStep = (plan: Plan, step: number): boolean =>
  step > 0 && step + 1 === plan.length && plan[step]?.needs === "none" && !plan[step].needs_open;

/** True if every step declares that it looks something up or asks the user. The last step may also be one that only reports. */
export const isReadOnlyPlan = (plan: Plan): boolean =>
  plan.every(({ needs }, i) => needs === "observation" || needs === "reply" || isReportStep(plan, i));

/**
 * True if the run or step may end without a receipt and be delivered as unproven. A direct run without proofs or failures may be an answer from
 * knowledge. A last step that declares no kind of proof may be one that only reports. A step with a condition may find that nothing has to change.
 */
export function mayEndUnproven(state: ThreadState): boolean {
  const { mode, step } = state.machine;
  if (state.failed_writes.includes(step)) return false;
  if (mode === "direct") return state.proofs.length === 0 && state.failed_writes.length === 0;
  if (mayNeedNothing(state) || (state.idle > 0 && step > 0 && mayEndIfRepeated(state))) return true;
  const last = step > 0 && step + 1 === state.plan?.length ? state.plan[step] : undefined;
  return last?.needs_open === true && (last.needs === "any" || last.needs === "none");
}

/**
 * A last step that is declared as a lookup or a question may only tell the user something, in words that are not recognized. If the model keeps
 * asserting that it is done, the run ends as unproven, because its only other way out would be to abort.
 */
export function mayEndIfRepeated({ plan, machine, failed_writes }: ThreadState): boolean {
  const last = machine.step + 1 === plan?.length ? plan[machine.step] : undefined;
  const isReadOnly = last?.needs === "observation" || last?.needs === "reply";
  return isReadOnly && !last.needs_open && failed_writes.length === 0;
}

/** True for a step such as "Create the file if it is missing" that has an observation. Without this exception the model could only abort the run. */
export const mayNeedNothing = ({ plan, machine, proofs, failed_writes }: ThreadState): boolean => {
  const step = plan?.[machine.step];
  const observed = proofs.some(({ kind }) => kind === "observation");
  return step?.needs === "write" && observed && !failed_writes.includes(machine.step) && isConditional(step.content);
};

export const describeKinds = (kinds: readonly ProofKind[]): string =>
  kinds.length === 0 ? "nothing" : kinds.map((kind) => KIND_DESCRIPTIONS[kind]).join(", or ");

export const stepProofs = (state: ThreadState): readonly Proof[] =>
  state.proofs.filter((proof) => proof.step === state.machine.step);

export function provingProof(state: ThreadState): Proof | undefined {
  const kinds = acceptedProofKinds(state);
  return stepProofs(state).findLast((proof) => kinds.includes(proof.kind));
}

export const isStepProven = (state: ThreadState): boolean =>
  acceptedProofKinds(state).length === 0 || provingProof(state) !== undefined;

/** Returns the action that ends the current step, even if it is not possible yet. */
export const endAction = ({ machine }: ThreadState): "next_plan" | "done" =>
  machine.mode === "plan" && machine.step + 1 < machine.steps ? "next_plan" : "done";

/** The actions that the judge would accept now. The arguments of a call are judged later. */
export function possibleActions(state: ThreadState): readonly ExecuteAction[] {
  const ends = isStepProven(state) || mayEndUnproven(state) ? endAction(state) : null;
  return EXECUTE_ACTIONS.filter((action) => (action !== "next_plan" && action !== "done") || action === ends);
}

/** Maximum number of consecutive turns without a tool or a plan. One more is refused. */
export const IDLE_TURNS_MAX = 2;

export const possiblePlanActions = ({ idle }: ThreadState): readonly PlanAction[] =>
  PLAN_ACTIONS.filter((action) => action !== "continue" || idle < IDLE_TURNS_MAX);
