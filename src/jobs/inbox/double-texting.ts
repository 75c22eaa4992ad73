// Handles a message that arrives during a run, as the caller chose in the request (`if_busy`).
import { retryUnavailable } from "../../ports/retry.ts";
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { type Advanced, advance } from "../../turn/advance.ts";
import { findKey } from "../../turn/commit/idempotency-keys.ts";
import { needsWorker, wakeUpAt } from "../../turn/commit/wake-up.ts";
import { loadThread } from "../../turn/load.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";
import { acceptsMessage, addToInbox } from "./inbox.ts";
import { deliverToFork, findRollback, rollBack } from "./rollback.ts";

export const IF_BUSY = ["reject", "enqueue", "interrupt", "rollback"] as const;
export type IfBusy = (typeof IF_BUSY)[number];

type Message = Extract<TurnInput, { type: "message" }>;
export type SendResult =
  | { readonly kind: "advanced"; readonly advanced: Advanced }
  /** The message waits, and the next turn of the run processes it. */
  | { readonly kind: "queued"; readonly position: number }
  /** The message went to a new thread that continues from where the last delivery ended. */
  | { readonly kind: "forked"; readonly at: ThreadRef; readonly advanced: Advanced };

/** How often a message may lose against turns of the run that it interrupts. Each attempt costs a model call. */
const INTERRUPTIONS_MAX = 10;

/** Accepts a request with any input, although only messages can be queued or interrupt a run. */
export const sendOrAdvance = (rt: Runtime, request: TurnRequest, if_busy: IfBusy): Promise<Result<SendResult>> =>
  if_busy !== "reject" && request.input?.type === "message"
    ? sendMessage(rt, request, request.input, if_busy)
    : advanceOnly(rt, request);

export async function sendMessage(
  rt: Runtime,
  request: TurnRequest,
  message: Message,
  if_busy: IfBusy,
): Promise<Result<SendResult>> {
  // The turn itself checks this, because it loads the thread anyway.
  if (if_busy === "reject")
    return advanceOnly(rt, { ...request, options: { ...request.options, only_when_idle: true } });
  const thread = await loadThread(rt, request.at);
  if (!thread.ok) return thread;
  const { state, version } = thread.value;
  const alreadyHandled = request.key !== null && findKey(state.key_ring, request.key.hash) !== null;
  if (if_busy === "rollback") return sendOrRollBack(rt, request, !alreadyHandled && isBusy(state));
  if (alreadyHandled) return advanceOnly(rt, request);
  const mustQueue = if_busy === "enqueue" && mustWait(state, rt.clock.now());
  // A turn that another caller advances is not visible here, but an interrupting message supersedes it anyway.
  if (!mustQueue && !isBusy(state)) return if_busy === "interrupt" ? interrupt(rt, request) : advanceOnly(rt, request);
  if (request.if_match !== null && request.if_match !== version)
    return fail("version_mismatch", `The thread is at version ${version}, not ${request.if_match}.`, { version });
  switch (if_busy) {
    case "enqueue":
      return state.background?.status === "on" ? enqueue(rt, request, message) : turnRunning();
    case "interrupt":
      return state.machine.at === "acting" ? turnRunning() : interrupt(rt, request);
  }
}

const isBusy = (state: ThreadState): boolean => state.machine.at === "acting" || needsWorker(state);

/** A background run at a gate other than a question accepts no message until the gate is answered. */
const mustWait = (state: ThreadState, now: number): boolean =>
  state.background?.status === "on" && state.gate !== null && !acceptsMessage(state, now);

const turnRunning = () => fail("turn_running", "A run is in progress on this thread.", { retry_after_s: 1 });

async function advanceOnly(rt: Runtime, request: TurnRequest): Promise<Result<SendResult>> {
  const advanced = await advance(rt, request);
  return advanced.ok ? ok({ kind: "advanced", advanced: advanced.value }) : advanced;
}

async function enqueue(rt: Runtime, request: TurnRequest, message: Message): Promise<Result<SendResult>> {
  const untrusted = request.options?.untrusted ?? false;
  const position = await addToInbox(rt, { ...request, message, untrusted });
  if (!position.ok) return position;
  // The run may have ended after the thread was loaded and before the row was added. Its worker reads the inbox before it parks, so either the worker
  // sees the row, or this code sees that the run has ended and adds a wake-up. An additional wake-up does no harm.
  const reloaded = await loadThread(rt, request.at);
  if (reloaded.ok && isBusy(reloaded.value.state)) return ok({ kind: "queued", position: position.value });
  const woken = await retryUnavailable(() => rt.store.putDelivery(wakeUpAt(request.at, rt.clock.now())));
  return woken.ok ? ok({ kind: "queued", position: position.value }) : woken;
}

/** The first attempt decides whether the message goes to this thread or to a fork. Every later attempt follows it. */
async function sendOrRollBack(rt: Runtime, request: TurnRequest, shouldRollBack: boolean): Promise<Result<SendResult>> {
  const rolledBack = shouldRollBack ? await rollBack(rt, request) : ok(null);
  if (!rolledBack.ok) return rolledBack;
  if (rolledBack.value) return deliverRollback(rt, request, rolledBack.value);
  const advanced = await advance(rt, request);
  if (!advanced.ok) return advanced;
  const rollbackRecord = findRollback(advanced.value.records);
  return rollbackRecord
    ? deliverRollback(rt, request, rollbackRecord)
    : ok({ kind: "advanced", advanced: advanced.value });
}

async function deliverRollback(
  rt: Runtime,
  request: TurnRequest,
  rollbackRecord: ThreadRecord,
): Promise<Result<SendResult>> {
  const delivered = await deliverToFork(rt, request, rollbackRecord);
  return delivered.ok ? ok({ kind: "forked", ...delivered.value }) : delivered;
}

/** Committed records stay, and this turn supersedes the turn in flight. */
async function interrupt(rt: Runtime, request: TurnRequest): Promise<Result<SendResult>> {
  // The running turn holds the claim. A claim only avoids a second model call, and here a second call is intended.
  const { claims: _, ...withoutClaims } = rt;
  let streamed: Extract<LiveEvent, { type: "speak.delta" }> | null = null;
  const emit: TurnRequest["emit"] = (event) => {
    if (event.type === "speak.delta") streamed ??= event;
    return request.emit(event);
  };
  for (let count = 1; ; count += 1) {
    const sent = await advanceOnly(withoutClaims, { ...request, emit });
    const isLost = !sent.ok && sent.problem.code === "thread_moved";
    if (!isLost || count === INTERRUPTIONS_MAX || request.options?.isAbandoned?.()) return sent;
    if (streamed) {
      const { thread, turn } = streamed;
      request.emit({ type: "speak.discarded", thread, turn, reason: "another turn was faster" });
      streamed = null;
    }
  }
}
