// Applies a person's answer to a gate. Only after a reply to a question can the same turn call the model.
import type { ConfirmationGate, StoredCall } from "../../schema/gate.ts";
import { fail, ok } from "../../schema/problem.ts";
import type { Tool } from "../../tools/define-tool.ts";
import type { ResolvedTools } from "../../tools/resolve.ts";
import { runPureCall, withCallResult, withRefusal } from "../act/act.ts";
import { previewCall, withToolCheck } from "../act/check-call.ts";
import { mayRunAfterApproval, withFirstCall } from "../act/first-call.ts";
import { findTool, notifySkipped, prepareCall, validateArguments } from "../act/prepare-call.ts";
import { callResult, mintReply } from "../act/receipts.ts";
import { loadArguments, storeCall } from "../act/stored-call.ts";
import { withReceipt } from "../act/with-receipt.ts";
import type { Admitted } from "../admit/admit.ts";
import { withoutPlan, withReplan } from "../admit/run-transitions.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { amend, closedGateEntry, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { runEffect } from "../effects/effects.ts";
import { resolveForTurn } from "../resolve-thread-tools.ts";
import type { Runtime } from "../runtime.ts";
import { argumentsDigest } from "./digest.ts";
import { withExternalGate } from "./external-gate.ts";
import { confirmationGate, type GatedCall } from "./open-gate.ts";
import { rememberedApproval, withApproval } from "./remember.ts";
import { withRejectionCount } from "./repeated-rejections.ts";

export function withReply({ rt, request }: TurnContext, draft: Draft, reply: Admitted<"reply">): Draft {
  const { gate, text } = reply;
  const receipt = mintReply(rt, draft.state, { gate_id: gate.id, actor: request.actor, text });
  const replied = amend(draft, {
    state: { ...withReceipt(draft.state, receipt, null), gate: null },
    entry: { receipts: [receipt], ...closedGateEntry(gate, "answered") },
    signals: [{ type: "question.closed" }],
  });
  return reply.replan ? withReplan(replied) : replied;
}

const NO_ANSWER = "The user did not answer in time.";
const DECIDE_FROM_CONTEXT = "Decide from what is known.";

/** The receipt proves nothing and is stored only for display. */
export function withExpiredQuestion(rt: Runtime, draft: Draft, { gate }: Admitted<"expire_question">): Draft {
  const text =
    gate.default === null
      ? `${NO_ANSWER} ${DECIDE_FROM_CONTEXT}`
      : `${NO_ANSWER} Go on with the default: ${gate.default}`;
  const reply = mintReply(rt, draft.state, { gate_id: gate.id, actor: "runtime", text: "timed out" });
  const receipt = { ...reply, success: false };
  return amend(draft, {
    state: { ...withReceipt(draft.state, receipt, null), gate: null },
    entry: { receipts: [receipt], ...closedGateEntry(gate, "expired", `(${text})`) },
    signals: [{ type: "question.closed" }],
  });
}

/** Runs the first call of the plan with the same approval. If the call is no longer allowed, the model has to propose it again. */
export async function approvePlan(
  ctx: TurnContext,
  draft: Draft,
  approval: Admitted<"approve_plan">,
): Promise<TurnRecords> {
  const approved = withApprovedPlan(draft, approval);
  const { first_call } = approval.gate;
  if (!first_call) return finish(ctx, approved);
  const checked = await checkStoredCall(ctx, first_call, null);
  if (!checked.ok || !mayRunAfterApproval(approved, checked.value)) return finish(ctx, approved);
  const call = { ...checked.value, finishes_step: first_call.finishes_step === true };
  const called = await withFirstCall(ctx, amend(approved, { entry: { thought: first_call.thought } }), call);
  return called.ok ? finish(ctx, called.value) : called;
}

/** Uses the steps of the gate as the plan if no plan is running. A running plan continues at its current step. */
function withApprovedPlan(draft: Draft, { gate }: Admitted<"approve_plan">): Draft {
  const { steps } = gate;
  const isNew = draft.state.machine.steps === 0;
  const approved = { gate: null, plan: steps, plan_approved: true, idle: 0 };
  return amend(draft, {
    state: isNew ? { ...approved, proofs: [], failed_writes: [], results: [] } : approved,
    entry: closedGateEntry(gate, "approved"),
    signals: [{ type: "plan.approved", steps: steps.length }],
  });
}

export const withRejectedPlan = (draft: Draft, { gate }: Admitted<"reject_plan">): Draft =>
  amend(draft, {
    state: { gate: null, ...withoutPlan() },
    entry: closedGateEntry(gate, "rejected"),
    signals: [{ type: "plan.rejected" }],
  });

/** The model sees the rejection as the observation of the proposed call. */
export async function withRejectedCall(
  ctx: TurnContext,
  draft: Draft,
  { gate, reason, expired }: Admitted<"reject_call">,
): Promise<Draft> {
  const { rt, request } = ctx;
  // The reason is the user's own text, which often ends without a full stop.
  const why = reason ? `: ${/[.!?。！？]$/.test(reason) ? reason : `${reason}.`}` : ".";
  const text = expired
    ? "Rejected: expired. Nobody confirmed the call in time; it did not run."
    : `Rejected by the user${why} The call did not run.`;
  const stored = gate.call;
  await notifySkipped(ctx, stored, text);
  const authorization = { gate_id: gate.id, actor: expired ? null : request.actor };
  const result = { ...callResult(rt, false, text), rejected: true as const, started: rt.clock.now() };
  const rejected = withCallResult(rt, amend(draft, { state: { gate: null } }), { stored, authorization }, result);
  const closed = amend(rejected, {
    entry: { call: stored, ...closedGateEntry(gate, expired ? "expired" : "rejected") },
    signals: [{ type: "call.rejected" }],
  });
  return expired ? closed : withRejectionCount(ctx, closed, stored.name);
}

