// Handles a tool call that passed the judge: opens a question, refuses it, or runs it as a pure call or as an effect. At most one call per turn.
import * as z from "zod";
import { AskedQuestion, CHOICES_MAX, QUESTIONS_MAX } from "../../schema/decision/questions.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { withHandlerHealth } from "../commit/failure-limits.ts";
import type { TurnContext } from "../context.ts";
import { runEffect } from "../effects/effects.ts";
import { continuedCall, withCallQuestion } from "../gates/call-question.ts";
import { withExternalGate } from "../gates/external-gate.ts";
import { withQuestion } from "../gates/open-gate.ts";
import { spendTime } from "../judge/budget.ts";
import type { PreparedCall, Refusal } from "../judge/ruling.ts";
import type { Runtime } from "../runtime.ts";
import { finishAndDeliver } from "../think/deliver-turn.ts";
import { withEscalation } from "./escalation.ts";
import { withFinishedStep } from "./finish-step.ts";
import {
  type Authorization,
  type AuthorizedCall,
  buildObservation,
  type CallResult,
  callResult,
  mintSettled,
  NO_AUTHORIZATION,
} from "./receipts.ts";
import { manifestOf, runHandler } from "./run-handler.ts";
import { storeCall } from "./stored-call.ts";
import { withReceipt } from "./with-receipt.ts";

/** `authorization` says who approved the call in advance, if anyone did: the thread's policy, or a person whose approval is remembered. */
export async function actOnCall(
  ctx: TurnContext,
  draft: Draft,
  prepared: PreparedCall,
  authorization: Authorization,
): Promise<TurnRecords> {
  const { rt } = ctx;
  const { stored, blobs } = storeCall(rt, prepared, draft.entry.thought ?? "");
  const ready = amend(draft, { entry: { call: stored }, blobs });
  if (prepared.refusal) {
    const refused = withRefusal(rt, ready, { stored, authorization: NO_AUTHORIZATION }, prepared.refusal);
    return finish(ctx, amend(refused, { signals: [{ type: "turn.taken" }] }));
  }
  if (prepared.manifest?.asks && draft.state.child)
    return finish(ctx, withEscalation(ready, draft.state.child, askedQuestion(ctx, prepared).question));
  if (prepared.manifest?.asks) return finish(ctx, askByCall(ctx, ready, prepared));
  if (prepared.manifest?.runs_in_client)
    return finish(ctx, await withExternalGate(ctx, ready, { stored, call: prepared }));
  const call = { stored, args: prepared.arguments, authorization };
  if (stored.effect !== "pure") return runEffect(ctx, ready, { ...call, effect_id: null });
  return finishAndDeliver(ctx, await runPureCall(ctx, amend(ready, { signals: [{ type: "turn.taken" }] }), call));
}

/** The record of the turn contains the receipt, so after a crash before the commit the call simply runs again. */
export async function runPureCall(ctx: TurnContext, draft: Draft, call: AuthorizedCall): Promise<Draft> {
  const started = ctx.rt.clock.now();
  const result = await runHandler(ctx, draft.state, call, null);
  const settled = withHandlerHealth(withCallResult(ctx.rt, draft, call, { ...result, started }), result.broken);
  const receipt = settled.entry.receipts.at(-1);
  if (result.question)
    return withCallQuestion(ctx, settled, continuedCall(call.stored, call.authorization), result.question);
  return receipt?.kind === "settled" ? withFinishedStep(settled, call.stored, receipt) : settled;
}

/** Adds the failed receipt of a call that did not run, without a signal. */
export function withRefusal(
  rt: Runtime,
  draft: Draft,
  call: Pick<AuthorizedCall, "stored" | "authorization">,
  { text, output_trust = "trusted" }: Refusal,
): Draft {
  const result = callResult(rt, false, text);
  return withCallResult(rt, draft, call, {
    ...result,
    run: { ...result.run, output_trust },
    started: rt.clock.now(),
  });
}

/** Adds the settled receipt and the observation of a call that had no intended receipt. */
export function withCallResult(
  rt: Runtime,
  draft: Draft,
  call: Pick<AuthorizedCall, "stored" | "authorization">,
  result: CallResult & { readonly started: number },
): Draft {
  const manifest = manifestOf(rt, call.stored.name);
  const receipt = mintSettled(rt, draft.state, { ...call, manifest }, result);
  const { observation, blobs } = buildObservation(rt, receipt.id, { ...result, about: draft.state }, manifest);
  const { operation, state, blobs: more } = result.run;
  return amend(draft, {
    state: {
      ...withReceipt(draft.state, receipt, manifest, { stored: call.stored, text: result.text }),
      budget: spendTime(draft.state.budget, operation),
      ...state,
    },
    entry: { receipts: [...draft.entry.receipts, receipt], observation, operation, thought: call.stored.thought },
    blobs: [...blobs, ...more],
  });
}

const AskArguments = z.object({
  question: z.string(),
  choices: z.array(z.string()).max(CHOICES_MAX).optional(),
  questions: z.array(AskedQuestion).max(QUESTIONS_MAX).optional(),
  default: z.string().optional(),
  expires_in_s: z.number().positive().optional(),
});

function askedQuestion({ rt, request }: TurnContext, { name, arguments: args }: PreparedCall) {
  return AskArguments.parse(rt.toolbox.tool(name, request.at)?.question?.(args) ?? args);
}

/** Opens a question gate with the arguments of a tool that asks the user. Nothing runs, so there is no intended receipt. */
function askByCall(ctx: TurnContext, draft: Draft, prepared: PreparedCall): Draft {
  const asked = askedQuestion(ctx, prepared);
  return withQuestion(ctx, draft, {
    text: asked.question,
    choices: asked.choices ?? [],
    default: asked.default ?? null,
    expires_in_s: asked.expires_in_s ?? null,
    questions: asked.questions,
  });
}
