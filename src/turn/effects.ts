// Calls that are not pure: written down, carried out, settled. The order of the three is what survives a crash.

import type { StoredCall } from "../schema/gate.ts";
import type { EffectId } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { IntendedReceipt } from "../schema/receipt.ts";
import type { Thread, ThreadRecord } from "../schema/record.ts";
import { spendTime } from "./budget.ts";
import { carryOut, type Found, manifestOf } from "./carry-out.ts";
import { commit } from "./commit.ts";
import { cancelledText } from "./delivery.ts";
import { amend, type Draft, draftSettling } from "./draft.ts";
import { withHandlerHealth } from "./health.ts";
import { insist } from "./insist.ts";
import { loadThread, readRecords } from "./load.ts";
import { type Finding, type Leave, mintIntended, observe, settleIntended, withReceipt } from "./receipts.ts";
import { replay } from "./replay.ts";
import type { Runtime, TurnCall } from "./runtime.ts";

/** Of one call to `settle`: more conflicts than this mean something other than a race. */
const SETTLE_TRIES = 50;

export type Effect = {
  readonly stored: StoredCall;
  readonly args: Record<string, unknown>;
  readonly leave: Leave;
  readonly effect_id: EffectId | null;
};

/** Intended, run, settled: the two records of a call that is not pure. */
export async function carryOutEffect(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  effect: Effect,
): Promise<Result<readonly ThreadRecord[]>> {
  const manifest = manifestOf(rt, effect.stored.name);
  if (!manifest) throw new Error(`${effect.stored.name} was approved but is not in the toolbox`);
  const effect_id = effect.effect_id ?? (rt.ids.make("eff") as EffectId);
  const intended = mintIntended(rt, draft.state, effect.stored, manifest, effect.leave, effect_id);
  const asked = draft.state.acting?.cancel_requested ?? false;
  const begun = amend(
    { ...draft, intends: true },
    {
      state: { gate: null, acting: { call: effect.stored, intended, cancel_requested: asked } },
      entry: { call: effect.stored, receipts: [...draft.entry.receipts, intended] },
      signals: [{ type: "call.intended" }],
    },
  );
  // Stored before the tool runs: if we die in between, the next turn finds what was intended and asks, instead of
  // doing it twice.
  const first = await commit(rt, call, thread, begun);
  if (!first.ok) return first;
  const found = await carryOut(rt, call, first.value.thread.state, effect.stored, effect.args, effect_id);
  const settled = await settle(rt, call, first.value.thread, intended, effect.stored, found);
  if (!settled.ok) return settled;
  return ok([first.value.record, ...settled.value]);
}

/**
 * The settled receipt goes on top of whatever came in between: a request to cancel, or a doubt that this very receipt
 * clears. It is dropped only when somebody else has settled the same effect.
 */
export async function settle(
  rt: Runtime,
  call: TurnCall,
  from: Thread,
  intended: IntendedReceipt,
  stored: StoredCall,
  found: Found,
): Promise<Result<readonly ThreadRecord[]>> {
  let thread = from;
  await rt.faults.at("settle.before");
  for (let tries = 0; ; tries++) {
    const draft = settlingDraft(rt, draftSettling(rt, call, thread), intended, stored, found, found.broken);
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
      return settledByOther(rt, call, from, thread, intended);
  }
}

const isAnswered = (call: TurnCall, thread: Thread): boolean =>
  thread.entries.some(({ entry }) => entry.key !== null && entry.key.hash === call.key?.hash && entry.key.last);

/** The same call, sent twice, has one answer: a twin that took it over meanwhile wrote under the same key. */
async function toldSince(
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
): Promise<Result<readonly ThreadRecord[]>> {
  const records = await readRecords(rt, call.at, from.version + 1, now.version);
  if (!records.ok) return records;
  const end = records.value.find(({ entry }) =>
    entry.receipts.some((receipt) => receipt.kind === "settled" && receipt.effect_id === intended.effect_id),
  );
  return toldSince(rt, call, from, end ? [end] : []);
}
