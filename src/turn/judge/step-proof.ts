// What proves the current step, which proofs it has, and which actions are possible. The judge enforces these rules and the
// prompt describes them, both from here, so that they cannot disagree.
import { EXECUTE_ACTIONS, type ExecuteAction } from "../../schema/decision/decision.ts";
import type { Proof, ProofKind, ThreadState } from "../../schema/thread.ts";

const ALL_KINDS: readonly ProofKind[] = ["write", "observation", "reply"];

const KIND_DESCRIPTIONS: Record<ProofKind, string> = {
  write: "a write that succeeded",
  observation: "an observation that succeeded",
  reply: "a reply of the user",
};

/** The kinds of receipt that prove the current step; empty if nothing has to be proven. */
export function acceptedProofKinds(state: ThreadState): readonly ProofKind[] {
  const needs = state.plan?.[state.machine.step]?.needs ?? "any";
  // A model must not be able to exempt its own steps: only a person can accept a step without proof.
  if (needs === "none" && state.plan_approved) return [];
  if (needs !== "none" && needs !== "any") return [needs];
  return state.failed_writes.includes(state.machine.step) ? ["write", "reply"] : ALL_KINDS;
}

export const describeKinds = (kinds: readonly ProofKind[]): string =>
  kinds.length === 0 ? "nothing" : kinds.map((kind) => KIND_DESCRIPTIONS[kind]).join(", or ");

export const stepProofs = (state: ThreadState): readonly Proof[] =>
  state.proofs.filter((proof) => proof.step === state.machine.step);

export function isStepProven(state: ThreadState): boolean {
  const kinds = acceptedProofKinds(state);
  return kinds.length === 0 || stepProofs(state).some((proof) => kinds.includes(proof.kind));
}

export function possibleActions(state: ThreadState): readonly ExecuteAction[] {
  const { mode, step, steps } = state.machine;
  return EXECUTE_ACTIONS.filter((action) => {
    if (action === "next_plan") return mode === "plan" && step + 1 < steps;
    return action !== "done" || step + 1 >= steps;
  });
}
