// A message that nobody waits for: put into the inbox, and a worker drives the thread from there. For schedules and
// outside events, whose senders must not wait for a model.
import { ok, type Result } from "../../schema/problem.ts";
import { setBackground } from "../../threads/background.ts";
import { findKey } from "../../turn/commit/key-ring.ts";
import { wakeAt } from "../../turn/commit/wake.ts";
import { loadThread } from "../../turn/load.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";
import { type Letter, putIntoInbox } from "./inbox.ts";

/** `position` 0: a turn has heard it already. */
export type Posted = { readonly position: number };

/** A paused run stays paused: then the message waits until somebody resumes it. */
export async function postMessage(
  rt: Runtime,
  call: TurnRequest,
  letter: Pick<Letter, "message" | "untrusted">,
): Promise<Result<Posted>> {
  const thread = await loadThread(rt, call.at);
  if (!thread.ok) return thread;
  const { background, key_ring } = thread.value.state;
  if (call.key && findKey(key_ring, call.key.hash)) return ok({ position: 0 });
  const position = await putIntoInbox(rt, { ...letter, at: call.at, actor: call.actor, key: call.key });
  if (!position.ok) return position;
  if (background === null || background.status === "dead") {
    const on = await setBackground(rt, { ...call, input: null, key: null }, { status: "on", reason: null });
    if (!on.ok) return on;
  }
  const woken = await rt.store.putDelivery(wakeAt(call.at, rt.clock.now()));
  return woken.ok ? ok({ position: position.value }) : woken;
}
