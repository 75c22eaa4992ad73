// Runs a turn that calls the model, from the accepted decision to the record. There is one function per action.
import type { ExecuteDecision, PlanDecision } from "../../schema/decision/decision.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Plan, PlanApproval } from "../../schema/plan.ts";
import { unreachable } from "../../schema/problem.ts";
import type { Thread } from "../../schema/record.ts";
import { escapeHidden, formatArguments } from "../../tools/redaction/escape-hidden.ts";
import { actOnCall } from "../act/act.ts";
import { previewCall } from "../act/check-call.ts";
import { withEscalation } from "../act/escalation.ts";
import { finishStep } from "../act/finish-step.ts";
import { gatedFirstCall, withFirstCall } from "../act/first-call.ts";
import { type Authorization, NO_AUTHORIZATION } from "../act/receipts.ts";
import { storeCall } from "../act/stored-call.ts";
import { withoutPlan } from "../admit/run-transitions.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { abortedText, deliveredText, withDelivery, withExhaustedRun } from "../commit/delivery-text.ts";
import { amend, type Draft, untrustedInputTaint } from "../commit/draft.ts";
import { withDecisionFailure, withDecisionHealth } from "../commit/failure-limits.ts";
import { moveAll } from "../commit/signal.ts";
import type { TurnContext } from "../context.ts";
import { confirmationGate, planGate, withQuestion } from "../gates/open-gate.ts";
import { spend } from "../judge/budget.ts";
import type { PreparedCall, Ruling } from "../judge/ruling.ts";
import { unprovenEnd } from "../judge/run-evidence.ts";
import { isReadOnlyPlan, provingProof } from "../judge/step-proof.ts";
import { resolveForTurn } from "../resolve-thread-tools.ts";
import { withSuspension } from "../workflow/visit-draft.ts";
import { withSupersededSignal } from "./ask-model.ts";
import { finishAndDeliver } from "./deliver-turn.ts";
import { spokenText, type ThinkResult, think } from "./think.ts";

/** Taints the thread if its prompt shows definitions that nobody has reviewed, because they are untrusted text. */
async function withUnreviewedTools(ctx: TurnContext, draft: Draft): Promise<Draft> {
  const isUnreviewed = ({ unreviewed }: Manifest): boolean => unreviewed === true;
  if (draft.state.taint !== null || !ctx.rt.toolbox.manifests().some(isUnreviewed)) return draft;
  const resolved = await resolveForTurn(ctx);
  if (!resolved.ok || !resolved.value.tools.some(isUnreviewed)) return draft;
  return amend(draft, { state: { taint: untrustedInputTaint(ctx.rt, true) } });
}

/** `given` contains the changes made by the input; the model sees the thread as if they were already committed. */
export async function thinkTurn(ctx: TurnContext, given: Draft): Promise<TurnRecords> {
  const { rt, request, thread } = ctx;
  const draft = await withUnreviewedTools(ctx, given);
  const machine = moveAll(thread.state.machine, draft.signals);
  if (!machine.ok) return machine;
  const started = rt.clock.now();
  const promptThread: Thread = {
    version: thread.version,
    state: { ...draft.state, machine: machine.value },
    entries: [...thread.entries, { version: thread.version + 1, entry: draft.entry }],
  };
  request.emit({ type: "turn.started", thread: request.at.thread, turn: draft.state.turn });
  const thought = await withSupersededSignal(ctx, (superseded) => think({ ...ctx, superseded, thread: promptThread }));
  if (!thought.ok) return thought;
  const { facts, result } = thought.value;
  const seconds = (rt.clock.now() - started) / 1000;
  const charged = amend(draft, {
    // The rest of the turn uses the state that the model saw, so that proofs and gates refer to the same step.
    state: {
      machine: machine.value,
      ...(facts.usage ? { budget: spend(draft.state.budget, facts.usage, seconds), estimate: facts.estimate } : {}),
    },
    entry: { ...facts.entry, usage: facts.usage },
    blobs: facts.blobs,
  });
  switch (result.kind) {
    case "exhausted":
      return finish(ctx, withExhaustedRun(charged, result.reason));
    case "gave_up": {
      const failed = amend(charged, { entry: { problem: result.problem, judgement: result.judgement } });
      return finish(ctx, withDecisionFailure(failed));
    }
    case "plan":
      return startPlan(ctx, applyPlanDecision(ctx, withDecisionHealth(charged), result), result.first_call);
    case "execute":
      return applyExecuteDecision(ctx, withDecisionHealth(charged), result);
    default:
      return unreachable(result);
  }
}

