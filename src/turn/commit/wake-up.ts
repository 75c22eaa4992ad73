// Adds a wake-up row to the commit when a background run has work again, so that a crash cannot lose it.
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

/** True if a worker should advance the thread. An open gate or a running call is not work for a worker. */
export const needsWorker = (state: ThreadState): boolean =>
  state.background?.status === "on" && nextAction(state) === "advance" && state.machine.at !== "acting";

/** Null if there is nothing to do, or a wake-up exists already. */
export function wakeUpAfter(at: ThreadRef, before: ThreadState, { entry, state }: ThreadRecord): Delivery | null {
  if (state.background?.status !== "on") return null;
  // The process that runs the call settles it and then wakes the run. If it crashes, this wake-up recovers the call.
  if (state.machine.at === "acting" && state.acting) return wakeUpAt(at, Date.parse(state.acting.intended.settle_by));
  // If nobody answers, the gate's expiry wakes the run.
  if (state.gate?.expires_at && state.gate.id !== before.gate?.id)
    return wakeUpAt(at, Date.parse(state.gate.expires_at));
  // The gate or call that just ended may have been holding up a queued message, which must be delivered even if the run has ended too.
  const unblocked = state.gate === null && (before.gate !== null || before.machine.at === "acting");
  return unblocked || (needsWorker(state) && !needsWorker(before)) ? wakeUpAt(at, Date.parse(entry.at)) : null;
}
