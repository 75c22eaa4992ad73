// Removes a thread with everything that belongs to it.
import { isTransient, retryConflict } from "../ports/retry.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import { advance } from "../turn/advance.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime } from "../turn/runtime.ts";

/** The log is removed last: as long as it exists, an interrupted removal can be repeated. */
export async function removeThread(rt: Runtime, at: ThreadRef, actor: string): Promise<Result<void>> {
  const ended = await retryConflict("thread_moved", () => cancelChildren(rt, at, actor));
  if (!ended.ok) return ended;
  const companions = await rt.companions.removed(at);
  if (!companions.ok) return companions;
  rt.cache?.rows.delete(at.thread);
  const logs = await rt.operation_log?.remove(at);
  if (logs && !logs.ok) return logs;
  const removed = await rt.store.remove(at);
  if (removed.ok) rt.in_flight?.removed(at);
  return removed;
}

/** Nobody would wait for the sub-agents any more, and the gates that they opened would stay in the inbox. */
async function cancelChildren(rt: Runtime, at: ThreadRef, actor: string): Promise<Result<unknown>> {
  const thread = await loadThread(rt, at);
  if (!thread.ok || thread.value.state.machine.at !== "delegating") return ok(undefined);
  const cancelled = await advance(rt, {
    at,
    actor,
    input: { type: "cancel" },
    budget: null,
    if_match: null,
    key: null,
    last_turn: true,
    deadline: rt.clock.now() + rt.config.turn_deadline_ms,
    emit: () => undefined,
  });
  // A damaged thread can still be removed.
  return cancelled.ok || !isTransient(cancelled.problem) ? ok(undefined) : cancelled;
}
