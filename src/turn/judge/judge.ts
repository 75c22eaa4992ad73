// Combines the three verdicts on a decision into a ruling, without side effects. Only this code decides whether the
// model's tool call must wait for approval.
import { byteLength } from "../../schema/byte-length.ts";
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import type { Judgement, Verdict } from "../../schema/judgement.ts";
import { PLAN_BYTES_MAX, type Plan } from "../../schema/plan.ts";
import { type Problem, problem } from "../../schema/problem.ts";
import type { Correction } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { downgradeConfirm, gateReasons, judgeFlow, needsPlanApproval, passed, refused } from "./judge-flow.ts";
import { budgetShortfall, CORRECTIONS_MAX, judgeSafety, NO_COST } from "./judge-safety.ts";
import { ordersChange } from "./orders-change.ts";
import type { PreparedCall, Ruling } from "./ruling.ts";
import {
  acceptedProofKinds,
  describeKinds,
  IDLE_TURNS_MAX,
  mayEndIfRepeated,
  mayEndUnproven,
  possibleActions,
  stepProofs,
} from "./step-proof.ts";
import { tellsUser } from "./tells-user.ts";

export function judge(
  proposed: ExecuteDecision,
  state: ThreadState,
  call: PreparedCall | null,
  corrections = 0,
): Ruling {
  const decision = downgradeConfirm(proposed, call);
  const judgement: Judgement = {
    flow: judgeFlow(decision, state, call),
    evidence: judgeEvidence(decision, state, corrections),
    safety: judgeSafety(decision, state, call),
  };
  const shortfall = budgetShortfall(state.budget, NO_COST);
  if (shortfall)
    return { kind: "exhausted", judgement: { ...judgement, safety: refused(shortfall) }, reason: shortfall };
  const objection = firstObjection(judgement);
  if (objection)
    return {
      kind: "corrected",
      judgement,
      problem: problem("decision_refused", objection, { legal: possibleActions(state) }),
    };
  if (!call) return { kind: "accepted", judgement, decision, lifted: false };
  if (needsPlanApproval(state, call)) return { kind: "plan_gated", judgement, decision };
  const { reasons, lifted, approval } = gateReasons(decision, state, call);
  if (reasons.length > 0) return { kind: "gated", judgement, decision, reasons };
  return { kind: "accepted", judgement, decision, lifted, approval };
}

export type PlanRuling =
  | { readonly kind: "accepted"; readonly judgement: Judgement; readonly plan: Plan | null }
  | { readonly kind: "corrected"; readonly judgement: Judgement; readonly problem: Problem };

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

const NEEDS_UNSTATED = "The plan does not say what proves every step";
const CHANGE_UNPROVEN = "A look or a reply does not prove a change";
const ONLY_TELLS = "only tells the user something";

function judgePlanShape(
  decision: PlanDecision,
  size: number,
  corrections: readonly Pick<Correction, "message">[],
): Verdict {
  if (size > PLAN_BYTES_MAX)
    return refused(`The plan has ${size} bytes, more than ${PLAN_BYTES_MAX}: use fewer or shorter steps.`);
  if (decision.action !== "plan_done" || corrections.length >= CORRECTIONS_MAX) return passed(ALLOWED);
  // Each objection is raised only once. If the model keeps its plan, the run continues, and its result is reported as no stronger than its receipts.
  const wasAsked = (about: string): boolean => corrections.some(({ message }) => message.includes(about));
  const missing = stepNumbers(decision.plan_steps, ({ needs }) => needs === undefined);
  const mistaken = stepNumbers(decision.plan_steps, declaresNoWrite);
  const last = decision.plan_steps.length - 1;
  const telling = last > 0 && declaresProofOfTelling(decision.plan_steps[last]);
  const objections = [
    ...(telling && !wasAsked(ONLY_TELLS)
      ? [`Step ${last + 1} ${ONLY_TELLS}: leave it out, because the delivery does that.`]
      : []),
    ...(missing.length > 0 && !wasAsked(NEEDS_UNSTATED)
      ? [
          `${NEEDS_UNSTATED}: give needs for step ${missing.join(", ")}: write if it changes something, observation if it looks something up, reply if the user must answer. Leave out a step that only tells the user something: the delivery does that.`,
        ]
      : []),
    ...(mistaken.length > 0 && !wasAsked(CHANGE_UNPROVEN)
      ? [
          `${CHANGE_UNPROVEN}: give needs "write" for step ${mistaken.join(", ")}, or, if it changes nothing, say in its content what it looks up.`,
        ]
      : []),
  ];
  return objections.length > 0 ? refused(objections.join(" ")) : passed(ALLOWED);
}

const ALLOWED = "the action is allowed in this state";

type StepDrafts = Extract<PlanDecision, { action: "plan_done" }>["plan_steps"];

const stepNumbers = (drafts: StepDrafts, isMeant: (draft: StepDrafts[number]) => boolean): number[] =>
  drafts.flatMap((draft, i) => (isMeant(draft) ? [i + 1] : []));

/** True if the step orders a change but declares a proof other than a write. */
const declaresNoWrite = ({ content, needs = "any" }: StepDrafts[number]): boolean =>
  needs !== "write" && needs !== "any" && ordersChange(content);

/** True if the step only tells the user something but declares a proof. No call could prove it, so the run could not end. */
const declaresProofOfTelling = (draft: StepDrafts[number] | undefined): boolean =>
  (draft?.needs === "observation" || draft?.needs === "reply") && tellsUser(draft.content);

const planOf = (drafts: StepDrafts): Plan =>
  drafts.map((draft, i) => {
    // If the model keeps a last step that only tells the user something, the step needs no receipt: the delivery tells the user.
    const onlyTells = i > 0 && i + 1 === drafts.length && declaresProofOfTelling(draft);
    const { content, done_when } = draft;
    const needs = onlyTells ? "none" : (draft.needs ?? "any");
    const isOpen = needs === "any" || declaresNoWrite(draft);
    return { content, done_when: done_when ?? null, needs, ...(isOpen ? { needs_open: true as const } : {}) };
  });

function firstObjection(judgement: Judgement): string | null {
  const verdicts: Verdict[] = [judgement.flow, judgement.evidence, judgement.safety];
  return verdicts.find((verdict) => !verdict.passed)?.reason ?? null;
}

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
