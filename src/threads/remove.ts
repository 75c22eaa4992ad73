// A thread goes, with everything that belongs to it.
import type { ThreadAt } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";

/** The log goes last: as long as it is there, a removal that broke off can be repeated. */
export async function removeThread(
  rt: Pick<Runtime, "store" | "companions" | "operation_log" | "remembered" | "thinking">,
  at: ThreadAt,
): Promise<Result<void>> {
  const companions = await rt.companions.removed(at);
  if (!companions.ok) return companions;
  rt.remembered?.rows.forget(at.thread);
  const logs = await rt.operation_log?.remove(at);
  if (logs && !logs.ok) return logs;
  const removed = await rt.store.remove(at);
  if (removed.ok) rt.thinking?.removed(at);
  return removed;
}
