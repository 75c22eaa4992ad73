// OpenAI's Responses, conversations, models and Chat Completions, as far as a durable thread can serve them.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { type Route, route } from "../../http/route.ts";
import { removeThreadWebhooks } from "../../jobs/webhooks/subscriptions.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type ProblemCode, type Result } from "../../schema/problem.ts";
import type { Thread } from "../../schema/record.ts";
import { removeThread } from "../../threads/remove.ts";
import { readLooseBody } from "../shared/respond.ts";
import { checkStart, mounted, newThreadInput, surfaceConfig } from "../shared/start.ts";
import { ensureThread, findThread } from "../shared/thread-of.ts";
import { ChatCompletionRequest, postChatCompletion } from "./chat-completions.ts";
import { respondError } from "./errors.ts";
import { conversationId, conversationThread } from "./ids.ts";
import { ResponseRequest } from "./request.ts";
import { postResponse } from "./responses.ts";
import { cancelResponse, getResponse } from "./stored-response.ts";

const AnyObject = z.looseObject({ object: z.string() });
const described = (description: string) => ({ 200: { description, schema: AnyObject } });
const PROBLEMS: readonly ProblemCode[] = [
  "thread_not_found",
  "thread_moved",
  "gate_open",
  "gate_closed",
  "turn_running",
];
const Empty = z.looseObject({});

export const openaiRoutes: readonly Route[] = [
  route(["post", "/openai/v1/responses", "advance"], mounted("openai", postResponse), {
    id: "openaiCreateResponse",
    summary: "Create a response (OpenAI)",
    description:
      "`model` is an agent. Errors have OpenAI's form with Pawl's code. Approving needs the scope `confirm`.",
    headers: ["Idempotency-Key"],
    body: ResponseRequest,
    example: { model: "default", input: "Say hello" },
    responses: { 200: { description: "The response, or its events with `stream`.", schema: AnyObject } },
    problems: PROBLEMS,
  }),
  route(["get", "/openai/v1/responses/:id", "read"], mounted("openai", getResponse), {
    id: "openaiGetResponse",
    summary: "Read a response (OpenAI)",
    description:
      "With `stream=true` its events, from the one after `starting_after`; a response that still runs goes on, which needs the scope `advance`.",
    responses: described("The response as its records show it now."),
    problems: ["thread_not_found"],
  }),
  route(["post", "/openai/v1/responses/:id/cancel", "advance"], mounted("openai", cancelResponse), {
    id: "openaiCancelResponse",
    summary: "Cancel the run of a response (OpenAI)",
    responses: described("The cancelled response."),
    problems: ["thread_not_found", "nothing_to_do"],
  }),
  route(["post", "/openai/v1/conversations", "advance"], mounted("openai", postConversation), {
    id: "openaiCreateConversation",
    summary: "Create a conversation (OpenAI)",
    body: Empty,
    example: {},
    responses: described("The conversation; its id contains the thread."),
  }),
  route(["get", "/openai/v1/conversations/:id", "read"], mounted("openai", getConversation), {
    id: "openaiGetConversation",
    summary: "Read a conversation (OpenAI)",
    responses: described("The conversation."),
    problems: ["thread_not_found"],
  }),
  route(["delete", "/openai/v1/conversations/:id", "advance"], mounted("openai", deleteConversation), {
    id: "openaiDeleteConversation",
    summary: "Delete a conversation with its thread (OpenAI)",
    responses: described("The conversation was deleted."),
    problems: ["thread_not_found"],
  }),
  route(["get", "/openai/v1/models", "read"], mounted("openai", listModels), {
    id: "openaiListModels",
    summary: "List the agents as models (OpenAI)",
    responses: described("The agents."),
  }),
  route(["get", "/openai/v1/models/:id", "read"], mounted("openai", getModel), {
    id: "openaiGetModel",
    summary: "Read an agent as a model (OpenAI)",
    responses: described("The agent."),
    problems: ["agent_not_found"],
  }),
  route(["post", "/openai/v1/chat/completions", "advance"], mounted("openai", postChatCompletion), {
    id: "openaiChatCompletion",
    summary: "Create a chat completion (OpenAI)",
    description: "The header `X-Pawl-Chat-Id` names the thread. Gates are told as text; approve them in the console.",
    body: ChatCompletionRequest,
    example: { model: "default", messages: [{ role: "user", content: "Say hello" }] },
    responses: described("The completion, or its chunks with `stream`."),
    problems: PROBLEMS,
  }),
];

async function postConversation(c: Ctx): Promise<Response> {
  const body = await readLooseBody(c, Empty);
  if (!body.ok) return respondError(c, body.problem);
  const { rt } = c.get("options");
  const found = await findThread(c, "openai", rt.ids.make("req"));
  if (!found.ok) return respondError(c, found.problem);
  const create = newThreadInput(surfaceConfig(c, "openai"));
  const checked = checkStart(c, found.value, create, undefined);
  if (!checked.ok) return respondError(c, checked.problem);
  const thread = await ensureThread(c, found.value, create);
  if (!thread.ok) return respondError(c, thread.problem);
  return c.json(conversationBody(found.value.at.thread, thread.value.state.created_at));
}

const conversationBody = (thread: string, created: string) => ({
  id: conversationId(thread),
  object: "conversation",
  created_at: Math.floor(Date.parse(created) / 1000),
  metadata: {},
});

async function findConversation(c: Ctx): Promise<Result<{ readonly at: ThreadRef; readonly thread: Thread }>> {
  const id = c.req.param("id") ?? "";
  const found = await findThread(c, "openai", conversationThread(id) ?? id);
  if (!found.ok) return found;
  const { at, thread } = found.value;
  return thread
    ? ok({ at, thread })
    : fail("thread_not_found", `There is no conversation ${JSON.stringify(id.slice(0, 80))}.`);
}

async function getConversation(c: Ctx): Promise<Response> {
  const found = await findConversation(c);
  if (!found.ok) return respondError(c, found.problem);
  const { thread, at } = found.value;
  return c.json(conversationBody(at.thread, thread.state.created_at));
}

async function deleteConversation(c: Ctx): Promise<Response> {
  const found = await findConversation(c);
  if (!found.ok) return respondError(c, found.problem);
  const { at } = found.value;
  const { rt } = c.get("options");
  const webhooks = await removeThreadWebhooks(rt, at);
  if (!webhooks.ok) return respondError(c, webhooks.problem);
  const removed = await removeThread(rt, at);
  if (!removed.ok) return respondError(c, removed.problem);
  return c.json({ id: conversationId(at.thread), object: "conversation.deleted", deleted: true });
}

function listModels(c: Ctx): Response {
  const { agents } = c.get("options").rt.config;
  return c.json({ object: "list", data: Object.keys(agents).map(modelBody) });
}

function getModel(c: Ctx): Response {
  const id = c.req.param("id") ?? "";
  if (Object.hasOwn(c.get("options").rt.config.agents, id)) return c.json(modelBody(id));
  return respondError(c, fail("agent_not_found", `There is no agent ${JSON.stringify(id.slice(0, 80))}.`).problem);
}

const modelBody = (id: string) => ({ id, object: "model", created: 0, owned_by: "pawl" });
