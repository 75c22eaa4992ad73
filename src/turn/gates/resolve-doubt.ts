// Applies a person's answer about a call with an unknown result: it happened, it did not, try again, or abort.
import { fail } from "../../schema/problem.ts";
import type { ActiveCall } from "../../schema/thread.ts";
import { callResult, settleIntended } from "../act/receipts.ts";
import type { Admitted } from "../admit/admit.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { amend, closedGateEntry, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { runEffect } from "../effects/effects.ts";
import { resend, settleAs } from "../effects/reconcile.ts";
import { unprovenEnd } from "../judge/run-evidence.ts";
import { checkStoredCall } from "./answer-gate.ts";

type Resolution = Admitted<"resolve">;

export async function resolveDoubt(ctx: TurnContext, draft: Draft, resolution: Resolution): Promise<TurnRecords> {
  const { rt, request, thread } = ctx;
  const acting = thread.state.acting;
  if (!acting) return fail("state_corrupt", "A doubt gate is open but no call is in doubt.");
  const note = resolution.note ? ` (${resolution.note})` : "";
  const say = (success: boolean, text: string) => settleAs(ctx, draft, acting, callResult(rt, success, text));
  if (resolution.outcome === "happened") return say(true, `${request.actor} says that it happened${note}.`);
  if (resolution.outcome === "not_happened")
    return say(false, `${request.actor} says that it did not happen${note}. Nothing was repeated.`);
  if (resolution.outcome === "try_again") return tryAgain(ctx, draft, resolution, acting);
  return abortDoubt(ctx, draft, resolution);
}

async function abortDoubt(ctx: TurnContext, draft: Draft, { gate, note }: Resolution): Promise<TurnRecords> {
  const remark = note ? ` (${note})` : "";
  const result = callResult(ctx.rt, null, `Nobody knows whether ${gate.call.name} happened${remark}.`);
  const receipt = settleIntended(ctx.rt, gate.intended, result);
  const aborted = amend(draft, {
    state: { gate: null, acting: null, ...unprovenEnd(draft.state) },
    entry: {
      call: gate.call,
      receipts: [receipt],
      speak: `The run was given up: ${result.text}`,
      ...closedGateEntry(gate, "aborted"),
    },
    signals: [{ type: "run.aborted" }],
  });
  return finish(ctx, aborted);
}

/** Resends a keyed effect under its key. An unkeyed one is a new effect, because it may now happen twice; the result of the first stays unknown. */
async function tryAgain(
  ctx: TurnContext,
  draft: Draft,
  { gate, note }: Resolution,
  acting: ActiveCall,
): Promise<TurnRecords> {
  const { rt, request } = ctx;
  if (acting.cancel_requested)
    return fail("signal_refused", "A cancellation was requested; answer whether the call happened, or abort.");
  const stored = acting.call;
  const checked = await checkStoredCall(ctx, stored, null);
  if (!checked.ok) return checked;
  const args = checked.value.arguments;
  const closed = amend(draft, { entry: { call: stored, ...closedGateEntry(gate, "tried again") } });
  if (stored.effect === "keyed") return resend(ctx, closed, acting, args);
  const remark = note ? ` (${note})` : "";
  const unknown = `Nobody knows whether it happened; ${request.actor} let it be tried again${remark}.`;
  const receipt = settleIntended(rt, acting.intended, callResult(rt, null, unknown));
  const withoutCall = amend(closed, { state: { acting: null }, entry: { receipts: [receipt] } });
  const authorization = { gate_id: gate.id, actor: request.actor };
  return runEffect(ctx, withoutCall, { stored, args, authorization, effect_id: null });
}
