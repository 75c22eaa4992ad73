// Handles a call that its owner did not settle in time: asks the tool, resends with the same key, or asks a person.
import type { ActiveCall } from "../../schema/thread.ts";
import type { CallResult } from "../act/receipts.ts";
import { loadArguments } from "../act/stored-call.ts";
import { finish, type TurnRecords } from "../commit/commit.ts";
import { type Draft, draftTurn } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { askTool, happenedResult, notHappenedResult } from "./ask-tool.ts";
import { doubtDraft, TRIES_MAX } from "./doubt.ts";
import { runEffect } from "./effects.ts";
import { settlementDraft } from "./settle.ts";

export async function reconcile(ctx: TurnContext, acting: ActiveCall): Promise<TurnRecords> {
  const { rt, request } = ctx;
  const draft = draftTurn(ctx);
  const tool = rt.toolbox.tool(acting.call.name, request.at);
  const args = await loadArguments(rt, request.at, acting.call);
  if (!args.ok) return args;
  const answer = await askTool(ctx, acting, args.value);
  if (answer?.happened) return settleAs(ctx, draft, acting, happenedResult(rt, tool, answer));
  // The number of attempts is limited, because the tool may crash its process every time.
  if (tool && acting.call.effect === "keyed" && acting.tries < TRIES_MAX) return resend(ctx, draft, acting, args.value);
  if (answer) return settleAs(ctx, draft, acting, notHappenedResult(rt));
  return finish(ctx, doubtDraft(ctx, draft, acting, null));
}

/** Stores a new intended record with a new deadline, so that only one of two processes that find the call resends it. */
export function resend(
  ctx: TurnContext,
  draft: Draft,
  acting: ActiveCall,
  args: Record<string, unknown>,
): Promise<TurnRecords> {
  const { gate_id, actor, effect_id } = acting.intended;
  return runEffect(ctx, draft, { stored: acting.call, args, authorization: { gate_id, actor }, effect_id });
}

export const settleAs = (
  ctx: TurnContext,
  draft: Draft,
  acting: ActiveCall,
  result: CallResult,
): Promise<TurnRecords> => finish(ctx, settlementDraft(ctx.rt, draft, acting, { ...result, broken: false }));
