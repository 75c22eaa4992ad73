// Removes a thread with all its data.
import { isTransient, retryConflict } from "../ports/retry.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { isAwaited } from "../turn/admit/admit-child.ts";
import { advance } from "../turn/advance.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime } from "../turn/runtime.ts";

/** Removes the log last, because an interrupted removal can be repeated as long as the log exists. */
export async function removeThread(rt: Runtime, at: ThreadRef, actor: string): Promise<Result<void>> {
  const ended = await retryConflict("thread_moved", () => leaveCrew(rt, at, actor));
  if (!ended.ok && ended.problem.code !== "thread_not_found") return ended;
  // If the thread does not exist, the toolkits can only have data of an unfinished import, which that import still needs.
  const companions = ended.ok ? await rt.companions.removed(at) : ok(undefined);
  if (!companions.ok) return companions;
  rt.cache?.rows.delete(at.thread);
  rt.cache?.threads?.delete(at);
  const logs = await rt.operation_log?.remove(at);
  if (logs && !logs.ok) return logs;
  const removed = await rt.store.remove(at);
  if (removed.ok) rt.in_flight?.removed(at);
  return removed;
}

/**
 * A parent is charged for a child when it reads the child's result, so the child cannot be removed before that. Nobody would wait for the children of
 * a removed parent, so they are cancelled. A damaged thread is removed without these checks.
 */
async function leaveCrew(rt: Runtime, at: ThreadRef, actor: string): Promise<Result<unknown>> {
  const thread = await loadThread(rt, at);
  if (!thread.ok) return thread.problem.code === "thread_not_found" ? thread : ok(undefined);
  const { state } = thread.value;
  const awaited = await isAwaited(rt, at, state);
  if (!awaited.ok && isTransient(awaited.problem)) return awaited;
  if (awaited.ok && awaited.value) {
    const parent = state.child?.parent;
    const message = `${parent} waits for the result of ${at.thread}; cancel ${parent}, or wait until it has read the result.`;
    return fail("turn_running", message, { retry_after_s: 5, parent });
  }
  return state.machine.at === "delegating" ? cancelChildren(rt, at, actor) : ok(undefined);
}

async function cancelChildren(rt: Runtime, at: ThreadRef, actor: string): Promise<Result<unknown>> {
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
  return cancelled.ok || !isTransient(cancelled.problem) ? ok(undefined) : cancelled;
}
