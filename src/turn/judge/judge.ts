// The three verdicts on a decision, and the ruling that follows. Pure, and the only code that gates a call.

import { byteLength } from "../../schema/byte-length.ts";
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import type { Judgement, Verdict } from "../../schema/judgement.ts";
import { PLAN_BYTES_MAX, type Plan } from "../../schema/plan.ts";
import { type Problem, problem } from "../../schema/problem.ts";
import type { Correction } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { judgeEvidence } from "./judge-evidence.ts";
import { downgradeConfirm, gateReasons, judgeFlow, needsPlanApproval, passed, refused } from "./judge-flow.ts";
import { budgetShortfall, judgeSafety, NO_COST } from "./judge-safety.ts";
import type { PreparedCall, Ruling } from "./ruling.ts";
import { IDLE_TURNS_MAX, possibleActions } from "./step-proof.ts";

export function judge(proposed: ExecuteDecision, state: ThreadState, call: PreparedCall | null): Ruling {
  const decision = downgradeConfirm(proposed, call);
  const judgement: Judgement = {
    flow: judgeFlow(decision, state, call),
    evidence: judgeEvidence(decision, state),
    safety: judgeSafety(decision, state, call),
  };
  const shortfall = budgetShortfall(state.budget, NO_COST);
  if (shortfall)
    return { kind: "exhausted", judgement: { ...judgement, safety: refused(shortfall) }, reason: shortfall };
  const objection = firstObjection(judgement);
  if (objection) return { kind: "corrected", judgement, problem: refusalProblem(objection, state) };
  if (!call) return { kind: "accepted", judgement, decision, lifted: false };
  if (needsPlanApproval(state, call)) return { kind: "plan_gated", judgement, decision };
  const { reasons, lifted, approval } = gateReasons(decision, state, call);
  if (reasons.length > 0) return { kind: "gated", judgement, decision, reasons };
  return { kind: "accepted", judgement, decision, lifted, approval };
}

/** The third unacceptable reply of a turn ends it. */
export const CORRECTIONS_MAX = 2;

export type PlanRuling =
  | { readonly kind: "accepted"; readonly judgement: Judgement; readonly plan: Plan | null }
  | { readonly kind: "corrected"; readonly judgement: Judgement; readonly problem: Problem };

/** `corrections`: those of this turn so far. */
export function judgePlan(
  decision: PlanDecision,
  state: ThreadState,
  corrections: readonly Pick<Correction, "message">[] = [],
): PlanRuling {
  const plan = decision.action === "plan_done" ? planOf(decision.plan_steps) : null;
  const size = plan ? byteLength(JSON.stringify(plan)) : 0;
  const isIdle = decision.action === "continue" && state.idle >= IDLE_TURNS_MAX;
  const judgement: Judgement = {
    flow: judgePlanShape(decision, size, corrections),
    evidence: passed("no completion is asserted"),
    safety: isIdle
      ? refused(`${state.idle} turns in a row brought no plan; give the plan, ask the user, or answer.`)
      : passed("within budget"),
  };
  const objection = firstObjection(judgement);
  if (!objection) return { kind: "accepted", judgement, plan };
  const code = size > PLAN_BYTES_MAX ? "plan_too_long" : "decision_refused";
  return { kind: "corrected", judgement, problem: problem(code, objection) };
}

const NEEDS_MISSING = "The plan does not say what proves every step";

function judgePlanShape(
  decision: PlanDecision,
  size: number,
  corrections: readonly Pick<Correction, "message">[],
): Verdict {
  if (size > PLAN_BYTES_MAX)
    return refused(`The plan has ${size} bytes, more than ${PLAN_BYTES_MAX}: use fewer or shorter steps.`);
  const missing = decision.action === "plan_done" ? stepsWithoutNeeds(decision.plan_steps) : [];
  // Asked for once. A model that cannot name it may go on, and its result is reported no stronger than its receipts.
  const wasAsked = corrections.some(({ message }) => message.startsWith(NEEDS_MISSING));
  if (missing.length > 0 && !wasAsked && corrections.length < CORRECTIONS_MAX)
    return refused(
      `${NEEDS_MISSING}: give needs for step ${missing.join(", ")}: write if it changes something, observation if it looks something up, reply if the user must answer. Leave out a step that only tells the user something: the delivery does that.`,
    );
  return passed("the action is allowed in this state");
}

type StepDrafts = Extract<PlanDecision, { action: "plan_done" }>["plan_steps"];

const stepsWithoutNeeds = (drafts: StepDrafts): number[] =>
  drafts.flatMap(({ needs }, i) => (needs === undefined ? [i + 1] : []));

const planOf = (drafts: StepDrafts): Plan =>
  drafts.map(({ content, done_when, needs = "any" }) => ({
    content,
    done_when: done_when ?? null,
    needs,
    ...(needs === "any" ? { needs_open: true as const } : {}),
  }));

function firstObjection(judgement: Judgement): string | null {
  const verdicts: Verdict[] = [judgement.flow, judgement.evidence, judgement.safety];
  return verdicts.find((verdict) => !verdict.passed)?.reason ?? null;
}

/** Tells the model what was wrong and which actions are allowed instead. */
function refusalProblem(objection: string, state: ThreadState): Problem {
  return problem("decision_refused", objection, { legal: possibleActions(state) });
}
