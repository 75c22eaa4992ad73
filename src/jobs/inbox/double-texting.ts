// A message comes while a run is at work. What happens then is the caller's choice, per request.
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadAt } from "../../schema/ids.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { type Advanced, advance } from "../../turn/advance.ts";
import { findKey } from "../../turn/commit/key-ring.ts";
import { isDriven, wakeAt } from "../../turn/commit/wake.ts";
import { loadThread } from "../../turn/load.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";
import { putIntoInbox, takesMessage } from "./inbox.ts";
import { hearInCopy, sentAway, takeBack } from "./rollback.ts";

export const IF_BUSY = ["reject", "enqueue", "interrupt", "rollback"] as const;
export type IfBusy = (typeof IF_BUSY)[number];

type Message = Extract<TurnInput, { type: "message" }>;
export type Texted =
  | { readonly kind: "advanced"; readonly advanced: Advanced }
  /** It waits and the next turn of the run hears it. */
  | { readonly kind: "queued"; readonly position: number }
  /** It went to a new thread that begins where the last delivery ended. */
  | { readonly kind: "forked"; readonly at: ThreadAt; readonly advanced: Advanced };

/** How often a message may lose to the turns of the run it interrupts. */
const INTERRUPTIONS_MAX = 10;

/** For a call that brings a message or something else. */
export const sendOrAdvance = (rt: Runtime, call: TurnRequest, if_busy: IfBusy): Promise<Result<Texted>> =>
  if_busy !== "reject" && call.input?.type === "message" ? sendMessage(rt, call, call.input, if_busy) : plain(rt, call);

export async function sendMessage(
  rt: Runtime,
  call: TurnRequest,
  message: Message,
  if_busy: IfBusy,
): Promise<Result<Texted>> {
  // Looked at inside the turn, which loads the thread anyway.
  if (if_busy === "reject") return plain(rt, { ...call, options: { ...call.options, only_when_idle: true } });
  const thread = await loadThread(rt, call.at);
  if (!thread.ok) return thread;
  const { state, version } = thread.value;
  const answered = call.key !== null && findKey(state.key_ring, call.key.hash) !== null;
  if (if_busy === "rollback") return sendOrTakeBack(rt, call, !answered && isBusy(state));
  if (answered) return plain(rt, call);
  const waits = if_busy === "enqueue" && mustWait(state, rt.clock.now());
  // A turn that a caller of its own advances is not seen here; the message that interrupts wins over it all the same.
  if (!waits && !isBusy(state)) return if_busy === "interrupt" ? interrupt(rt, call) : plain(rt, call);
  if (call.if_match !== null && call.if_match !== version)
    return fail("version_mismatch", `The thread is at version ${version}, not ${call.if_match}.`, { version });
  switch (if_busy) {
    case "enqueue":
      return state.background?.status === "on" ? enqueue(rt, call, message) : busy();
    case "interrupt":
      return state.machine.at === "acting" ? busy() : interrupt(rt, call);
  }
}

/** At work: a worker advances it, or a call is being carried out. */
const isBusy = (state: ThreadState): boolean => state.machine.at === "acting" || isDriven(state);

/** A background run at a gate that is no question: whoever does not want to answer it has to wait for somebody who does. */
const mustWait = (state: ThreadState, now: number): boolean =>
  state.background?.status === "on" && state.gate !== null && !takesMessage(state, now);

const busy = () => fail("turn_running", "A run is at work on this thread.", { retry_after_s: 1 });

async function plain(rt: Runtime, call: TurnRequest): Promise<Result<Texted>> {
  const advanced = await advance(rt, call);
  return advanced.ok ? ok({ kind: "advanced", advanced: advanced.value }) : advanced;
}

async function enqueue(rt: Runtime, call: TurnRequest, message: Message): Promise<Result<Texted>> {
  const { at, actor, key } = call;
  const untrusted = call.options?.untrusted ?? false;
  const position = await putIntoInbox(rt, { at, actor, key, message, untrusted });
  if (!position.ok) return position;
  // The run may have ended between the look and the row. Its worker looks into the inbox before it parks, so one of
  // the two sees the other.
  const now = await loadThread(rt, call.at);
  if (now.ok && !isBusy(now.value.state)) await rt.store.putDelivery(wakeAt(call.at, rt.clock.now()));
  return ok({ kind: "queued", position: position.value });
}

/** Whichever way it went first, here or to a copy, is the way of every further try. */
async function sendOrTakeBack(rt: Runtime, call: TurnRequest, takes_back: boolean): Promise<Result<Texted>> {
  const taken = takes_back ? await takeBack(rt, call) : ok(null);
  if (!taken.ok) return taken;
  if (taken.value) return hearAway(rt, call, taken.value);
  const advanced = await advance(rt, call);
  if (!advanced.ok) return advanced;
  const away = sentAway(advanced.value.records);
  return away ? hearAway(rt, call, away) : ok({ kind: "advanced", advanced: advanced.value });
}

async function hearAway(rt: Runtime, call: TurnRequest, away: ThreadRecord): Promise<Result<Texted>> {
  const heard = await hearInCopy(rt, call, away);
  return heard.ok ? ok({ kind: "forked", ...heard.value }) : heard;
}

/** What is committed stays; the turn in flight loses against this one. */
async function interrupt(rt: Runtime, call: TurnRequest): Promise<Result<Texted>> {
  // Whoever thinks has the claim; it only spares a model call, and this one is wanted.
  const { claims: _, ...unclaimed } = rt;
  for (let tries = 0; ; tries++) {
    const said: Extract<LiveEvent, { type: "speak.delta" }>[] = [];
    const emit: TurnRequest["emit"] = (event) => {
      if (event.type === "speak.delta" && said.length === 0) said.push(event);
      return call.emit(event);
    };
    const sent = await plain(unclaimed, { ...call, emit });
    if (sent.ok || sent.problem.code !== "thread_moved" || tries >= INTERRUPTIONS_MAX) return sent;
    for (const { thread, turn } of said)
      call.emit({ type: "speak.discarded", thread, turn, reason: "another turn was faster" });
  }
}
