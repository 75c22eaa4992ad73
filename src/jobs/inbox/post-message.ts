// Adds a message to the inbox, and a worker advances the thread. For schedules and inbound webhooks, which must not wait for a model.
import { ok, type Result } from "../../schema/problem.ts";
import { setBackground } from "../../threads/change-state.ts";
import { findKey } from "../../turn/commit/idempotency-keys.ts";
import { wakeUpAt } from "../../turn/commit/wake-up.ts";
import { loadThread } from "../../turn/load.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";
import { addToInbox, type InboxMessage } from "./inbox.ts";

/** The position in the queue. 0 means that a turn has already processed the message. */
export type PostResult = { readonly position: number };

/** A paused run stays paused, and the message waits until the run is resumed. */
export async function postMessage(
  rt: Runtime,
  request: TurnRequest,
  message: Pick<InboxMessage, "message" | "untrusted">,
): Promise<Result<PostResult>> {
  const thread = await loadThread(rt, request.at);
  if (!thread.ok) return thread;
  const { background, key_ring } = thread.value.state;
  if (request.key && findKey(key_ring, request.key.hash)) return ok({ position: 0 });
  const position = await addToInbox(rt, { ...request, ...message });
  if (!position.ok) return position;
  if (background === null || background.status === "dead") {
    const started = await setBackground(rt, { ...request, input: null, key: null }, { status: "on", reason: null });
    if (!started.ok) return started;
  }
  const woken = await rt.store.putDelivery(wakeUpAt(request.at, rt.clock.now()));
  return woken.ok ? ok({ position: position.value }) : woken;
}
