// Decides whether an input is allowed in the current state. Pure: returns what the turn has to do, or a problem that changes nothing.
import {
  type ConfirmationGate,
  type DoubtGate,
  type ExternalGate,
  type Gate,
  hasExpired,
  type PlanGate,
  type QuestionGate,
} from "../../schema/gate.ts";
import type { BudgetInput, TurnInput } from "../../schema/input.ts";
import { CLOCK_SKEW_MS } from "../../schema/jobs/time-limit.ts";
import { type Failed, fail, ok, type Result, unreachable } from "../../schema/problem.ts";
import type { ActiveCall, ThreadState } from "../../schema/thread.ts";
import { statePath } from "../commit/signal.ts";
import type { RememberRequest } from "../gates/remember.ts";
import { budgetShortfall, NO_COST } from "../judge/judge-safety.ts";
import { nextAction } from "../view.ts";
import { admitAnswer } from "./admit-answer.ts";
import { admitDelegating, type DelegationAdmission } from "./admit-delegating.ts";
import { admitMessageAtRest, admitWorkflowInput, type WorkflowAdmission } from "./admit-workflow.ts";

/** The work of a turn after its input was admitted. */
export type Admission =
  | { readonly kind: "begin"; readonly text: string }
  | { readonly kind: "think"; readonly message: string | null; readonly replan: boolean }
  | { readonly kind: "resume" }
  | { readonly kind: "deliver" }
  | { readonly kind: "reply"; readonly gate: QuestionGate; readonly text: string; readonly replan: boolean }
  | { readonly kind: "expire_question"; readonly gate: QuestionGate }
  | { readonly kind: "approve_plan"; readonly gate: PlanGate }
  | { readonly kind: "reject_plan"; readonly gate: PlanGate; readonly reason: string | null }
  | {
      readonly kind: "approve_call";
      readonly gate: ConfirmationGate;
      readonly edited: Record<string, unknown> | null;
      /** Null if the approval is valid for this call only. */
      readonly remember: RememberRequest | null;
    }
  | { readonly kind: "revoke"; readonly approval_id: string }
  | { readonly kind: "client_result"; readonly gate: ExternalGate; readonly input: ToolResultInput }
  | { readonly kind: "lease"; readonly gate: ExternalGate; readonly input: LeaseInput }
  | { readonly kind: "expire_external"; readonly gate: ExternalGate }
  | {
      readonly kind: "reject_call";
      readonly gate: ConfirmationGate;
      readonly reason: string | null;
      readonly expired: boolean;
    }
  | {
      readonly kind: "resolve";
      readonly gate: DoubtGate;
      readonly outcome: "happened" | "not_happened" | "try_again" | "abort";
      readonly note: string | null;
    }
  | { readonly kind: "reconcile"; readonly acting: ActiveCall }
  | { readonly kind: "request_cancel"; readonly acting: ActiveCall }
  | { readonly kind: "cancel" }
  | DelegationAdmission
  | WorkflowAdmission
  | { readonly kind: "reset" };

export type Admitted<K extends Admission["kind"]> = Extract<Admission, { kind: K }>;

export function admit(
  state: ThreadState,
  input: TurnInput | null,
  budget: BudgetInput | null,
  now: number,
): Result<Admission> {
  const { machine } = state;
  if (input?.type === "revoke") return admitRevoke(state, input.approval_id);
  if (machine.at === "acting" && state.acting) return admitActing(state.acting, input, now);
  if (machine.at === "delegating" && state.acting) return admitDelegating(state.acting, input);
  if (input?.type === "cancel") return admitCancel(state);
  if (machine.state === "failed") {
    return input?.type === "reset"
      ? ok({ kind: "reset" })
      : fail("thread_failed", "The thread stopped after too many failed turns.");
  }
  if (input?.type === "reset")
    return fail("signal_refused", `Only a failed thread can be reset; this one is in ${statePath(machine)}.`);
  if (input?.type === "resume" || input?.type === "poke") return admitWorkflowInput(state, input);
  if (machine.state === "rest") return admitResting(state, input, budget);
  if (state.gate) return admitGated(state, state.gate, input, now);
  if (input && input.type !== "message") return fail("gate_closed", "No gate is open.", { next: nextAction(state) });
  if (machine.state === "deliver") {
    return input
      ? fail("delivery_pending", "The run is finished and waits for its delivery.")
      : ok({ kind: "deliver" });
  }
  return ok({ kind: "think", message: input?.text ?? null, replan: input?.replan ?? false });
}

