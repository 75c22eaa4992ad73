// Ends a slice by parking, requeuing, delaying or permanently stopping the run.
import { type Backoff, backoffMs } from "../ports/backoff.ts";
import { isTransient } from "../ports/retry.ts";
import type { Delivery } from "../ports/thread-store.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { ok, type Problem, problem } from "../schema/problem.ts";
import { setBackground } from "../threads/change-state.ts";
import { needsWorker, WAKE_ID, wakeUpAt } from "../turn/commit/wake-up.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime } from "../turn/runtime.ts";
import { acceptsMessage, loadInbox } from "./inbox/inbox.ts";
import { NEWER_VERSION_DELAY_MS, type SliceOptions, type SliceResult, sliceRequest } from "./slice.ts";

export async function loadWakeUp(rt: Runtime, at: ThreadRef): Promise<readonly Delivery[]> {
  const rows = await rt.store.deliveries(at, 1, WAKE_ID);
  return rows.ok ? rows.value : [];
}

/** Parks the run until `due_at` or, if that is null, until an input arrives. A wake-up that was added in the meantime stays. */
export async function park(rt: Runtime, leased: Delivery, due_at: number | null, turns: number): Promise<SliceResult> {
  const settled = await rt.store.settleDelivery(leased, due_at === null ? null : { ...leased, due_at, attempts: 0 });
  if (due_at === null || !settled.ok || !settled.value) await ensureWakeUp(rt, leased);
  return { kind: "parked", turns };
}

/** Two workers may advance the thread by mistake: one parks at a gate that the other closes with a late result. Then neither has a wake-up. */
export async function ensureWakeUp(rt: Runtime, { tenant, thread: id }: ThreadRef): Promise<void> {
  const at = { tenant, thread: id };
  if ((await loadWakeUp(rt, at)).length > 0) return;
  const thread = await loadThread(rt, at);
  if (!thread.ok || thread.value.state.background?.status !== "on") return;
  const { state } = thread.value;
  const inbox = acceptsMessage(state, rt.clock.now()) ? await loadInbox(rt, at) : ok([]);
  // An additional wake-up does no harm, because the worker then finds nothing to do.
  const hasMessages = !inbox.ok || inbox.value.length > 0;
  if (hasMessages || needsWorker(state)) await rt.store.putDelivery(wakeUpAt(at, rt.clock.now()));
}

/** Moves the run to the end of the queue, so that a long run does not block the others. */
export async function requeue(rt: Runtime, leased: Delivery, turns: number): Promise<SliceResult> {
  const settled = await rt.store.settleDelivery(leased, { ...leased, due_at: rt.clock.now(), attempts: 0 });
  if (!settled.ok || !settled.value) await ensureWakeUp(rt, leased);
  return { kind: "requeued", turns };
}

/** The longest delay, whatever the problem requests. A wake-up further away than this was set by a wrong clock. */
export const RETRY_DELAY_MAX_MS = 15 * 60_000;
const BACKOFF: Backoff = { first_ms: 1_000, max_ms: RETRY_DELAY_MAX_MS };

export async function retryOrDeadLetter(
  rt: Runtime,
  at: ThreadRef,
  leased: Delivery,
  problem: Problem,
  options: SliceOptions,
): Promise<SliceResult> {
  if (leased.attempts >= options.attempts_max) return deadLetterRun(rt, at, leased, problem, options);
  const retryAfter = problem.details?.retry_after_s;
  const backoff = backoffMs(BACKOFF, leased.attempts, 0);
  const wait = Math.max(backoff, typeof retryAfter === "number" ? retryAfter * 1000 : 0);
  const due_at = rt.clock.now() + Math.min(RETRY_DELAY_MAX_MS, wait);
  await rt.store.settleDelivery(leased, { ...leased, due_at });
  return { kind: "retry", problem, due_at };
}

export const WORKER_LOST = problem(
  "internal",
  "Every worker that ran this thread stopped before it reported a result.",
);

/** Stops a background run after its last attempt. The thread records the reason, and starting the run again revives it. */
export async function deadLetterRun(
  rt: Runtime,
  at: ThreadRef,
  leased: Delivery,
  cause: Problem,
  options: SliceOptions,
): Promise<SliceResult> {
  const reason = `${cause.code}: ${cause.message}`.slice(0, 300);
  const recorded = await setBackground(rt, sliceRequest(rt, at, options, {}), { status: "dead", reason });
  if (!recorded.ok && recorded.problem.code === "newer_version")
    return park(rt, leased, rt.clock.now() + NEWER_VERSION_DELAY_MS, 0);
  // If the reason could not be recorded, the wake-up stays, and the next worker records it.
  if (!recorded.ok && isTransient(recorded.problem))
    return { kind: "retry", problem: recorded.problem, due_at: leased.due_at };
  await rt.store.settleDelivery(leased, null);
  return { kind: "dead", problem: cause };
}
