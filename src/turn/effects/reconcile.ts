// A call was begun and its owner has not come back in time. Ask the tool, resend with the same key, or ask a person.
import { ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import type { Acting } from "../../schema/thread.ts";
import type { Finding } from "../act/receipts.ts";
import { loadArguments } from "../act/stored-call.ts";
import { commit } from "../commit/commit.ts";
import { type Draft, draftTurn } from "../commit/draft.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { askTool, didNotHappen, happenedFinding } from "./ask-tool.ts";
import { doubtingDraft, TRIES_MAX } from "./doubt.ts";
import { carryOutEffect } from "./effects.ts";
import { settlingDraft } from "./settle.ts";

export async function reconcile(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  acting: Acting,
): Promise<Result<readonly ThreadRecord[]>> {
  const draft = draftTurn(rt, call, thread);
  const tool = rt.toolbox.tool(acting.call.name, call.at);
  const args = await loadArguments(rt, call.at, acting.call);
  if (!args.ok) return args;
  const told = await askTool(rt, call, thread, acting, args.value);
  if (told?.happened) return settleAs(rt, call, thread, draft, acting, happenedFinding(rt, tool, told.output));
  // One that takes its process along every time is not sent for ever.
  if (tool && acting.call.effect === "keyed" && acting.tries < TRIES_MAX) {
    return resend(rt, call, thread, draft, acting, args.value);
  }
  if (told) return settleAs(rt, call, thread, draft, acting, didNotHappen(rt));
  const committed = await commit(rt, call, thread, doubtingDraft(rt, thread, draft, acting, null));
  return committed.ok ? ok([committed.value.record]) : committed;
}

/** Written down again with a new time to settle, so that of two who find it only one resends. */
export function resend(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  acting: Acting,
  args: Record<string, unknown>,
): Promise<Result<readonly ThreadRecord[]>> {
  const { gate_id, actor, effect_id } = acting.intended;
  return carryOutEffect(rt, call, thread, draft, { stored: acting.call, args, leave: { gate_id, actor }, effect_id });
}

export async function settleAs(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  acting: Acting,
  found: Finding,
): Promise<Result<readonly ThreadRecord[]>> {
  const committed = await commit(
    rt,
    call,
    thread,
    settlingDraft(rt, draft, acting.intended, acting.call, found, false),
  );
  return committed.ok ? ok([committed.value.record]) : committed;
}