function admitRevoke(state: ThreadState, approval_id: string): Result<Admission> {
  if (state.approvals?.some(({ id }) => id === approval_id)) return ok({ kind: "revoke", approval_id });
  return fail("approval_not_found", `This thread has no remembered approval ${approval_id}.`);
}

function admitActing(acting: ActiveCall, input: TurnInput | null, now: number): Result<Admission> {
  const settleBy = Date.parse(acting.intended.settle_by);
  const wait = Math.max(1, Math.ceil((settleBy - now) / 1000));
  const longest = settleBy - Date.parse(acting.intended.started_at) + CLOCK_SKEW_MS;
  // A deadline further away than the call can take was set by a wrong clock and is ignored, so that callers do not wait for it.
  const running = now < settleBy && settleBy - now <= longest;
  if (input?.type === "cancel" && !acting.cancel_requested) return ok({ kind: "request_cancel", acting });
  if (running) {
    return fail("turn_running", `${acting.call.name} is still running.`, { retry_after_s: wait });
  }
  if (input) {
    return fail("turn_running", `${acting.call.name} has not settled; advance without input to reconcile it.`, {
      retry_after_s: 1,
    });
  }
  return ok({ kind: "reconcile", acting });
}

function admitCancel(state: ThreadState): Result<Admission> {
  if (state.machine.state === "rest") return fail("nothing_to_do", "There is no run to cancel.");
  if (state.gate?.kind === "doubt")
    return ok({ kind: "resolve", gate: state.gate, outcome: "abort", note: "cancelled" });
  return ok({ kind: "cancel" });
}

function admitResting(state: ThreadState, input: TurnInput | null, budget: BudgetInput | null): Result<Admission> {
  if (input?.type === "message") return admitMessageAtRest(state, input.text);
  if (input) return fail("gate_closed", "No gate is open.", { next: "none" });
  if (state.machine.outcome !== "exhausted" || !budget) return fail("nothing_to_do", "There is no run to advance.");
  const shortfall = budgetShortfall(state.budget, NO_COST);
  return shortfall ? fail("budget_exhausted", `The budget is not high enough: ${shortfall}.`) : ok({ kind: "resume" });
}

function admitGated(state: ThreadState, gate: Gate, input: TurnInput | null, now: number): Result<Admission> {
  const expired = hasExpired(gate, now);
  if (input && "gate_id" in input && input.gate_id !== gate.id) return gateClosed(input.gate_id, state);
  if (!input) return expired ? admitExpiry(state) : gateOpen(state);
  if (expired)
    return fail("gate_expired", `Gate ${gate.id} expired at ${gate.expires_at}.`, {
      gate_id: gate.id,
      next: "advance",
    });
  switch (input.type) {
    case "message":
      if (gate.kind !== "question") return gateOpen(state);
      return ok({ kind: "reply", gate, text: input.text, replan: input.replan ?? false });
    case "answer":
      return gate.kind === "question" ? admitAnswer(gate, input) : gateMismatch(gate.kind, input.type);
    case "confirm":
      if (gate.kind !== "plan" && gate.kind !== "confirmation") return gateMismatch(gate.kind, input.type);
      return admitConfirm(gate, input);
    case "resolve":
      if (gate.kind !== "doubt") return gateMismatch(gate.kind, input.type);
      return ok({ kind: "resolve", gate, outcome: input.outcome, note: input.note ?? null });
    case "tool_result":
      return gate.kind === "external" ? admitToolResult(gate, input) : gateMismatch(gate.kind, input.type);
    case "lease":
      return gate.kind === "external" ? ok({ kind: "lease", gate, input }) : gateMismatch(gate.kind, input.type);
    case "cancel":
    case "reset":
    case "revoke":
    case "resume":
    case "poke":
      return fail("signal_refused", `${input.type} is not allowed in this state.`);
    default:
      return unreachable(input);
  }
}

