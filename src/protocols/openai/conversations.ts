// Implements conversations, each of which is a thread. The metadata of a conversation is stored in a separate part of
// the thread's metadata, which tools do not read.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import type { Answer } from "../../http/route.ts";
import { createTurnRequest } from "../../http/turn-request.ts";
import { removeThreadWebhooks } from "../../jobs/webhooks/subscriptions.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { changeState } from "../../threads/change-state.ts";
import { removeThread } from "../../threads/remove.ts";
import { findThread, prepareRun } from "../shared/prepare-run.ts";
import { readLooseBody } from "../shared/respond.ts";
import { unsupported } from "./errors.ts";
import { conversationId, conversationThread } from "./ids.ts";

/** OpenAI's limits, and a total limit, because all metadata of a thread must fit into 2 KB. */
const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((fields) => Object.keys(fields).length <= 16, "at most 16 fields")
  .refine((fields) => JSON.stringify(fields).length <= 1_900, "at most 1900 characters as JSON");

export const ConversationRequest = z.looseObject({
  metadata: Metadata.nullish(),
  items: z.array(z.unknown()).nullish(),
});

const KEY = "openai";

export async function postConversation(c: Ctx): Promise<Answer> {
  const body = await readLooseBody(c, ConversationRequest);
  if (!body.ok) return body;
  const { metadata, items } = body.value;
  if (items && items.length > 0) return unsupported("items", "send them as the input of the first response.");
  const found = await findThread(c, "openai", c.get("options").rt.ids.make("req"));
  if (!found.ok) return found;
  const details = { input: null, ...(metadata && { metadata: { [KEY]: metadata } }) };
  const created = await prepareRun(c, "openai", found.value, details);
  if (!created.ok) return created;
  return c.json(conversationBody(found.value.at.thread, created.value.thread.state));
}

function conversationBody(thread: string, { created_at, metadata }: Pick<ThreadState, "created_at" | "metadata">) {
  const own = Metadata.safeParse(metadata?.[KEY]).data ?? {};
  const created = Math.floor(Date.parse(created_at) / 1000);
  return { id: conversationId(thread), object: "conversation", created_at: created, metadata: own };
}

export async function findConversation(c: Ctx): Promise<Result<{ readonly at: ThreadRef; readonly thread: Thread }>> {
  const id = c.req.param("id") ?? "";
  const found = await findThread(c, "openai", conversationThread(id) ?? id);
  if (!found.ok) return found;
  const { at, thread } = found.value;
  return thread
    ? ok({ at, thread })
    : fail("thread_not_found", `There is no conversation ${JSON.stringify(id.slice(0, 80))}.`);
}

export async function getConversation(c: Ctx): Promise<Answer> {
  const found = await findConversation(c);
  if (!found.ok) return found;
  const { thread, at } = found.value;
  return c.json(conversationBody(at.thread, thread.state));
}

export async function updateConversation(c: Ctx): Promise<Answer> {
  const body = await readLooseBody(c, ConversationRequest);
  if (!body.ok) return body;
  const found = await findConversation(c);
  if (!found.ok) return found;
  const { at, thread } = found.value;
  const options = c.get("options");
  const own = body.value.metadata ?? {};
  const request = createTurnRequest(options, c.get("caller"), at, { input: null });
  const changed = await changeState(options.rt, request, ({ metadata }) =>
    canonicalJson(metadata?.[KEY] ?? {}) === canonicalJson(own)
      ? ok(null)
      : ok({ state: { metadata: { ...metadata, [KEY]: own } }, entry: {} }),
  );
  if (!changed.ok) return changed;
  const state = { created_at: thread.state.created_at, metadata: { [KEY]: own } };
  return c.json(conversationBody(at.thread, state));
}

export async function deleteConversation(c: Ctx): Promise<Answer> {
  const found = await findConversation(c);
  if (!found.ok) return found;
  const { at } = found.value;
  const removed = await removeWithWebhooks(c, at);
  if (!removed.ok) return removed;
  return c.json({ id: conversationId(at.thread), object: "conversation.deleted", deleted: true });
}

export async function removeWithWebhooks(c: Ctx, at: ThreadRef): Promise<Result<unknown>> {
  const { rt } = c.get("options");
  const webhooks = await removeThreadWebhooks(rt, at);
  return webhooks.ok ? removeThread(rt, at, c.get("caller").name) : webhooks;
}
