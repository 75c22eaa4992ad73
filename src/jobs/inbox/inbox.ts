// Stores messages that arrived during a background run as rows next to the log. The next turn that accepts a message processes one.
import * as z from "zod";
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { MessageInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import type { Runtime, TurnRequest } from "../../turn/runtime.ts";
import { storedTrace } from "../../turn/trace-parent.ts";

const StoredMessage = z.object({
  kind: z.literal("message"),
  actor: z.string(),
  input: MessageInput,
  /** The turn that processes the message carries this key, so that a repeated request is recognized, and so is a row that two workers have read. */
  key: z.object({ hash: z.string(), body: z.string() }),
  untrusted: z.boolean(),
  /** Sorts messages by age. The id of the row cannot be used for this, because it may be derived from a key. */
  age: z.string(),
  trace_parent: z.string().optional(),
});
type StoredMessage = z.infer<typeof StoredMessage>;
export type QueuedMessage = StoredMessage & { readonly row: Delivery };

const MESSAGE_ID_PREFIX = "msg_";
export const INBOX_MAX = 64;

export type InboxMessage = Pick<TurnRequest, "at" | "actor" | "key" | "trace_parent"> & {
  readonly message: z.infer<typeof MessageInput>;
  readonly untrusted: boolean;
};

/** Oldest first. */
export async function loadInbox(rt: Runtime, at: ThreadRef): Promise<Result<readonly QueuedMessage[]>> {
  const rows = await rt.store.deliveries(at, INBOX_MAX * 2, MESSAGE_ID_PREFIX);
  if (!rows.ok) return rows;
  const waiting = rows.value.flatMap((row) => {
    const read = StoredMessage.safeParse(JSON.parse(row.body));
    return read.success ? [{ ...read.data, row }] : [];
  });
  return ok(waiting.sort((a, b) => Number(a.age > b.age) - Number(a.age < b.age)));
}

/** Returns the position in the queue, starting at 1. The same key maps to the same row. */
export async function addToInbox(rt: Runtime, message: InboxMessage): Promise<Result<number>> {
  const waiting = await loadInbox(rt, message.at);
  if (!waiting.ok) return waiting;
  const { key } = message;
  const existingIndex = key ? waiting.value.findIndex((one) => one.key.hash === key.hash) : -1;
  const existing = waiting.value[existingIndex];
  if (existing) {
    if (existing.key.body === key?.body) return ok(existingIndex + 1);
    return fail("idempotency_mismatch", "This Idempotency-Key was used before with a different request.");
  }
  if (waiting.value.length >= INBOX_MAX)
    return fail("rate_limited", `${INBOX_MAX} messages are already waiting.`, { retry_after_s: 10 });
  const put = await rt.store.putDelivery(messageDelivery(rt, message));
  return put.ok ? ok(waiting.value.length + 1) : put;
}

/** Never due, because the worker of the thread reads the row. */
function messageDelivery(rt: Runtime, inbox: InboxMessage): Delivery {
  const { at, actor, key, message, untrusted } = inbox;
  const age = rt.ids.make("dlv").slice("dlv_".length);
  const messageKey = key ?? {
    hash: keyHash(rt.hash, age),
    body: bodyHash(rt.hash, { route: "inbox", query: {}, body: age }),
  };
  const trace = storedTrace(inbox);
  const body: StoredMessage = { kind: "message", actor, input: message, key: messageKey, untrusted, age, ...trace };
  return {
    ...at,
    id: `${MESSAGE_ID_PREFIX}${messageKey.hash}`,
    due_at: NEVER_DUE,
    attempts: 0,
    body: JSON.stringify(body),
  };
}

/** A message starts a run, answers a question, or joins the run in progress. Other states have to end first. */
export function acceptsMessage(state: ThreadState, now: number): boolean {
  const { machine, gate } = state;
  if (gate?.expires_at && now >= Date.parse(gate.expires_at)) return false;
  if (machine.state === "rest") return true;
  if (machine.state === "failed" || machine.state === "deliver" || machine.state === "confirm") return false;
  return gate === null || gate.kind === "question";
}