type PlanResult = Extract<ThinkResult["result"], { kind: "plan" }>;

/** Starts a plan that needs no approval, together with its first call. */
async function startPlan(ctx: TurnContext, draft: Draft, call: PreparedCall | null): Promise<TurnRecords> {
  if (!call || draft.state.gate) return finish(ctx, draft);
  const called = await withFirstCall(ctx, draft, call);
  return called.ok ? finish(ctx, called.value) : called;
}

function applyPlanDecision(ctx: TurnContext, draft: Draft, { decision, ruling, first_call }: PlanResult): Draft {
  const decided = amend(draft, {
    entry: {
      decision: { for: "plan", value: decision },
      judgement: ruling.judgement,
      speak: spokenText(decision) || null,
    },
  });
  switch (decision.action) {
    case "continue":
      return amend(decided, { state: { idle: draft.state.idle + 1 }, signals: [{ type: "plan.continued" }] });
    case "ask_user":
      return askUser(ctx, decided, decision);
    case "answer":
      return amend(decided, { state: unprovenEnd(draft.state), signals: [{ type: "run.answered" }] });
    case "abort":
      return withAbort(decided, decision.abort.user_message);
    case "plan_done":
      return proposePlan(ctx, decided, { decision, steps: ruling.plan ?? [], call: first_call });
    default:
      return unreachable(decision);
  }
}

function needsApproval(approval: PlanApproval, steps: Plan): boolean {
  switch (approval) {
    case "ask":
      return true;
    case "ask_writes":
      return !isReadOnlyPlan(steps);
    case "auto":
      return false;
    default:
      return unreachable(approval);
  }
}

type ProposedPlan = { readonly decision: PlanDecision; readonly steps: Plan; readonly call: PreparedCall | null };

function proposePlan(ctx: TurnContext, draft: Draft, { decision, steps, call }: ProposedPlan): Draft {
  if (!needsApproval(draft.state.plan_approval, steps)) {
    const state = { ...withoutPlan(), plan: steps, idle: 0 };
    return amend(draft, { state, signals: [{ type: "plan.approved", steps: steps.length }] });
  }
  const text = decision.speak ?? decision.reason ?? `A plan of ${steps.length} steps. Shall I go on?`;
  return amend(draft, {
    state: { gate: planGate(ctx, steps, text, gatedFirstCall(ctx, call, text)), idle: 0 },
    signals: [{ type: "plan.proposed" }],
  });
}

type AskUser = Extract<PlanDecision | ExecuteDecision, { action: "ask_user" }>;

function askUser(ctx: TurnContext, draft: Draft, decision: AskUser): Draft {
  const { choices = [], questions } = decision;
  const text = questions ? (decision.speak ?? "") : spokenText(decision);
  return withQuestion(ctx, draft, { text, choices, default: null, expires_in_s: null, questions });
}

type ExecuteResult = Extract<ThinkResult["result"], { kind: "execute" }>;

async function applyExecuteDecision(ctx: TurnContext, draft: Draft, result: ExecuteResult): Promise<TurnRecords> {
  const { ruling, decision } = result;
  const decided = amend(draft, {
    entry: {
      decision: { for: "execute", value: result.stored },
      judgement: ruling.judgement,
      speak: spokenText(decision) || null,
      thought: thoughtOf(decision),
    },
  });
  if (ruling.kind === "plan_gated" && result.request) return finish(ctx, withPlanGate(ctx, decided, result.request));
  if (ruling.kind === "gated" && result.request)
    return finish(ctx, await withConfirmationGate(ctx, decided, ruling, result));
  if (result.request) return actOnCall(ctx, decided, result.request, authorizationOf(ruling));
  return finishAndDeliver(ctx, withoutCall(ctx, decided, decision));
}

