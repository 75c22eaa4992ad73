// Judges the evidence: whether there is a receipt of the right kind for the right step. An assertion by the model proves nothing.
import type { ExecuteDecision } from "../../schema/decision/decision.ts";
import type { Verdict } from "../../schema/judgement.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { passed, refused } from "./judge-flow.ts";
import { CORRECTIONS_MAX } from "./judge-safety.ts";
import { acceptedProofKinds, describeKinds, mayEndIfRepeated, mayEndUnproven, stepProofs } from "./step-proof.ts";

/** `corrections` is the number of replies that were refused in this turn before this one. */
export function judgeEvidence(decision: ExecuteDecision, state: ThreadState, corrections = 0): Verdict {
  if (decision.action !== "next_plan" && decision.action !== "done") return passed("no completion is asserted");
  if (!decision.goal_check?.trim())
    return refused(`${decision.action} needs goal_check: say in one sentence what was reached and how it is known.`);
  const kinds = acceptedProofKinds(state);
  if (kinds.length === 0) return passed("the approved plan asks for no proof here");
  const proof = stepProofs(state).find((candidate) => kinds.includes(candidate.kind));
  if (proof) return passed(`${proof.kind} ${proof.receipt_id}`);
  if (mayEndUnproven(state)) return passed("no receipt is needed to end here; delivered as unproven");
  if (corrections >= CORRECTIONS_MAX && mayEndIfRepeated(state))
    return passed("the model insists that no receipt is needed; delivered as unproven");
  return refused(`${decision.action} needs ${describeKinds(kinds)} in this step, and there is none.`);
}
