// Runs a call again with the answer to the question that it asked.
import { runPureCall } from "../act/act.ts";
import type { Admitted } from "../admit/admit.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { runEffect } from "../effects/effects.ts";
import { checkStoredCall, withReply } from "./answer-gate.ts";

/** Null if no call asked the question, or the call may no longer run as approved. The model then decides what to do with the answer. */
export async function continueCall(
  ctx: TurnContext,
  draft: Draft,
  reply: Admitted<"reply">,
): Promise<TurnRecords | null> {
  const { continues } = reply.gate;
  if (!continues || reply.replan) return null;
  const { call: stored, gate_id, actor, state_blob } = continues;
  const checked = await checkStoredCall(ctx, stored, null);
  if (!checked.ok) return null;
  const state = await ctx.rt.store.getBlob(ctx.request.at, state_blob);
  if (!state.ok) return state;
  const replied = amend(withReply(ctx, draft, reply), { entry: { call: stored } });
  const continued = { state: state.value, reply: reply.text };
  const call = { stored, args: checked.value.arguments, authorization: { gate_id, actor }, continued };
  if (stored.effect !== "pure") return runEffect(ctx, replied, { ...call, effect_id: null });
  return finish(ctx, await runPureCall(ctx, amend(replied, { signals: [{ type: "turn.taken" }] }), call));
}
