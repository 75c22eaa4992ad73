// Settles a call that is not pure, on top of whatever was stored in between, or reads what other requests settled.
import { retryConflict, retryUnavailable } from "../../ports/retry.ts";
import { fail, ok } from "../../schema/problem.ts";
import type { IntendedReceipt, Receipt, SettledReceipt } from "../../schema/receipt.ts";
import type { Entry, Thread, ThreadRecord } from "../../schema/record.ts";
import type { ActiveCall } from "../../schema/thread.ts";
import { withFinishedStep } from "../act/finish-step.ts";
import { buildObservation, type CallResult, settleIntended } from "../act/receipts.ts";
import { manifestOf } from "../act/run-handler.ts";
import { withReceipt } from "../act/with-receipt.ts";
import { replay } from "../admit/replay.ts";
import { commit, headCommit, type TurnRecords } from "../commit/commit.ts";
import { cancelledText } from "../commit/delivery-text.ts";
import { amend, closedGateEntry, type Draft, draftFollowUp } from "../commit/draft.ts";
import { withHandlerHealth } from "../commit/failure-limits.ts";
import type { TurnContext } from "../context.ts";
import { continuedCall, withCallQuestion } from "../gates/call-question.ts";
import { spendTime } from "../judge/budget.ts";
import { unprovenEnd } from "../judge/run-evidence.ts";
import { loadThread, readRecords } from "../load.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";
import { storeContradiction } from "./contradiction.ts";

/** If another process has settled the same effect, the receipt is stored only if it contradicts the stored one. */
export async function settle(
  ctx: TurnContext,
  acting: ActiveCall,
  result: CallResult,
  broken: boolean,
): Promise<TurnRecords> {
  const { rt, request } = ctx;
  await rt.faults.at("settle.before");
  return retryConflict("thread_moved", async (count) => {
    const newest = count === 1 ? ok(ctx.thread) : await retryUnavailable(() => loadThread(rt, request.at));
    if (!newest.ok) return newest;
    const answerable = withoutAnsweredKey(request, newest.value);
    const latest = { ...ctx, thread: newest.value, request: count === 1 ? answerable : withWakeUp(answerable) };
    const open = latest.thread.state.acting?.intended;
    if (count > 1 && open?.effect_id !== acting.intended.effect_id)
      return settledByOther(ctx, latest.thread, acting, result);
    // Another process resent the call. This attempt failed, but the newer one decides the effect.
    if (count > 1 && open?.id !== acting.intended.id && !result.success) return recordsSince(ctx, []);
    const settled = settlementDraft(rt, draftFollowUp(latest), acting, { ...result, broken });
    const committed = await commit(
      latest,
      withCallQuestion(latest, settled, continuedCall(acting.call, acting.intended), result.question),
    );
    if (!committed.ok) return committed;
    await rt.faults.at("settle.after");
    return count === 1 ? ok([committed.value.record]) : recordsSince(ctx, [committed.value.record]);
  });
}

/** Drops the key if a record with this key has already answered a duplicate of the request, such as one that opened a doubt gate. */
const withoutAnsweredKey = (request: TurnRequest, { entries }: Thread): TurnRequest =>
  entries.some(({ entry }) => entry.key !== null && entry.key.hash === request.key?.hash && entry.key.last)
    ? { ...request, key: null }
    : request;

/** A worker's turn needs a wake-up too: the worker may stop or lose its lease, and a doubt may have parked the run. */
const withWakeUp = (request: TurnRequest): TurnRequest => ({
  ...request,
  options: { ...request.options, by_worker: false },
});

