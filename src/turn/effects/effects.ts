// Calls that are not pure: written down, carried out, settled. The order of the three is what survives a crash.

import type { StoredCall } from "../../schema/gate.ts";
import type { EffectId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import type { Acting } from "../../schema/thread.ts";
import { carryOut, type Found, manifestOf } from "../act/carry-out.ts";
import { type Leave, mintIntended } from "../act/receipts.ts";
import { commit } from "../commit/commit.ts";
import { amend, type Draft, draftSettling } from "../commit/draft.ts";
import { insist } from "../insist.ts";
import { loadThread } from "../load.ts";
import type { Runtime, TurnCall } from "../runtime.ts";
import { askTool, didNotHappen, happenedFinding, type Told } from "./ask-tool.ts";
import { answered } from "./contradiction.ts";
import { doubtingDraft, isKnown, type Way, wayOut } from "./doubt.ts";
import { SETTLE_TRIES, settle, toldSince } from "./settle.ts";

export type Effect = {
  readonly stored: StoredCall;
  readonly args: Record<string, unknown>;
  readonly leave: Leave;
  readonly effect_id: EffectId | null;
};

type Made = Result<readonly ThreadRecord[]>;

/** Intended, run, settled: the two records of a call that is not pure. A further intention for every time it is resent. */
export async function carryOutEffect(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  effect: Effect,
): Promise<Made> {
  const effect_id = effect.effect_id ?? (rt.ids.make("eff") as EffectId);
  const given = { ...effect, effect_id };
  const made: ThreadRecord[] = [];
  for (let begun = await intend(rt, call, thread, draft, given); ; ) {
    if (!begun.ok) return begun;
    made.push(begun.value.record);
    const since = begun.value.thread;
    const acting = since.state.acting;
    if (!acting) throw new Error("an intention leaves a call that is being carried out");
    const found = await carryOut(rt, call, since.state, effect.stored, effect.args, effect_id);
    if (isKnown(found, acting.tries)) return after(made, await settle(rt, call, since, acting, found, found.broken));
    const told = await askTool(rt, call, since, acting, effect.args);
    const way = wayOut(rt, call, acting, found, told);
    if (way !== "again") return after(made, await leave(rt, call, since, acting, found, told, way));
    const open = await stillOurs(rt, call, acting);
    if (!open.ok) return open;
    if (!open.value) return after(made, await toldSince(rt, call, since, []));
    begun = await intend(rt, call, open.value, draftSettling(rt, call, open.value), given);
  }
}

const after = (made: readonly ThreadRecord[], ended: Made): Made => (ended.ok ? ok([...made, ...ended.value]) : ended);

/**
 * Stored before the tool runs: if we die in between, the next turn finds what was intended and asks, instead of doing it
 * twice.
 */
function intend(rt: Runtime, call: TurnCall, thread: Thread, draft: Draft, effect: Effect & { effect_id: EffectId }) {
  const manifest = manifestOf(rt, effect.stored.name);
  if (!manifest) throw new Error(`${effect.stored.name} was approved but is not in the toolbox`);
  const { effect_id, stored } = effect;
  const intended = mintIntended(rt, draft.state, stored, manifest, effect.leave, effect_id);
  const before = draft.state.acting;
  const tries = before?.intended.effect_id === effect_id ? before.tries + 1 : 1;
  const begun = amend(
    { ...draft, intends: true },
    {
      state: {
        gate: null,
        acting: { call: stored, intended, cancel_requested: before?.cancel_requested ?? false, tries },
      },
      entry: { call: stored, receipts: [...draft.entry.receipts, intended] },
      signals: [{ type: "call.intended" }],
    },
  );
  return commit(rt, call, thread, begun);
}

/** null: somebody else took the effect over, or asks about it. */
async function stillOurs(rt: Runtime, call: TurnCall, acting: Acting): Promise<Result<Thread | null>> {
  const loaded = await insist(() => loadThread(rt, call.at));
  if (!loaded.ok) return loaded;
  const { machine, acting: now } = loaded.value.state;
  return ok(machine.at === "acting" && now?.intended.id === acting.intended.id ? loaded.value : null);
}

/** What was not known: settled by the tool's word, left to a later turn, or asked of a person. */
async function leave(
  rt: Runtime,
  call: TurnCall,
  since: Thread,
  acting: Acting,
  found: Found,
  told: Told,
  way: Exclude<Way, "again">,
): Promise<Made> {
  const tool = rt.toolbox.tool(acting.call.name, call.at);
  if (way === "happened") return settle(rt, call, since, acting, happenedFinding(rt, tool, told?.output), false);
  if (way === "did_not_happen") return settle(rt, call, since, acting, found.cut ? didNotHappen(rt) : found, false);
  // Nobody has to wait for a tool that comes back after its time; if it does, it is heard.
  if (found.cut?.late) void hearLate(rt, call, since, acting, found.cut.late);
  if (way === "later") {
    const left_s = (Date.parse(acting.intended.settle_by) - rt.clock.now()) / 1000;
    return fail("turn_running", `${acting.call.name} did not say what became of it and will be sent again.`, {
      retry_after_s: Math.max(1, Math.ceil(left_s)),
    });
  }
  for (let tries = 0; ; tries++) {
    const open = await stillOurs(rt, call, acting);
    if (!open.ok) return open;
    if (!open.value) return toldSince(rt, call, since, []);
    const asked = doubtingDraft(rt, open.value, draftSettling(rt, call, open.value), acting, found);
    const committed = await commit(rt, call, open.value, asked);
    if (committed.ok) return ok([committed.value.record]);
    if (committed.problem.code !== "thread_moved" || tries >= SETTLE_TRIES) return committed;
  }
}

async function hearLate(
  rt: Runtime,
  call: TurnCall,
  since: Thread,
  acting: Acting,
  late: Promise<Found | null>,
): Promise<void> {
  try {
    const found = await late;
    if (found) await settle(rt, answered(call), since, acting, found, false);
  } catch {
    // A hook that throws, or a host that has gone: then it is as if the tool had never come back.
  }
}