function authorizationOf(ruling: ExecuteResult["ruling"]): Authorization {
  if (ruling.kind !== "accepted") return NO_AUTHORIZATION;
  const { approval, lifted } = ruling;
  if (approval) return { gate_id: approval.gate_id, actor: approval.actor, approval_id: approval.id };
  return lifted ? { gate_id: null, actor: "policy" } : NO_AUTHORIZATION;
}

const thoughtOf = (decision: ExecuteDecision): string => decision.reason ?? decision.speak ?? "";

async function withConfirmationGate(
  ctx: TurnContext,
  draft: Draft,
  ruling: Extract<Ruling, { kind: "gated" }>,
  { request: prepared }: ExecuteResult,
): Promise<Draft> {
  if (!prepared) throw new Error("only a call can be gated");
  const { stored, blobs } = storeCall(ctx.rt, prepared, thoughtOf(ruling.decision));
  const text = ruling.decision.speak ?? ruling.decision.reason ?? `Run ${prepared.name}?`;
  const preview = await previewCall(ctx, prepared);
  const gate = confirmationGate(ctx, { stored, call: prepared, preview }, text, ruling.reasons);
  return amend(draft, { state: { gate, idle: 0 }, entry: { call: stored }, signals: [{ type: "call.gated" }], blobs });
}

const withStepDone = (draft: Draft, goal_check: string | undefined): Draft =>
  amend(
    draft,
    finishStep(draft.state, { text: goal_check ?? "", receipt_id: provingProof(draft.state)?.receipt_id ?? null }),
  );

const withAbort = (draft: Draft, text: string): Draft =>
  amend(draft, {
    state: unprovenEnd(draft.state),
    entry: { speak: abortedText(draft.state, text) },
    signals: [{ type: "run.aborted" }],
  });

/** Opens the gate of a plan without keeping the call. Once the plan is approved, the model proposes the call again. */
function withPlanGate(ctx: TurnContext, draft: Draft, { name, access, arguments: args }: PreparedCall): Draft {
  const does = access === null || access === "write" ? "would change something" : "is a tool that can change something";
  const text = `The plan only reads, but ${name} ${does}: ${formatArguments(args)}\nApprove the plan to allow changes; a call may still ask for its own approval.`;
  const gate = planGate(ctx, draft.state.plan ?? [], escapeHidden(text));
  return amend(draft, { state: { gate, idle: 0 }, signals: [{ type: "plan.gated" }] });
}

function withoutCall(ctx: TurnContext, draft: Draft, decision: ExecuteDecision): Draft {
  switch (decision.action) {
    case "continue":
    case "confirm":
      return amend(draft, { state: { idle: draft.state.idle + 1 }, signals: [{ type: "turn.taken" }] });
    case "ask_user":
      // A child has no person to ask, so it hands the work back to its parent.
      if (draft.state.child) return withEscalation(draft, draft.state.child, spokenText(decision));
      return askUser(ctx, draft, decision);
    case "next_plan":
      return withStepDone(draft, decision.goal_check);
    case "done":
      // A role delivers in a separate turn, in the format of its workflow.
      return decision.delivery === undefined || draft.state.workflow
        ? withStepDone(draft, decision.goal_check)
        : withDelivery(withStepDone(draft, decision.goal_check), deliveredText(decision.speak, decision.delivery));
    case "abort":
      // A role that gives up does not end its workflow. A person decides what happens.
      if (draft.state.workflow) return withSuspension(ctx, draft, { text: decision.abort.user_message, failed: true });
      return withAbort(draft, decision.abort.user_message);
    default:
      return unreachable(decision);
  }
}
