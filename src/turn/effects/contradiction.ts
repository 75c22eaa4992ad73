// Records a tool's own result that arrives after its effect was settled differently, in a receipt next to the earlier one.
import { retryConflict, retryUnavailable } from "../../ports/retry.ts";
import type { StoredCall } from "../../schema/gate.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { IntendedReceipt, SettledReceipt } from "../../schema/receipt.ts";
import { CONTRADICTIONS_MAX, type ThreadState } from "../../schema/thread.ts";
import { buildObservation, type CallResult, settleIntended } from "../act/receipts.ts";
import { manifestOf } from "../act/run-handler.ts";
import { withReceipt } from "../act/with-receipt.ts";
import { commit } from "../commit/commit.ts";
import { amend, type Draft, draftFollowUp } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { loadThread } from "../load.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";

export type Contradiction = {
  readonly intended: IntendedReceipt;
  readonly stored: StoredCall;
  /** The receipt that remains valid. */
  readonly standing: SettledReceipt;
  readonly result: CallResult;
};

/** Adapts a request that was already answered: later records have no key, and they wake a run that no worker advances. */
export const answeredRequest = (request: TurnRequest): TurnRequest => ({
  ...request,
  key: null,
  input: null,
  options: { ...request.options, by_worker: false, processed: [] },
});

/** The machine does not move: the next turn decides how to continue. */
export function storeContradiction(ctx: TurnContext, contradiction: Contradiction): Promise<Result<unknown>> {
  const { rt, request } = ctx;
  return retryConflict("thread_moved", async (count) => {
    const newest = count === 1 ? ok(ctx.thread) : await retryUnavailable(() => loadThread(rt, request.at));
    if (!newest.ok) return newest;
    const latest = { ...ctx, thread: newest.value };
    const draft = contradictionDraft(rt, draftFollowUp(latest), contradiction);
    return commit({ ...latest, request: answeredRequest(request) }, draft);
  });
}

function contradictionDraft(rt: Runtime, draft: Draft, contradiction: Contradiction): Draft {
  const { intended, stored, standing, result } = contradiction;
  const manifest = manifestOf(rt, stored.name);
  const text = `${describe(stored.name, standing.success, result.success)} ${result.text}`;
  const receipt: SettledReceipt = { ...settleIntended(rt, intended, { ...result, text }), contradicts: standing.id };
  const { observation, blobs } = buildObservation(rt, receipt.id, { ...result, text }, manifest);
  const { state } = draft;
  const noted = {
    tool: stored.name,
    effect_id: intended.effect_id,
    receipt_id: receipt.id,
    contradicts: standing.id,
    said: standing.success,
    found: result.success,
  };
  const after = withReceipt(withoutProof(state, standing), receipt, manifest, { stored, text: result.text });
  // In a later run the steps are different, so there the result changes no proofs.
  const changed = intended.run === state.run ? { proofs: after.proofs, failed_writes: after.failed_writes } : {};
  return amend(draft, {
    state: {
      ...changed,
      taint: after.taint,
      contradictions: [...(state.contradictions ?? []), noted].slice(-CONTRADICTIONS_MAX),
    },
    entry: { call: stored, thought: stored.thought, receipts: [receipt], observation, operation: result.run.operation },
    blobs,
  });
}

const withoutProof = (state: ThreadState, standing: SettledReceipt): ThreadState => ({
  ...state,
  proofs: state.proofs.filter((proof) => proof.receipt_id !== standing.id),
});

function describe(name: string, said: boolean | null, found: boolean | null): string {
  const before = said === null ? "was left open" : said ? "was said to have happened" : "was said not to have happened";
  return `${name} ${before}. Its own result came later: it ${found ? "happened" : "did not happen"}.`;
}
