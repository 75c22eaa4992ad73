// Cancels sub-agents that no parent waits for any more, when they are read or listed. Without a worker, no turn would do it.
import type { TenantId, ThreadId, ThreadRef } from "../../schema/ids.ts";
import { hasPassed } from "../../schema/jobs/time-limit.ts";
import type { Meta } from "../../schema/meta.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { isOrphan } from "../../turn/admit/admit-child.ts";
import { advance } from "../../turn/advance.ts";
import { buildMeta } from "../../turn/commit/commit.ts";
import { loadThread } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createWorkerRequest } from "../worker-request.ts";

/** A child whose row changed within this time is working. At a gate the row does not change, so a child at a gate is always checked. */
const QUIET_MS = 60_000;

export async function settleOrphans(
  rt: Runtime,
  tenant: TenantId,
  metas: readonly Meta[],
): Promise<ReadonlyMap<ThreadId, Meta>> {
  const now = rt.clock.now();
  const candidates = metas.filter((meta) => mayBeOrphan(meta, now));
  const settled = await Promise.all(candidates.map((meta) => settleRow(rt, { tenant, thread: meta.thread }, meta)));
  return new Map(settled.flatMap((meta) => (meta ? [[meta.thread, meta] as const] : [])));
}

const mayBeOrphan = ({ parent, state, gate, updated_at }: Meta, now: number): boolean =>
  parent !== undefined &&
  state !== "rest" &&
  state !== "failed" &&
  (gate !== null || hasPassed(Date.parse(updated_at), QUIET_MS, now));

async function settleRow(rt: Runtime, at: ThreadRef, listed: Meta): Promise<Meta | null> {
  const thread = await loadThread(rt, at);
  if (!thread.ok || !(await settleOrphan(rt, at, thread.value.state))) return null;
  const settled = await loadThread(rt, at);
  const last = settled.ok ? settled.value.entries.at(-1) : undefined;
  return settled.ok && last ? buildMeta(at.thread, { ...settled.value, entry: last.entry }, listed.metadata) : null;
}

/** True if the thread was a sub-agent that no parent waits for, and was cancelled. */
export async function settleOrphan(rt: Runtime, at: ThreadRef, state: ThreadState): Promise<boolean> {
  if (!state.child || !(await isOrphan(rt, at, state))) return false;
  const request = createWorkerRequest(rt, at, { owner: "crew" });
  const cancelled = await advance(rt, { ...request, input: { type: "cancel" } });
  return cancelled.ok;
}
