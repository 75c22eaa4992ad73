// Calls that are not pure: stored as intended, run, settled. This order is what makes them survive a crash.
import { retryConflict, retryUnavailable } from "../../ports/retry.ts";
import type { EffectId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import type { ActiveCall } from "../../schema/thread.ts";
import { type AuthorizedCall, mintIntended } from "../act/receipts.ts";
import { type HandlerResult, manifestOf, runHandler } from "../act/run-handler.ts";
import { commit, finish, type TurnRecords } from "../commit/commit.ts";
import { amend, type Draft, draftFollowUp } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { loadThread } from "../load.ts";
import { askTool, happenedResult, notHappenedResult, type ReconcileAnswer } from "./ask-tool.ts";
import { answeredRequest } from "./contradiction.ts";
import { chooseRecovery, doubtingDraft, isKnown, type Recovery } from "./doubt.ts";
import { recordsSince, settle } from "./settle.ts";

/** `effect_id` is null for an effect that was not attempted before. */
export type Effect = AuthorizedCall & { readonly effect_id: EffectId | null };

/** Stores the intended and the settled record of a call that is not pure, plus one intended record for every resend. */
export async function runEffect(ctx: TurnContext, draft: Draft, effect: Effect): Promise<TurnRecords> {
  const { rt } = ctx;
  const named = { ...effect, effect_id: effect.effect_id ?? (rt.ids.make("eff") as EffectId) };
  const made: ThreadRecord[] = [];
  for (let begun = await intend(ctx, draft, named); ; ) {
    if (!begun.ok) return begun;
    made.push(begun.value.record);
    const since = { ...ctx, thread: begun.value.thread };
    const acting = since.thread.state.acting;
    if (!acting) throw new Error("an intended record must set the running call");
    const result = await runHandler(since, since.thread.state, effect, named.effect_id);
    if (isKnown(result, acting.tries)) return append(made, await settle(since, acting, result, result.broken));
    const answer = await askTool(since, acting, effect.args);
    const recovery = chooseRecovery(ctx, acting, result, answer);
    if (recovery !== "again") return append(made, await recover(since, { acting, result, answer }, recovery));
    const open = await stillOurs(ctx, acting);
    if (!open.ok) return open;
    if (!open.value) return append(made, await recordsSince(since, []));
    const on = { ...ctx, thread: open.value };
    begun = await intend(on, draftFollowUp(on), named);
  }
}

const append = (made: readonly ThreadRecord[], ended: TurnRecords): TurnRecords =>
  ended.ok ? ok([...made, ...ended.value]) : ended;

/**
 * Stored before the tool runs: after a crash the next turn finds what was intended and reconciles it, instead of running it
 * twice.
 */
function intend(ctx: TurnContext, draft: Draft, effect: AuthorizedCall & { readonly effect_id: EffectId }) {
  const { stored, authorization, effect_id } = effect;
  const manifest = manifestOf(ctx.rt, stored.name);
  if (!manifest) throw new Error(`${stored.name} was approved but is not in the toolbox`);
  const intended = mintIntended(ctx.rt, draft.state, { stored, manifest, authorization }, effect_id);
  const before = draft.state.acting;
  const tries = before?.intended.effect_id === effect_id ? before.tries + 1 : 1;
  const begun = amend(
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
  return commit(ctx, begun);
}

/** null: another process took over the effect or asks a person about it. */
async function stillOurs({ rt, request }: TurnContext, acting: ActiveCall): Promise<Result<Thread | null>> {
  const loaded = await retryUnavailable(() => loadThread(rt, request.at));
  if (!loaded.ok) return loaded;
  const { machine, acting: now } = loaded.value.state;
  return ok(machine.at === "acting" && now?.intended.id === acting.intended.id ? loaded.value : null);
}

type UnknownEffect = {
  readonly acting: ActiveCall;
  readonly result: HandlerResult;
  readonly answer: ReconcileAnswer;
};

/** Recovers an effect with an unknown result: settled by the tool's answer, left to a later turn, or left to a person. */
async function recover(
  since: TurnContext,
  { acting, result, answer }: UnknownEffect,
  recovery: Exclude<Recovery, "again">,
): Promise<TurnRecords> {
  const { rt, request } = since;
  const tool = rt.toolbox.tool(acting.call.name, request.at);
  if (recovery === "happened") return settle(since, acting, happenedResult(rt, tool, answer?.output), false);
  if (recovery === "did_not_happen")
    return settle(since, acting, result.interruption ? notHappenedResult(rt) : result, false);
  // The turn does not wait for a tool that answers after its timeout, but a late result is still recorded.
  if (result.interruption?.late_result) void settleLate(since, acting, result.interruption.late_result);
  if (recovery === "later") {
    const left_s = (Date.parse(acting.intended.settle_by) - rt.clock.now()) / 1000;
    return fail("turn_running", `${acting.call.name} did not report its outcome and will be sent again.`, {
      retry_after_s: Math.max(1, Math.ceil(left_s)),
    });
  }
  return retryConflict("thread_moved", async () => {
    const open = await stillOurs(since, acting);
    if (!open.ok) return open;
    if (!open.value) return recordsSince(since, []);
    const on = { ...since, thread: open.value };
    return finish(on, doubtingDraft(on, draftFollowUp(on), acting, result));
  });
}

async function settleLate(since: TurnContext, acting: ActiveCall, late: Promise<HandlerResult | null>): Promise<void> {
  try {
    const result = await late;
    const answered = { ...since, request: answeredRequest(since.request) };
    if (result) await settle(answered, acting, result, false);
  } catch {
    // A hook threw or the host stopped: treated as if the tool had never answered.
  }
}
