// Runs the first call of a plan in the record that starts the plan, if it only reads and needs no confirmation. Any other call is omitted.
import type { PlanDecision, ToolCall } from "../../schema/decision/decision.ts";
import type { StoredCall } from "../../schema/gate.ts";
import type { Plan } from "../../schema/plan.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { ResolvedTools } from "../../tools/resolve.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { moveAll } from "../commit/signal.ts";
import type { TurnContext } from "../context.ts";
import { judge } from "../judge/judge.ts";
import type { PreparedCall, Ruling } from "../judge/ruling.ts";
import { runPureCall } from "./act.ts";
import { withToolCheck } from "./check-call.ts";
import { prepareCall } from "./prepare-call.ts";
import { NO_AUTHORIZATION } from "./receipts.ts";
import { storeCall } from "./stored-call.ts";

export type FirstCall =
  | { readonly kind: "none" }
  | { readonly kind: "call"; readonly call: PreparedCall }
  | Extract<Ruling, { kind: "corrected" }>;

const NONE: FirstCall = { kind: "none" };

/** Judges the call by the rules of the next turn, so that the model can correct a wrong tool name together with the plan. */
export async function judgeFirstCall(
  ctx: TurnContext,
  tools: ResolvedTools,
  decision: PlanDecision,
  plan: Plan,
): Promise<FirstCall> {
  if (decision.action !== "plan_done" || !decision.tool_call) return NONE;
  const { tool_call, finishes_step } = decision;
  const prepared = await withToolCheck(ctx, await prepareCall(ctx, tools, tool_call.name, tool_call.arguments));
  const call = { ...prepared, finishes_step: finishes_step === true };
  const ruling = judgeRead(call, { ...stateInPlan(ctx.thread.state, plan), plan_approved: true }, tool_call);
  if (ruling.kind === "corrected") return ruling;
  return ruling.kind === "accepted" && mayRun(call) ? { kind: "call", call } : NONE;
}

const stateInPlan = (state: ThreadState, plan: Plan): ThreadState => ({
  ...state,
  plan,
  machine: { ...state.machine, state: "execute", at: "deciding", step: 0, steps: plan.length },
});

const judgeRead = (call: PreparedCall, state: ThreadState, tool_call: ToolCall): Ruling =>
  judge({ action: "continue", tool_call }, state, call);

const mayRun = ({ manifest, refusal }: PreparedCall): boolean =>
  manifest?.effect === "pure" && refusal === null && !manifest.asks && !manifest.runs_in_client;

/** Omits a call with large arguments, because a gate is part of the state, and the state is limited in size. */
export function gatedFirstCall(ctx: TurnContext, call: PreparedCall | null, thought: string): StoredCall | null {
  const stored = call && storeCall(ctx.rt, call, thought).stored;
  return stored?.arguments ? stored : null;
}

export async function withFirstCall(ctx: TurnContext, draft: Draft, call: PreparedCall): Promise<Result<Draft>> {
  const machine = moveAll(ctx.thread.state.machine, draft.signals);
  if (!machine.ok) return machine;
  const { stored, blobs } = storeCall(ctx.rt, call, draft.entry.thought ?? draft.entry.speak ?? "");
  const started = amend(draft, {
    state: { machine: machine.value },
    entry: { call: stored },
    signals: [{ type: "turn.taken" }],
    blobs,
  });
  return ok(await runPureCall(ctx, started, { stored, args: call.arguments, authorization: NO_AUTHORIZATION }));
}

/** Judges a call from a gate again, because the tool, its policy or the thread may have changed since it was stored. */
export function mayRunAfterApproval(draft: Draft, call: PreparedCall): boolean {
  const tool_call = { name: call.name, arguments: call.arguments };
  const state = stateInPlan(draft.state, draft.state.plan ?? []);
  return mayRun(call) && call.proposed_digest === null && judgeRead(call, state, tool_call).kind === "accepted";
}
