// Removes a thread with everything that belongs to it.
import type { ThreadRef } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";

/** The log is removed last: as long as it exists, an interrupted removal can be repeated. */
export async function removeThread(
  rt: Pick<Runtime, "store" | "companions" | "operation_log" | "cache" | "in_flight">,
  at: ThreadRef,
): Promise<Result<void>> {
  const companions = await rt.companions.removed(at);
  if (!companions.ok) return companions;
  rt.cache?.rows.delete(at.thread);
  const logs = await rt.operation_log?.remove(at);
  if (logs && !logs.ok) return logs;
  const removed = await rt.store.remove(at);
  if (removed.ok) rt.in_flight?.removed(at);
  return removed;
}
