// Finishes the current step, either by a decision of the model or by a call that the model marked as finishing it.
import type { StoredCall } from "../../schema/gate.ts";
import type { SettledReceipt } from "../../schema/receipt.ts";
import { STEP_RESULT_CHARS, type StepResult, type ThreadState } from "../../schema/thread.ts";
import { singleLine, truncateWords } from "../../tools/truncate-text.ts";
import { type Amendment, amend, type Draft } from "../commit/draft.ts";
import { acceptedProofKinds, stepProofs } from "../judge/step-proof.ts";

export function finishStep(state: ThreadState, finished: Readonly<Omit<StepResult, "step">>): Amendment {
  const { step, steps } = state.machine;
  const result = { ...finished, step, text: truncateWords(singleLine(finished.text), STEP_RESULT_CHARS) };
  return {
    state: {
      idle: 0,
      last_digest: null,
      results: [...state.results.filter((earlier) => earlier.step !== step), result],
    },
    signals: [{ type: step + 1 < steps ? "step.advanced" : "run.finished" }],
  };
}

/** A call finishes its step only if its tool reported success and its receipt is of the kind that the step needs; otherwise the model decides. */
export function withFinishedStep(draft: Draft, stored: StoredCall, receipt: SettledReceipt): Draft {
  const ran = draft.entry.operation !== null;
  if (!stored.finishes_step || !ran || receipt.success !== true) return draft;
  const kinds = acceptedProofKinds(draft.state);
  const proves = stepProofs(draft.state).some(
    ({ receipt_id, kind }) => receipt_id === receipt.id && (kinds.length === 0 || kinds.includes(kind)),
  );
  if (!proves) return draft;
  // Untrusted text must not become part of the plan that the model reads.
  const text = receipt.output_trust === "trusted" ? (draft.entry.observation?.text ?? receipt.summary) : "";
  return amend(draft, finishStep(draft.state, { text, receipt_id: receipt.id, tool: receipt.name }));
}
