// Checks readiness: the store must list threads and accept a new row.
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadId } from "../../schema/ids.ts";
import type { Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";

/** How long a result is reused. Everyone may call the route, and each check writes to the store. */
const CACHE_MS = 5_000;
type Check = { readonly until: number; readonly result: Promise<Result<unknown>> };
const checks = new WeakMap<Runtime, Check>();

export function checkStore(rt: Runtime): Promise<Result<unknown>> {
  const now = rt.clock.now();
  const recent = checks.get(rt);
  // If the clock was set back, the second condition keeps the result from being reused for too long.
  if (recent && now < recent.until && recent.until - now <= CACHE_MS) return recent.result;
  const result = readAndWrite(rt);
  checks.set(rt, { until: now + CACHE_MS, result });
  return result;
}

/** The thread of a row that is added and removed again. No real thread has this id, and the row never becomes due. */
const PROBE = { tenant: LOCAL_TENANT, thread: "rdy_probe" as ThreadId };
/** About the size of a small record. A store with no room for it could not commit a turn either. */
const PROBE_CHARS = 4_096;

async function readAndWrite(rt: Runtime): Promise<Result<unknown>> {
  const listed = await rt.store.list(LOCAL_TENANT, { limit: 1 });
  if (!listed.ok) return listed;
  const row = {
    ...PROBE,
    id: rt.ids.make("dlv"),
    due_at: NEVER_DUE,
    attempts: 0,
    body: "x".repeat(PROBE_CHARS),
  };
  const put = await putProbe(rt, row);
  return put.ok ? rt.store.settleDelivery(row, null) : put;
}

async function putProbe(rt: Runtime, row: Delivery): Promise<Result<unknown>> {
  const put = await rt.store.putDelivery(row);
  if (put.ok || put.problem.code !== "thread_not_found") return put;
  const first = { version: 0, commit_id: rt.ids.make("cmt"), turn: 0, entry: "{}", state: "{}" };
  const made = await rt.store.create(PROBE, first, null);
  // Another process may have created the probe's thread at the same time.
  return made.ok || made.problem.code === "thread_moved" ? rt.store.putDelivery(row) : made;
}
