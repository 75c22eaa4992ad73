// Evidence: is there a receipt of the right kind for the right step? Words alone prove nothing.
import type { ExecuteDecision } from "../schema/decision.ts";
import type { Verdict } from "../schema/judgement.ts";
import type { Needs } from "../schema/plan.ts";
import type { Proof, ProofKind, ThreadState } from "../schema/thread.ts";
import { passed, refused } from "./judge-flow.ts";

const KINDS: Record<Exclude<Needs, "none">, readonly ProofKind[]> = {
  write: ["write"],
  observation: ["observation"],
  reply: ["reply"],
  any: ["write", "observation", "reply"],
};
const IN_WORDS: Record<ProofKind, string> = {
  write: "a successful write",
  observation: "a successful observation",
  reply: "a reply of the user",
};

/** What proves the current step. After a failed write, having looked is no longer enough. */
export function acceptedKinds(state: ThreadState): readonly ProofKind[] {
  const needs = effectiveNeeds(state);
  if (needs === "none") return [];
  if (needs === "any" && state.failed_writes.includes(state.machine.step)) return ["write", "reply"];
  return KINDS[needs];
}

export function effectiveNeeds(state: ThreadState): Needs {
  const needs = state.plan?.[state.machine.step]?.needs ?? "any";
  // A model must not be able to wave its own steps through: only a person can accept a step without proof.
  return needs === "none" && !state.plan_approved ? "any" : needs;
}

export const proofsOfStep = (state: ThreadState): readonly Proof[] =>
  state.proofs.filter((proof) => proof.step === state.machine.step);

export function judgeEvidence(decision: ExecuteDecision, state: ThreadState): Verdict {
  if (decision.action !== "next_plan" && decision.action !== "done") return passed("nothing is claimed");
  if (!decision.goal_check?.trim())
    return refused(`${decision.action} needs goal_check: say in one sentence what was reached and how it is known.`);
  const kinds = acceptedKinds(state);
  if (kinds.length === 0) return passed("the approved plan asks for no proof here");
  const proof = proofsOfStep(state).find((held) => kinds.includes(held.kind));
  if (proof) return passed(`${proof.kind} ${proof.receipt_id}`);
  if (isBareDirectRun(state)) return passed("nothing was proven in this direct run; delivered as unproven");
  return refused(
    `${decision.action} needs ${kinds.map((kind) => IN_WORDS[kind]).join(" or ")} in this step, and there is none.`,
  );
}

/** A direct run that proved and failed nothing may be an answer from knowledge: accepted, and delivered as unproven. */
const isBareDirectRun = (state: ThreadState): boolean =>
  state.machine.mode === "direct" && state.proofs.length === 0 && state.failed_writes.length === 0;
