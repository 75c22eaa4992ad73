// Runs calls that are not pure: stores the intent, runs the call, settles it. This order is what makes such calls survive a crash.
import { retryConflict, retryUnavailable } from "../../ports/retry.ts";
import type { EffectId } from "../../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import type { ActiveCall } from "../../schema/thread.ts";
import type { Delegation } from "../../schema/workflow/child.ts";
import type { ReconcileAnswer } from "../../tools/define-tool.ts";
import { type AuthorizedCall, mintIntended } from "../act/receipts.ts";
import { type AttemptedEffect, type HandlerResult, manifestOf, runHandler } from "../act/run-handler.ts";
import { commit, finish, type TurnRecords } from "../commit/commit.ts";
import { amend, type Draft, draftFollowUp } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { loadThread } from "../load.ts";
import { askTool, happenedResult, notHappenedResult } from "./ask-tool.ts";
import { answeredRequest } from "./contradiction.ts";
import { delegationDraft } from "./delegation.ts";
import { chooseRecovery, doubtDraft, isKnown, type Recovery } from "./doubt.ts";
import { recordsSince, settle } from "./settle.ts";

/** `effect_id` is null for the first attempt of an effect. */
export type Effect = AuthorizedCall & { readonly effect_id: EffectId | null };

type NamedEffect = AuthorizedCall & { readonly effect_id: EffectId };

/** Stores an intended and a settled record, plus an intended one for every resend. */
export async function runEffect(ctx: TurnContext, draft: Draft, effect: Effect): Promise<TurnRecords> {
  const named = { ...effect, effect_id: effect.effect_id ?? (ctx.rt.ids.make("eff") as EffectId) };
  const ran: HandlerResult[] = [];
  const ended = await attemptEffect(ctx, draft, named, (result) => void ran.push(result));
  const last = ran.at(-1);
  // Documents that would have been saved with the receipt are not saved, so the call changed nothing.
  const hasRun = last !== undefined && last.run.documents.length === 0;
  return hasRun && !ended.ok && ended.problem.code === "thread_not_found" ? removedDuringCall(ctx, named, last) : ended;
}

/** A removed thread has no receipt, so the problem says that the call has run. */
function removedDuringCall(
  { request }: TurnContext,
  { stored, effect_id }: NamedEffect,
  result: HandlerResult,
): Failed {
  const outcome = result.interruption ? "unknown" : result.success ? "succeeded" : "failed";
  const said = outcome === "unknown" ? "its outcome is unknown" : `it ${outcome}`;
  return fail("thread_removed", `${request.at.thread} was removed while ${stored.name} ran; ${said}.`, {
    call: { name: stored.name, effect_id, outcome },
  });
}

async function attemptEffect(
  ctx: TurnContext,
  draft: Draft,
  named: NamedEffect,
  onRun: (result: HandlerResult) => void,
): Promise<TurnRecords> {
  const records: ThreadRecord[] = [];
  for (let intent = await intend(ctx, draft, named); ; ) {
    if (!intent.ok) return intent;
    records.push(intent.value.record);
    const intentCtx = { ...ctx, thread: intent.value.thread };
    const acting = intentCtx.thread.state.acting;
    if (!acting) throw new Error("an intended record must set the running call");
    const run = async (saving: AttemptedEffect["saving"]) => {
      const ran = await runHandler(intentCtx, intentCtx.thread.state, named, { id: named.effect_id, saving });
      onRun(ran);
      return ran;
    };
    const first = await run("with_receipt");
    const settled = isSettling(first, acting) ? await settle(intentCtx, acting, first, first.broken) : null;
    // A document changed before it was saved with the receipt, so nothing was committed. The tool runs again and saves the new document itself.
    const hasMoved = settled?.ok === false && settled.problem.code === "document_moved";
    if (settled && !hasMoved) return append(records, settled);
    const result = hasMoved ? await run("by_tool") : first;
    if (result.delegation) return append(records, await storeDelegation(intentCtx, acting, result.delegation));
    if (isSettling(result, acting)) return append(records, await settle(intentCtx, acting, result, result.broken));
    const answer = await askTool(intentCtx, acting, named.args);
    const recovery = chooseRecovery(ctx, acting, result, answer);
    if (recovery !== "again") return append(records, await recover(intentCtx, { acting, result, answer }, recovery));
    const open = await loadIfOwned(ctx, acting);
    if (!open.ok) return open;
    if (!open.value) return append(records, await recordsSince(intentCtx, []));
    const latest = { ...ctx, thread: open.value };
    intent = await intend(latest, draftFollowUp(latest), named);
  }
}