/** Checks tools, manifest, hooks and block list again, because they may have changed since the gate opened. */
export async function approveCall(
  ctx: TurnContext,
  draft: Draft,
  { gate, edited, remember }: Admitted<"approve_call">,
): Promise<TurnRecords> {
  const approved = await checkStoredCall(ctx, gate.call, edited);
  if (!approved.ok) return approved;
  const approval = remember ? rememberedApproval(ctx, gate, approved.value, remember) : ok(null);
  if (!approval.ok) return approval;
  const proposed_digest = originalDigest(gate.call, approved.value.arguments_digest);
  const finishes_step = gate.call.finishes_step === true;
  const { stored, blobs } = storeCall(ctx.rt, { ...approved.value, proposed_digest, finishes_step }, gate.call.thought);
  const ready = amend(draft, {
    state: { gate: null },
    entry: { call: stored, ...closedGateEntry(gate, "approved") },
    blobs,
  });
  const authorization = { gate_id: gate.id, actor: ctx.request.actor };
  const request = { stored, args: approved.value.arguments, authorization };
  const { refusal } = await withToolCheck(ctx, approved.value);
  if (refusal)
    return finish(ctx, amend(withRefusal(ctx.rt, ready, request, refusal), { signals: [{ type: "call.settled" }] }));
  const preview = edited || gate.preview == null ? null : await previewCall(ctx, approved.value);
  if (preview !== null && preview !== gate.preview)
    return finish(ctx, withReopenedGate(ctx, ready, { gate, stored, call: approved.value, preview }));
  const running = approval.value ? withApproval(ready, approval.value) : ready;
  if (approved.value.manifest?.runs_in_client)
    return finish(ctx, await withExternalGate(ctx, running, { stored, call: approved.value }));
  if (stored.effect !== "pure") return runEffect(ctx, running, { ...request, effect_id: null });
  return finish(ctx, await runPureCall(ctx, amend(running, { signals: [{ type: "call.settled" }] }), request));
}

type ReopenedGate = GatedCall & { readonly gate: ConfirmationGate };

/** Opens the gate again with what the call would do now, because that is no longer what the person approved. */
function withReopenedGate(ctx: TurnContext, draft: Draft, { gate, ...gated }: ReopenedGate): Draft {
  const text = gate.text.startsWith(CHANGED_NOTICE) ? gate.text : `${CHANGED_NOTICE} ${gate.text}`;
  const reopened = confirmationGate(ctx, gated, text, gate.reasons);
  return amend(draft, {
    state: { gate: { ...reopened, remember: gate.remember ?? null } },
    entry: closedGateEntry(gate, "changed"),
    signals: [{ type: "call.gated" }],
  });
}

const CHANGED_NOTICE = "This changed since you were asked.";

export async function checkStoredCall(ctx: TurnContext, stored: StoredCall, edited: Record<string, unknown> | null) {
  const { rt, request } = ctx;
  await rt.toolbox.tool(stored.name, request.at)?.refresh?.();
  const tools = await resolveForTurn(ctx);
  if (!tools.ok) return tools;
  const tool = findTool(ctx, tools.value, stored.name);
  const offered = tools.value.tools.some((manifest) => manifest.name === stored.name);
  if (!tool || !offered) {
    return fail(
      "tool_disabled",
      `${stored.name} is no longer offered (${tools.value.disabled[stored.name] ?? "removed"}); reject the call.`,
    );
  }
  if (tool.manifest.version !== stored.manifest_version) {
    return fail(
      "tool_changed",
      `${stored.name} is now version ${tool.manifest.version}; the gate shows version ${stored.manifest_version}.`,
    );
  }
  const args = edited ? ok(edited) : await loadArguments(rt, request.at, stored);
  if (!args.ok) return args;
  const approved = { args: args.value, shown_digest: stored.arguments_digest, edited: edited !== null };
  return checkApproved(ctx, tool, tools.value, approved);
}

const originalDigest = (
  proposed: { arguments_digest: string; proposed_digest: string | null },
  digest: string,
): string | null =>
  digest === proposed.arguments_digest
    ? proposed.proposed_digest
    : (proposed.proposed_digest ?? proposed.arguments_digest);

type Approved = {
  readonly args: Record<string, unknown>;
  readonly shown_digest: string;
  readonly edited: boolean;
};

/** Lets the call run only with the arguments that the person saw or wrote, never with those of a hook that changes them afterwards. */
async function checkApproved(ctx: TurnContext, tool: Tool, tools: ResolvedTools, approved: Approved) {
  const { args, edited } = approved;
  const invalid = await validateArguments(tool, args);
  if (invalid) return fail("arguments_invalid", invalid);
  const prepared = await prepareCall(ctx, tools, tool.manifest.name, args);
  if (prepared.refusal) return fail(prepared.refusal.code, prepared.refusal.text);
  const digest = argumentsDigest(ctx.rt.hash, { tool: tool.manifest.name, arguments: args });
  if (!edited && digest !== approved.shown_digest) {
    return fail("digest_mismatch", "The stored arguments are not the ones the gate shows.");
  }
  if (edited && prepared.arguments_digest !== digest) {
    return fail("arguments_invalid", "A hook would change these arguments; approve the changed arguments instead.", {
      arguments: prepared.arguments,
    });
  }
  return ok({ ...prepared, arguments: args, arguments_digest: digest });
}
