// Sub-agents at a gate whose parent does not wait for them any more are cancelled when somebody looks at the open gates.
import type { TenantId, ThreadRef } from "../../schema/ids.ts";
import type { Meta } from "../../schema/meta.ts";
import { advance } from "../../turn/advance.ts";
import { isOrphan } from "../../turn/effects/delegation.ts";
import { loadThread } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createWorkerRequest } from "../worker-request.ts";

/** The rows whose gates are still open. A parent that was removed while it created children could not cancel them. */
export async function closeOrphans(rt: Runtime, tenant: TenantId, metas: readonly Meta[]): Promise<readonly Meta[]> {
  const closed = await Promise.all(metas.map((meta) => closeOrphan(rt, { tenant, thread: meta.thread }, meta)));
  return metas.filter((_, i) => !closed[i]);
}

async function closeOrphan(rt: Runtime, at: ThreadRef, { parent, gate }: Meta): Promise<boolean> {
  if (!parent || !gate) return false;
  const thread = await loadThread(rt, at);
  if (!thread.ok || !(await isOrphan(rt, at, thread.value.state))) return false;
  const request = createWorkerRequest(rt, at, { owner: "crew", emit: () => undefined });
  const cancelled = await advance(rt, { ...request, input: { type: "cancel" } });
  return cancelled.ok && cancelled.value.outcome.thread.gate === null;
}