const isSettling = (result: HandlerResult, { tries }: ActiveCall): boolean =>
  !result.delegation && (result.question !== undefined || isKnown(result, tries));

/** Stores the children of the call. If another process took over the call in the meantime, it finds the same children. */
async function storeDelegation(ctx: TurnContext, acting: ActiveCall, delegation: Delegation): Promise<TurnRecords> {
  return retryConflict("thread_moved", async () => {
    const open = await loadIfOwned(ctx, acting);
    if (!open.ok) return open;
    if (!open.value?.state.acting) return recordsSince(ctx, []);
    const latest = { ...ctx, thread: open.value };
    return finish(latest, delegationDraft(draftFollowUp(latest), open.value.state.acting, delegation));
  });
}

const append = (records: readonly ThreadRecord[], ended: TurnRecords): TurnRecords =>
  ended.ok ? ok([...records, ...ended.value]) : ended;

/** After a crash the next turn finds what was intended, and reconciles it instead of running it twice. */
function intend(ctx: TurnContext, draft: Draft, effect: NamedEffect) {
  const { stored, authorization, effect_id } = effect;
  const manifest = manifestOf(ctx.rt, stored.name);
  if (!manifest) throw new Error(`${stored.name} was approved but is not in the toolbox`);
  const intended = mintIntended(ctx.rt, draft.state, { stored, manifest, authorization }, effect_id);
  const before = draft.state.acting;
  const tries = before?.intended.effect_id === effect_id ? before.tries + 1 : 1;
  const intending = amend(
    { ...draft, is_intent: true },
    {
      state: {
        gate: null,
        acting: { call: stored, intended, cancel_requested: before?.cancel_requested ?? false, tries },
      },
      entry: { call: stored, receipts: [...draft.entry.receipts, intended] },
      signals: [{ type: "call.intended" }],
    },
  );
  return commit(ctx, intending);
}

/** Returns null if another process took over the effect or is asking a person about it. */
async function loadIfOwned({ rt, request }: TurnContext, acting: ActiveCall): Promise<Result<Thread | null>> {
  const loaded = await retryUnavailable(() => loadThread(rt, request.at));
  if (!loaded.ok) return loaded;
  const { machine, acting: now } = loaded.value.state;
  return ok(machine.at === "acting" && now?.intended.id === acting.intended.id ? loaded.value : null);
}

type UnknownEffect = {
  readonly acting: ActiveCall;
  readonly result: HandlerResult;
  readonly answer: ReconcileAnswer<unknown> | null;
};

async function recover(
  intentCtx: TurnContext,
  { acting, result, answer }: UnknownEffect,
  recovery: Exclude<Recovery, "again">,
): Promise<TurnRecords> {
  const { rt, request } = intentCtx;
  const tool = rt.toolbox.tool(acting.call.name, request.at);
  if (recovery === "happened" && answer) return settle(intentCtx, acting, happenedResult(rt, tool, answer), false);
  if (recovery === "did_not_happen")
    return settle(intentCtx, acting, result.interruption ? notHappenedResult(rt) : result, false);
  // The turn does not wait for a tool that answers after its timeout, but a late result is still recorded.
  if (result.interruption?.late_result) void settleLate(intentCtx, acting, result.interruption.late_result);
  if (recovery === "later") {
    const left_s = (Date.parse(acting.intended.settle_by) - rt.clock.now()) / 1000;
    return fail("turn_running", `${acting.call.name} did not report its outcome and will be sent again.`, {
      retry_after_s: Math.max(1, Math.ceil(left_s)),
    });
  }
  return retryConflict("thread_moved", async () => {
    const open = await loadIfOwned(intentCtx, acting);
    if (!open.ok) return open;
    if (!open.value) return recordsSince(intentCtx, []);
    const latest = { ...intentCtx, thread: open.value };
    return finish(latest, doubtDraft(latest, draftFollowUp(latest), acting, result));
  });
}

async function settleLate(
  intentCtx: TurnContext,
  acting: ActiveCall,
  late: Promise<HandlerResult | null>,
): Promise<void> {
  try {
    const result = await late;
    const answered = { ...intentCtx, request: answeredRequest(intentCtx.request) };
    if (result?.delegation) await storeDelegation(answered, acting, result.delegation);
    else if (result) await settle(answered, acting, result, false);
  } catch {
    // A hook threw or the host stopped. Treat this as if the tool had never answered.
  }
}
