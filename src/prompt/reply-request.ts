// Builds the last part of message [3], which requests the kind of reply that the purpose needs.
import type { Purpose } from "../ports/model.ts";
import type { Manifest } from "../schema/manifest.ts";
import type { Thread } from "../schema/record.ts";
import { type EvidenceKind, STEP_RESULT_CHARS, type ThreadState } from "../schema/thread.ts";
import { hasOpenFailure, runEvidence } from "../turn/judge/run-evidence.ts";
import {
  acceptedProofKinds,
  describeKinds,
  endAction,
  isStepProven,
  mayEndUnproven,
  mayNeedNothing,
  possibleActions,
  possiblePlanActions,
} from "../turn/judge/step-proof.ts";
import { planLines, rejectionLines, resultText } from "./current-state.ts";
import { runReceipts } from "./run-receipts.ts";

export function renderReplyRequest(
  thread: Thread,
  tools: readonly Manifest[],
  purpose: Purpose,
  hasIncoming: boolean,
): string {
  const incomingNote = hasIncoming
    ? ["The user wrote something new in this turn; it is the last line of the dialogue."]
    : [];
  switch (purpose) {
    case "plan":
      return ["# Answer now", ...incomingNote, ...planRequest(thread)].join("\n");
    case "execute":
      return ["# Answer now", ...incomingNote, ...executeRequest(thread)].join("\n");
    case "deliver":
      return ["# Answer now", ...incomingNote, ...deliveryRequest(thread, tools)].join("\n");
  }
}

function planRequest(thread: Thread): string[] {
  const rejected = wasPlanRejected(thread)
    ? ["The user rejected the last plan; the reason is in the dialogue. Plan anew with it in mind."]
    : [];
  const idle = thread.state.idle > 0 ? ["The turn before brought no plan; do not think on for long."] : [];
  return [
    ...rejected,
    ...idle,
    `Reply with one plan decision as a JSON object. Possible now: ${possiblePlanActions(thread.state).join(", ")}.`,
    'If you know enough, give the whole plan now. If its first call is of a tool marked "reads", add it as tool_call; another may not run.',
  ];
}

function wasPlanRejected({ entries }: Thread): boolean {
  const last = entries.findLast(({ entry }) => entry.closed_gate?.kind === "plan")?.entry.input;
  return last?.type === "confirm" && last.decision === "reject";
}

function executeRequest({ state }: Thread): string[] {
  return [
    `Reply with one execute decision as a JSON object. Possible now: ${possibleActions(state).join(", ")}.`,
    endHint(state),
  ];
}

function endHint(state: ThreadState): string {
  const end = endAction(state);
  const kinds = acceptedProofKinds(state);
  if (kinds.length === 0) return `This step needs no receipt: say ${endWords(end)} when it is done.`;
  if (isStepProven(state))
    return state.plan
      ? `A receipt of the needed kind is there. Compare it with "Done when"; only if that is met say ${endWords(end)}.`
      : `There is a receipt. Compare it with the goal; only if that is reached say ${endWords(end)}.`;
  if (mayNeedNothing(state))
    return `${endWords(end)}: after ${describeKinds(kinds)} in this step, or if an observation shows that nothing has to be changed.`;
  if (!mayEndUnproven(state)) return `"${end}" becomes possible with ${describeKinds(kinds)} in this step.`;
  return state.plan
    ? `If this step only tells the user something, say ${endWords(end)}: the delivery tells it.`
    : `Say "${end}" only when the goal is reached; a result that no receipt proves is delivered as unproven.`;
}

/** Delivering with the last decision saves a model call. */
const endWords = (end: "next_plan" | "done"): string => (end === "done" ? '"done" with its delivery' : `"${end}"`);

const DELIVERY_NOTES: Record<EvidenceKind, string> = {
  written: "Not every step has a receipt; say plainly which result is not proven.",
  observed:
    "The receipts of this run show what was looked up. None of them shows a change: claim no change in this run.",
  replied: "The only receipts are replies of the user; say so plainly.",
  none: "No receipt proves this result; say so plainly.",
};

function deliveryRequest(thread: Thread, tools: readonly Manifest[]): string[] {
  const { state } = thread;
  if (state.workflow)
    return [
      "Write the deliverable of your role now, in the deliverable format of your instructions: frontmatter first, then Markdown. No JSON.",
      "State only what the record and the receipts show, or what you know; say plainly what was not done.",
    ];
  const receipts = runReceipts(thread, tools);
  const { evidence, evidence_kind } = runEvidence(state);
  return [
    ...(state.plan ? ["The steps:", ...planLines(state, state.plan.length)] : resultLines(state)),
    ...(receipts.length > 0 ? ["The receipts:", ...receipts.map(({ text }) => text)] : []),
    ...rejectionLines(thread),
    ...(hasOpenFailure(state) ? ["At least one write failed or was rejected; say plainly what was not done."] : []),
    // The note is also needed if observations have proven every step, because the text of a step may claim more than was done.
    ...(evidence === "none" || evidence_kind === "observed" ? [DELIVERY_NOTES[evidence_kind]] : []),
    "Write the delivery: an honest summary for the user, in prose and in the language of the user. Tell what was done and what was not, only what the record and the receipts show. No JSON, no headings, no promises.",
  ];
}

/** Untrusted output is stored as an empty string, which is omitted. */
const resultLines = ({ results }: ThreadState): string[] =>
  results.flatMap((result) => {
    if (result.text === "") return [];
    const shown = resultText(result, STEP_RESULT_CHARS);
    return [result.tool === undefined ? `Y${shown.slice(1)}` : `The ${shown}`];
  });
