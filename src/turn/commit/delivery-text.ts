// The text at the end of a run. Generated texts assert only what the proofs show.
import type { Proof, ThreadState } from "../../schema/thread.ts";

export const cancelledText = (state: ThreadState): string => withStepList("The run was cancelled.", state);
export const exhaustedText = (state: ThreadState, shortfall: string): string =>
  withStepList(`The run stopped because ${shortfall}. Raise the budget to go on where it stopped.`, state);

/** The fallback when no model writes the summary: each step with its proof. */
export function completedText(state: ThreadState): string {
  if (state.proofs.length === 0) return "Finished, without any receipt to prove it.";
  return withStepList("Finished.", state);
}

function withStepList(headline: string, state: ThreadState): string {
  if (!state.plan) return state.proofs.length ? [headline, ...state.proofs.map(proofLine)].join("\n") : headline;
  const lines = state.plan.map((step, i) => {
    const proof = state.proofs.findLast((candidate) => candidate.step === i);
    const done = isStepDone(state, i, proof);
    return `${done ? "[x]" : "[ ]"} ${step.content}${proof ? ` (${proof.summary}, ${proof.receipt_id})` : ""}`;
  });
  return [headline, ...lines].join("\n");
}

// The current step is not done just because no later one has started: only a passed step, or a delivered run, is done.
const isStepDone = (state: ThreadState, i: number, proof: Proof | undefined): boolean => {
  if (i < state.machine.step) return true;
  return (
    state.machine.state === "deliver" &&
    i === state.machine.step &&
    (proof !== undefined || state.plan?.[i]?.needs === "none")
  );
};

const proofLine = (proof: Proof): string => `- ${proof.summary} (${proof.receipt_id})`;

export const evidenceOf = (state: ThreadState): "proven" | "none" => (state.proofs.length > 0 ? "proven" : "none");
