// When a background run has work again: a wake-up row in the same commit, so that no crash can lose it.
// A parked thread has none: waiting costs a row in the log and nothing else.
import type { Delivery } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { nextAction } from "../view.ts";

export const WAKE_ID = "wake";

export const wakeUpAt = (at: ThreadRef, due_at: number): Delivery => ({
  id: WAKE_ID,
  tenant: at.tenant,
  thread: at.thread,
  due_at,
  attempts: 0,
  body: JSON.stringify({ kind: "wake" }),
});

/** A worker advances it, now or as soon as one is free. Neither a gate nor a call somebody carries out is work for one. */
export const needsWorker = (state: ThreadState): boolean =>
  state.background?.status === "on" && nextAction(state) === "advance" && state.machine.at !== "acting";

/** null: nothing to do, or there is a wake-up already. */
export function wakeUpAfter(at: ThreadRef, before: ThreadState, { entry, state }: ThreadRecord): Delivery | null {
  if (state.background?.status !== "on") return null;
  // Whoever carries the call out settles it and wakes the run then; should it die, somebody finds out at that time.
  if (state.machine.at === "acting" && state.acting) return wakeUpAt(at, Date.parse(state.acting.intended.settle_by));
  // Somebody may never answer: then the gate's own time wakes the run.
  if (state.gate?.expires_at && state.gate.id !== before.gate?.id)
    return wakeUpAt(at, Date.parse(state.gate.expires_at));
  // A gate or a call that is over may have kept a message waiting, also where the run ends with it.
  const unblocked = state.gate === null && (before.gate !== null || before.machine.at === "acting");
  return unblocked || (needsWorker(state) && !needsWorker(before)) ? wakeUpAt(at, Date.parse(entry.at)) : null;
}