/** A duplicate of the request that took over the call wrote its records under the same key, so they belong to the response. */
export async function recordsSince(ctx: TurnContext, records: readonly ThreadRecord[]): Promise<TurnRecords> {
  const { rt, request, thread } = ctx;
  const now = await retryUnavailable(() => loadThread(rt, request.at));
  if (!now.ok) return now;
  if (isOtherThread(thread, now.value))
    return fail(
      "thread_not_found",
      `Thread ${request.at.thread} was removed, and another one was created with its id.`,
    );
  const replayed = await retryUnavailable(() => replay(rt, request, now.value));
  if (!replayed.ok) return replayed;
  if (replayed.value.kind !== "answered") return ok(records);
  return ok(replayed.value.records.filter(({ version }) => version > thread.version));
}

/** A thread that was created with the id of a removed one lacks the records that this turn has read or stored. */
const isOtherThread = (thread: Thread, now: Thread): boolean =>
  now.version < thread.version ||
  now.entries.some(({ version, entry }) => version === thread.version && entry.commit_id !== headCommit(thread));

/** Also delivers a cancellation that was requested in the meantime. */
export function settlementDraft(
  rt: Runtime,
  draft: Draft,
  { intended, call: stored }: Pick<ActiveCall, "intended" | "call">,
  result: CallResult & { readonly broken: boolean },
): Draft {
  const manifest = manifestOf(rt, stored.name);
  const receipt = settleIntended(rt, intended, result);
  const { observation, blobs } = buildObservation(rt, receipt.id, { ...result, about: draft.state }, manifest);
  const { operation, state: changed, blobs: more, documents } = result.run;
  const gate = draft.state.gate;
  const cancelled = draft.state.acting?.cancel_requested ?? false;
  const budget = spendTime(draft.state.budget, operation);
  const before = { ...draft.state, gate: null, acting: null, budget };
  const state = { ...withReceipt(before, receipt, manifest, { stored, text: result.text }), ...changed };
  const settled = amend(draft, {
    state,
    entry: {
      call: stored,
      thought: stored.thought,
      receipts: [...draft.entry.receipts, receipt],
      observation,
      operation,
      ...closedGateEntry(gate, "settled"),
    },
    signals: [{ type: "call.settled" }],
    blobs: [...blobs, ...more],
    documents,
  });
  if (!cancelled) return withFinishedStep(withHandlerHealth(settled, result.broken), stored, receipt);
  return amend(settled, {
    state: unprovenEnd(state),
    entry: { speak: cancelledText(state) },
    signals: [{ type: "run.cancelled" }],
  });
}

async function settledByOther(
  ctx: TurnContext,
  newest: Thread,
  { intended, call: stored }: ActiveCall,
  result: CallResult,
): Promise<TurnRecords> {
  // Documents that would have been saved with the receipt are not saved, so this attempt changed nothing.
  const changedNothing = result.run.documents.length > 0;
  const records = await readRecords(ctx.rt, ctx.request.at, ctx.thread.version + 1, newest.version);
  if (!records.ok) return records;
  const ends = records.value.filter(({ entry }) => endOf(entry, intended) !== undefined);
  const [end] = ends;
  const last = ends.at(-1);
  const standing = last ? endOf(last.entry, intended) : undefined;
  // A result settled by a person or by another attempt is not undone: a different result is stored next to it. If the call was resent, the failure
  // of one attempt contradicts nothing, because it says nothing about the other attempts.
  const resent = records.value.some(({ entry }) => entry.receipts.some((receipt) => isIntentOf(receipt, intended)));
  if (!changedNothing && standing && standing.success !== result.success && (result.success || !resent))
    await storeContradiction({ ...ctx, thread: newest }, { intended, stored, standing, result });
  return recordsSince(ctx, end ? [end] : []);
}

const isIntentOf = (receipt: Receipt, { effect_id }: IntendedReceipt): boolean =>
  receipt.kind === "intended" && receipt.effect_id === effect_id;

const endOf = ({ receipts }: Entry, { effect_id }: IntendedReceipt): SettledReceipt | undefined =>
  receipts.find((receipt) => receipt.kind === "settled" && receipt.effect_id === effect_id) as
    | SettledReceipt
    | undefined;
