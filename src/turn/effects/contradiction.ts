// A tool's own result that comes after somebody settled the effect otherwise: kept beside it, never instead of it.
import type { StoredCall } from "../../schema/gate.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { IntendedReceipt, SettledReceipt } from "../../schema/receipt.ts";
import type { Thread } from "../../schema/record.ts";
import { CONTRADICTIONS_MAX, type ThreadState } from "../../schema/thread.ts";
import { manifestOf } from "../act/carry-out.ts";
import { type Finding, observe, settleIntended, withReceipt } from "../act/receipts.ts";
import { commit } from "../commit/commit.ts";
import { amend, type Draft, draftSettling } from "../commit/draft.ts";
import { insist } from "../insist.ts";
import { loadThread } from "../load.ts";
import type { Runtime, TurnCall } from "../runtime.ts";

const TRIES_MAX = 50;

export type Contradicted = {
  readonly intended: IntendedReceipt;
  readonly stored: StoredCall;
  /** The receipt that stands. */
  readonly said: SettledReceipt;
  readonly found: Finding;
};

/** A call that is over: what is still written for it goes under no key, and wakes a run that nobody drives any more. */
export const answered = (call: TurnCall): TurnCall => ({ ...call, key: null, input: null, driven: false, taken: [] });

/** A record of its own wherever the thread is by now. It moves nothing: where the thread goes is decided by its next turn. */
export async function keepContradiction(
  rt: Runtime,
  call: TurnCall,
  from: Thread,
  what: Contradicted,
): Promise<Result<void>> {
  let thread = from;
  for (let tries = 0; ; tries++) {
    const draft = contradictingDraft(rt, draftSettling(rt, call, thread), what);
    const committed = await commit(rt, answered(call), thread, draft);
    if (committed.ok) return ok(undefined);
    if (committed.problem.code !== "thread_moved" || tries >= TRIES_MAX) return committed;
    const moved = await insist(() => loadThread(rt, call.at));
    if (!moved.ok) return moved;
    thread = moved.value;
  }
}

function contradictingDraft(rt: Runtime, draft: Draft, { intended, stored, said, found }: Contradicted): Draft {
  const manifest = manifestOf(rt, stored.name);
  const text = `${inWords(stored.name, said.success, found.success)} ${found.text}`;
  const receipt: SettledReceipt = { ...settleIntended(rt, intended, { ...found, text }), contradicts: said.id };
  const { observation, blobs } = observe(rt, receipt.id, { ...found, text }, manifest);
  const { state } = draft;
  const noted = {
    tool: stored.name,
    effect_id: intended.effect_id,
    receipt_id: receipt.id,
    contradicts: said.id,
    said: said.success,
    found: found.success,
  };
  const told = withReceipt(withoutProof(state, said), receipt, manifest);
  // Another run has other steps: there it proves nothing and takes nothing back.
  const changed = intended.run === state.run ? { proofs: told.proofs, failed_writes: told.failed_writes } : {};
  return amend(draft, {
    state: {
      ...changed,
      taint: told.taint,
      contradictions: [...(state.contradictions ?? []), noted].slice(-CONTRADICTIONS_MAX),
    },
    entry: { call: stored, thought: stored.thought, receipts: [receipt], observation, operation: found.run.operation },
    blobs,
  });
}

const withoutProof = (state: ThreadState, said: SettledReceipt): ThreadState => ({
  ...state,
  proofs: state.proofs.filter((proof) => proof.receipt_id !== said.id),
});

function inWords(name: string, said: boolean | null, found: boolean | null): string {
  const before = said === null ? "was left open" : said ? "was said to have happened" : "was said not to have happened";
  return `${name} ${before}. Its own result came later: it ${found ? "happened" : "did not happen"}.`;
}