function admitExpiry(state: ThreadState): Result<Admission> {
  if (state.gate?.kind === "question") return ok({ kind: "expire_question", gate: state.gate });
  if (state.gate?.kind === "confirmation")
    return ok({ kind: "reject_call", gate: state.gate, reason: "expired", expired: true });
  if (state.gate?.kind === "external") return ok({ kind: "expire_external", gate: state.gate });
  return gateOpen(state);
}

type ToolResultInput = Extract<TurnInput, { type: "tool_result" }>;
type LeaseInput = Extract<TurnInput, { type: "lease" }>;

function admitToolResult(gate: ExternalGate, input: ToolResultInput): Result<Admission> {
  if (input.digest !== gate.digest) return digestMismatch(gate);
  if ((input.output === undefined) === (input.error === undefined))
    return fieldRefused("output", "a result has either output or error");
  return ok({ kind: "client_result", gate, input });
}

const digestMismatch = ({ id, digest }: Extract<Gate, { digest: string }>): Failed =>
  fail("digest_mismatch", "The digest does not match what the gate shows.", { gate_id: id, digest });

function admitConfirm(
  gate: PlanGate | ConfirmationGate,
  input: Extract<TurnInput, { type: "confirm" }>,
): Result<Admission> {
  // A different digest means that the person saw something else.
  if (input.digest !== gate.digest) return digestMismatch(gate);
  const misplaced = misplacedRemember(gate, input);
  if (misplaced) return misplaced;
  const reason = input.reason ?? null;
  if (gate.kind === "plan") {
    if (input.edited_arguments)
      return fail("request_invalid", "input.edited_arguments: a plan has no arguments.", {
        field: "input.edited_arguments",
      });
    return ok(input.decision === "approve" ? { kind: "approve_plan", gate } : { kind: "reject_plan", gate, reason });
  }
  if (input.decision === "reject") return ok({ kind: "reject_call", gate, reason, expired: false });
  const remember = input.remember ? { remember: input.remember, prefix: input.prefix ?? null } : null;
  return ok({ kind: "approve_call", gate, edited: input.edited_arguments ?? null, remember });
}

/** Only the approval of a call without edits can be remembered. */
function misplacedRemember(
  gate: PlanGate | ConfirmationGate,
  { remember, prefix, decision, edited_arguments }: Extract<TurnInput, { type: "confirm" }>,
): Failed | null {
  if (prefix && !remember) return fieldRefused("prefix", "needs remember");
  if (!remember) return null;
  if (gate.kind === "plan") return fieldRefused("remember", "an approved plan is not remembered");
  if (decision === "reject") return fieldRefused("remember", "only an approval can be remembered");
  return edited_arguments ? fieldRefused("remember", "edited arguments are approved once") : null;
}

const fieldRefused = (field: string, why: string): Failed =>
  fail("request_invalid", `input.${field}: ${why}.`, { field: `input.${field}` });

const gateOpen = (state: ThreadState): Failed =>
  fail("gate_open", `A ${state.gate?.kind} gate is open: ${state.gate?.text ?? ""}`, {
    gate: state.gate,
    next: nextAction(state),
  });
const gateClosed = (id: string, state: ThreadState): Failed =>
  fail("gate_closed", `Gate ${id} is not open.`, {
    next: nextAction(state),
    ...(state.gate ? { open_gate_id: state.gate.id } : {}),
  });
const gateMismatch = (kind: string, type: string): Failed =>
  fail("gate_mismatch", `The open gate is a ${kind} gate and does not accept ${type}.`);
