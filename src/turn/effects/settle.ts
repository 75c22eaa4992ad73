// The end of a call that is not pure: settled on top of whatever came in between, or told from what others settled.
import type { StoredCall } from "../../schema/gate.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { IntendedReceipt, SettledReceipt } from "../../schema/receipt.ts";
import type { Entry, Thread, ThreadRecord } from "../../schema/record.ts";
import type { Acting } from "../../schema/thread.ts";
import { manifestOf } from "../act/carry-out.ts";
import { type Finding, observe, settleIntended, withReceipt } from "../act/receipts.ts";
import { replay } from "../admit/replay.ts";
import { commit } from "../commit/commit.ts";
import { cancelledText } from "../commit/delivery.ts";
import { amend, type Draft, draftSettling } from "../commit/draft.ts";
import { withHandlerHealth } from "../commit/health.ts";
import { insist } from "../insist.ts";
import { spendTime } from "../judge/budget.ts";
import { loadThread, readRecords } from "../load.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { keepContradiction } from "./contradiction.ts";

/** Of one call to `settle`: more conflicts than this mean something other than a race. */
export const SETTLE_TRIES = 50;

type Made = Result<readonly ThreadRecord[]>;

/**
 * The settled receipt goes on top of whatever came in between: a request to cancel, or a doubt that this very receipt
 * clears. Where somebody else has settled the same effect, it is kept only if it says otherwise.
 */
export async function settle(
  rt: Runtime,
  call: TurnCall,
  from: Thread,
  { intended, call: stored }: Acting,
  found: Finding,
  broken: boolean,
): Promise<Made> {
  let thread = from;
  await rt.faults.at("settle.before");
  for (let tries = 0; ; tries++) {
    const draft = settlingDraft(rt, draftSettling(rt, call, thread), intended, stored, found, broken);
    // Answered by its twin already, with a doubt that this receipt clears: what is settled now is no part of the answer.
    const committed = await commit(rt, isAnswered(call, thread) ? { ...call, key: null } : call, thread, draft);
    if (committed.ok) {
      await rt.faults.at("settle.after");
      return tries === 0 ? ok([committed.value.record]) : toldSince(rt, call, from, [committed.value.record]);
    }
    if (committed.problem.code !== "thread_moved" || tries >= SETTLE_TRIES) return committed;
    const moved = await insist(() => loadThread(rt, call.at));
    if (!moved.ok) return moved;
    thread = moved.value;
    if (thread.state.acting?.intended.effect_id !== intended.effect_id)
      return settledByOther(rt, call, from, thread, intended, stored, found);
  }
}

const isAnswered = (call: TurnCall, thread: Thread): boolean =>
  thread.entries.some(({ entry }) => entry.key !== null && entry.key.hash === call.key?.hash && entry.key.last);

/** The same call, sent twice, has one answer: a twin that took it over meanwhile wrote under the same key. */
export async function toldSince(
  rt: Runtime,
  call: TurnCall,
  from: Thread,
  made: readonly ThreadRecord[],
): Promise<Result<readonly ThreadRecord[]>> {
  const now = await insist(() => loadThread(rt, call.at));
  if (!now.ok) return now;
  const told = await insist(() => replay(rt, call, now.value));
  if (!told.ok) return told;
  return ok(told.value.kind === "answered" ? told.value.records.filter(({ version }) => version > from.version) : made);
}

/** The record that settles, delivering a cancellation somebody asked for meanwhile. */
export function settlingDraft(
  rt: Runtime,
  draft: Draft,
  intended: IntendedReceipt,
  stored: StoredCall,
  found: Finding,
  broken: boolean,
): Draft {
  const manifest = manifestOf(rt, stored.name);
  const receipt = settleIntended(rt, intended, found);
  const { observation, blobs } = observe(rt, receipt.id, found, manifest);
  const { operation, state: changed, blobs: more } = found.run;
  const gate = draft.state.gate;
  const cancelled = draft.state.acting?.cancel_requested ?? false;
  const budget = spendTime(draft.state.budget, operation);
  const state = { ...withReceipt({ ...draft.state, gate: null, acting: null, budget }, receipt, manifest), ...changed };
  const settled = amend(draft, {
    state,
    entry: {
      call: stored,
      thought: stored.thought,
      receipts: [...draft.entry.receipts, receipt],
      observation,
      operation,
      closed_gate: gate ? { id: gate.id, kind: gate.kind, how: "settled", text: null } : null,
    },
    signals: [{ type: "call.settled" }],
    blobs: [...blobs, ...more],
  });
  if (!cancelled) return withHandlerHealth(settled, broken);
  return amend(settled, {
    state: { evidence: "none" },
    entry: { speak: cancelledText(state) },
    signals: [{ type: "run.cancelled" }],
  });
}

async function settledByOther(
  rt: Runtime,
  call: TurnCall,
  from: Thread,
  now: Thread,
  intended: IntendedReceipt,
  stored: StoredCall,
  found: Finding,
): Promise<Made> {
  const records = await readRecords(rt, call.at, from.version + 1, now.version);
  if (!records.ok) return records;
  const ends = records.value.filter(({ entry }) => endOf(entry, intended) !== undefined);
  const [end] = ends;
  const newest = ends.at(-1);
  const said = newest ? endOf(newest.entry, intended) : undefined;
  // What a person said, or another try, is not taken back: that it was otherwise is written down beside it.
  if (said && said.success !== found.success) await keepContradiction(rt, call, now, { intended, stored, said, found });
  return toldSince(rt, call, from, end ? [end] : []);
}

const endOf = ({ receipts }: Entry, { effect_id }: IntendedReceipt): SettledReceipt | undefined =>
  receipts.find((receipt) => receipt.kind === "settled" && receipt.effect_id === effect_id) as
    | SettledReceipt
    | undefined;
