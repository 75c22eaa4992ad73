// The last part of message [3]: which kind of reply is requested, by purpose.
import type { Purpose } from "../ports/model.ts";
import type { Thread } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import { acceptedProofKinds, describeKinds, isStepProven, possibleActions } from "../turn/judge/step-proof.ts";
import { planLines, renderProofs } from "./current-state.ts";
import { oneLine } from "./cut.ts";

export function renderReplyRequest(thread: Thread, purpose: Purpose, hasIncoming: boolean): string {
  const incomingNote = hasIncoming
    ? ["The user wrote something new in this turn; it is the last line of the dialogue."]
    : [];
  switch (purpose) {
    case "plan":
      return ["# Answer now", ...incomingNote, ...planRequest(thread)].join("\n");
    case "execute":
      return ["# Answer now", ...incomingNote, ...executeRequest(thread)].join("\n");
    case "deliver":
      return ["# Answer now", ...incomingNote, ...deliveryRequest(thread)].join("\n");
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
    "Reply with one plan decision as a JSON object: plan_done, ask_user, answer or continue.",
    "If you know enough, give the whole plan now.",
  ];
}

/** True if nothing was decided since the user rejected the plan. */
function wasPlanRejected({ entries }: Thread): boolean {
  const last = entries.findLast(({ entry }) => entry.closed_gate?.kind === "plan")?.entry.input;
  return last?.type === "confirm" && last.decision === "reject";
}

function executeRequest({ state }: Thread): string[] {
  const actions = possibleActions(state);
  const endAction = actions.includes("next_plan") ? "next_plan" : "done";
  const hint = isStepProven(state)
    ? `If the step is done, say ${endAction} with a goal_check that names the receipt.`
    : endHint(endAction, state);
  return [`Reply with one execute decision as a JSON object. Possible now: ${actions.join(", ")}.`, hint];
}

function endHint(endAction: string, state: ThreadState): string {
  // A direct run without proofs and without failures may be an answer from knowledge.
  const isBareDirectRun =
    state.machine.mode === "direct" && state.proofs.length === 0 && state.failed_writes.length === 0;
  return isBareDirectRun
    ? "Say done only when the goal is reached; a result that no receipt proves is delivered as unproven."
    : `Do not say ${endAction} before there is ${describeKinds(acceptedProofKinds(state))} in this step.`;
}

function deliveryRequest({ state, entries }: Thread): string[] {
  const check = entries.findLast(({ entry }) => entry.decision?.for === "execute" && entry.decision.value.goal_check);
  const decision = check?.entry.decision;
  const goalCheck = decision?.for === "execute" ? decision.value.goal_check : undefined;
  const unproven = state.evidence === "none" || state.proofs.length === 0;
  return [
    ...(state.plan ? ["The steps:", ...planLines(state.plan, state.plan.length)] : []),
    ...(state.proofs.length > 0 ? ["The receipts:", ...renderProofs(state.proofs, state)] : []),
    ...(goalCheck ? [`Your own check: ${JSON.stringify(oneLine(goalCheck, 400))}`] : []),
    ...(state.failed_writes.length > 0
      ? ["At least one write failed or was rejected; say plainly what was not done."]
      : []),
    ...(unproven ? ["No receipt proves this result; say so plainly."] : []),
    "Write the delivery: an honest summary for the user, in prose and in the language of the user. Tell what was done and what was not, only what the record and the receipts show. No JSON, no headings, no promises.",
  ];
}
