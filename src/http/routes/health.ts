// Is it alive; can it work.
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadId } from "../../schema/ids.ts";
import type { Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";

export const healthz = (c: Ctx): Response => c.json({ ok: true, release: c.get("options").release });

/** Anybody may ask, and each look is a write: everybody within this time gets the same answer. */
const KEPT_MS = 5_000;
type Look = { readonly until: number; readonly result: Promise<Result<unknown>> };
const looks = new WeakMap<Runtime, Look>();

/** Ready means that the store gives what is stored and takes what is new. */
export async function readyz(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const ready = await lookAtStore(rt);
  return ready.ok ? c.json({ ok: true }) : respondProblem(c, ready.problem);
}

function lookAtStore(rt: Runtime): Promise<Result<unknown>> {
  const now = rt.clock.now();
  const held = looks.get(rt);
  // A clock that went back does not keep an answer for longer.
  if (held && now < held.until && held.until - now <= KEPT_MS) return held.result;
  const result = readAndWrite(rt);
  looks.set(rt, { until: now + KEPT_MS, result });
  return result;
}

/** A row is put in and taken out again. It lies under an id that is no thread's, is never due and never listed. */
const PROBE = { tenant: LOCAL_TENANT, thread: "rdy_probe" as ThreadId };
/** About a small record: a store with less room takes no turn either. */
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
  // Another process may have made it at the same moment.
  return made.ok || made.problem.code === "thread_moved" ? rt.store.putDelivery(row) : made;
}
