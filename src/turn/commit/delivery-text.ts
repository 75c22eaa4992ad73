// Writes the text at the end of a run. Generated text asserts only what the proofs show.
import type { EvidenceKind, Proof, ThreadState } from "../../schema/thread.ts";
import { ordersChange } from "../judge/orders-change.ts";
import { hasOpenFailure, isProven, runEvidence, unprovenEnd } from "../judge/run-evidence.ts";
import { amend, type Draft } from "./draft.ts";

export const cancelledText = (state: ThreadState): string => withStepList("The run was cancelled.", state);
const exhaustedText = (state: ThreadState, shortfall: string): string =>
  withStepList(`The run stopped because ${shortfall}. Raise the budget to go on where it stopped.`, state);

export const withExhaustedRun = (draft: Draft, shortfall: string): Draft =>
  amend(draft, {
    state: unprovenEnd(draft.state),
    entry: { speak: exhaustedText(draft.state, shortfall) },
    signals: [{ type: "run.exhausted" }],
  });

/** Combines the model's message about an abort with the changes made before it, because half-done work must be mentioned. */
export function abortedText({ changes, run }: ThreadState, message: string): string {
  const made = changes.filter((change) => change.run === run);
  if (made.length === 0) return message;
  const lines = made.map(({ tool, summary, receipt_id }) => `- ${tool}${summary && `: ${summary}`} (${receipt_id})`);
  return [message, "", "Changed before the run stopped:", ...lines].join("\n");
}

/** The text if no model writes the summary. */
export function completedText(state: ThreadState): string {
  const { evidence_kind } = runEvidence(state);
  const headline = COMPLETED_HEADLINES[evidence_kind];
  return evidence_kind === "none" ? headline : withStepList(headline, state);
}

const COMPLETED_HEADLINES: Record<EvidenceKind, string> = {
  written: "Finished. Receipts show the changes.",
  observed: "Finished. Receipts show what was looked up; nothing was changed.",
  replied: "Finished. It rests on your replies; nothing was changed.",
  none: "Finished, without any receipt to prove it.",
};

function withStepList(headline: string, state: ThreadState): string {
  if (!state.plan) return state.proofs.length ? [headline, ...state.proofs.map(proofLine)].join("\n") : headline;
  const lines = state.plan.map((step, i) => {
    const proof = state.proofs.findLast((candidate) => candidate.step === i);
    const done = isStepDone(state, i, proof) && !(step.needs_open && ordersChange(step.content) && !isProven(state, i));
    return `${done ? "[x]" : "[ ]"} ${step.content}${proof ? ` (${provenBy(proof)})` : ""}`;
  });
  return [headline, ...lines].join("\n");
}

const isStepDone = (state: ThreadState, i: number, proof: Proof | undefined): boolean =>
  i < state.machine.step ||
  (state.machine.state === "deliver" &&
    i === state.machine.step &&
    (proof !== undefined || state.plan?.[i]?.needs === "none"));

const proofLine = (proof: Proof): string => `- ${provenBy(proof)}`;

/** Names the kind of receipt, because the text of a step may claim more than an observation shows. */
const provenBy = ({ kind, summary, receipt_id }: Proof): string => `${summary}, ${kind} ${receipt_id}`;

/** Text that was streamed to the user with the decision becomes the beginning of the delivery. */
export const deliveredText = (speak: string | null | undefined, delivery: string): string =>
  speak == null ? delivery : `${speak}\n\n${delivery}`;

/** Adds a note about what is not proven, unless every step is. */
export function withDelivery(draft: Draft, text: string): Draft {
  const found = runEvidence(draft.state);
  const notes = [
    ...(found.evidence === "none" ? [UNPROVEN_NOTES[found.evidence_kind]] : []),
    ...(hasOpenFailure(draft.state) ? [FAILED_WRITE_NOTE] : []),
  ];
  const speak = notes.length > 0 ? `${text}\n\n${notes.join("\n")}` : text;
  return amend(draft, { state: found, entry: { speak }, signals: [{ type: "run.delivered" }] });
}

const FAILED_WRITE_NOTE = "Note: a change failed or was rejected, and was not made.";

const UNPROVEN_NOTES: Record<EvidenceKind, string> = {
  written: "Note: receipts show changes, but not for every step.",
  observed: "Note: receipts show what was looked up; none shows a change.",
  replied: "Note: the only receipts are your own replies.",
  none: "Note: nothing was recorded that proves this.",
};
