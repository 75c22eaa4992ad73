// Defines the routes of OpenAI's API for responses, conversations, models and chat completions, as far as a durable
// thread can support them.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import type { Answer, Route } from "../../http/route.ts";
import type { Failed, ProblemCode } from "../../schema/problem.ts";
import { protocolRoute } from "../shared/surface.ts";
import { ChatCompletionRequest, postChatCompletion } from "./chat-completions.ts";
import {
  ConversationRequest,
  deleteConversation,
  getConversation,
  postConversation,
  updateConversation,
} from "./conversations.ts";
import { checkModel, OpenaiError, unsupported } from "./errors.ts";
import { getConversationItem, listConversationItems, listInputItems } from "./log-items.ts";
import { ResponseRequest } from "./request.ts";
import { postResponse } from "./responses.ts";
import { cancelResponse, deleteResponse, getResponse } from "./stored-response.ts";

const AnyObject = z.looseObject({ object: z.string() });
const described = (description: string) => ({ 200: { description, schema: AnyObject } });
const PROBLEMS: readonly ProblemCode[] = [
  "agent_not_found",
  "thread_not_found",
  "thread_moved",
  "gate_open",
  "gate_closed",
  "turn_running",
];
const PAGED = "`limit` (20 by default, at most 100), `order` (`desc` by default) and `after`, the id of an item.";

const ROUTES: readonly Route[] = [
  protocolRoute("openai", ["post", "/openai/v1/responses", "advance"], postResponse, {
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
  protocolRoute("openai", ["get", "/openai/v1/responses/:id", "read"], getResponse, {
    id: "openaiGetResponse",
    summary: "Read a response (OpenAI)",
    description:
      "With `stream=true` its events, from the one after `starting_after`; a response that still runs goes on, which needs the scope `advance`.",
    responses: described("The response as its records show it now."),
    problems: ["thread_not_found"],
  }),
  protocolRoute("openai", ["post", "/openai/v1/responses/:id/cancel", "advance"], cancelResponse, {
    id: "openaiCancelResponse",
    summary: "Cancel the run of a response (OpenAI)",
    description: "A response that has ended is returned as it is.",
    responses: described("The response."),
    problems: ["thread_not_found"],
  }),
  protocolRoute("openai", ["delete", "/openai/v1/responses/:id", "advance"], deleteResponse, {
    id: "openaiDeleteResponse",
    summary: "Delete a response with its thread (OpenAI)",
    description: "Only if it is the only response of its thread: the log of a thread is not changed.",
    responses: described("The response was deleted."),
    problems: ["thread_not_found", "request_invalid"],
  }),
  protocolRoute("openai", ["get", "/openai/v1/responses/:id/input_items", "read"], listInputItems, {
    id: "openaiListInputItems",
    summary: "List the input of a response (OpenAI)",
    description: PAGED,
    responses: described("The items."),
    problems: ["thread_not_found", "request_invalid"],
  }),
  protocolRoute("openai", ["post", "/openai/v1/conversations", "advance"], postConversation, {
    id: "openaiCreateConversation",
    summary: "Create a conversation (OpenAI)",
    body: ConversationRequest,
    example: { metadata: { topic: "demo" } },
    responses: described("The conversation; its id contains the thread."),
  }),
  protocolRoute("openai", ["get", "/openai/v1/conversations/:id", "read"], getConversation, {
    id: "openaiGetConversation",
    summary: "Read a conversation (OpenAI)",
    responses: described("The conversation."),
    problems: ["thread_not_found"],
  }),
  protocolRoute("openai", ["post", "/openai/v1/conversations/:id", "advance"], updateConversation, {
    id: "openaiUpdateConversation",
    summary: "Replace the metadata of a conversation (OpenAI)",
    body: ConversationRequest,
    example: { metadata: { topic: "demo" } },
    responses: described("The conversation."),
    problems: ["thread_not_found", "input_too_large"],
  }),
  protocolRoute("openai", ["delete", "/openai/v1/conversations/:id", "advance"], deleteConversation, {
    id: "openaiDeleteConversation",
    summary: "Delete a conversation with its thread (OpenAI)",
    responses: described("The conversation was deleted."),
    problems: ["thread_not_found"],
  }),
  protocolRoute("openai", ["get", "/openai/v1/conversations/:id/items", "read"], listConversationItems, {
    id: "openaiListConversationItems",
    summary: "List the items of a conversation (OpenAI)",
    description: PAGED,
    responses: described("The items: what was sent and what came of it."),
    problems: ["thread_not_found", "request_invalid"],
  }),
  protocolRoute("openai", ["get", "/openai/v1/conversations/:id/items/:item", "read"], getConversationItem, {
    id: "openaiGetConversationItem",
    summary: "Read an item of a conversation (OpenAI)",
    responses: described("The item."),
    problems: ["thread_not_found"],
  }),
  protocolRoute("openai", ["post", "/openai/v1/conversations/:id/items", "advance"], refuseItem, {
    id: "openaiCreateConversationItems",
    summary: "Refused: items are added by responses (OpenAI)",
    body: z.looseObject({}),
    example: { items: [] },
    responses: described("Not sent: the request is always refused."),
    problems: ["request_invalid"],
  }),
  protocolRoute("openai", ["delete", "/openai/v1/conversations/:id/items/:item", "advance"], refuseItem, {
    id: "openaiDeleteConversationItem",
    summary: "Refused: the log of a thread is not changed (OpenAI)",
    responses: described("Not sent: the request is always refused."),
    problems: ["request_invalid"],
  }),
  protocolRoute("openai", ["get", "/openai/v1/models", "read"], listModels, {
    id: "openaiListModels",
    summary: "List the agents as models (OpenAI)",
    responses: described("The agents."),
  }),
  protocolRoute("openai", ["get", "/openai/v1/models/:id", "read"], getModel, {
    id: "openaiGetModel",
    summary: "Read an agent as a model (OpenAI)",
    responses: described("The agent."),
    problems: ["agent_not_found"],
  }),
  protocolRoute("openai", ["post", "/openai/v1/chat/completions", "advance"], postChatCompletion, {
    id: "openaiChatCompletion",
    summary: "Create a chat completion (OpenAI)",
    headers: ["Idempotency-Key"],
    description: "The header `X-Pawl-Chat-Id` names the thread. Gates are sent as text; approve them in the console.",
    body: ChatCompletionRequest,
    example: { model: "default", messages: [{ role: "user", content: "Say hello" }] },
    responses: described("The completion, or its chunks with `stream`."),
    problems: PROBLEMS,
  }),
];

/** Problems have OpenAI's form. */
export const openaiRoutes: readonly Route[] = ROUTES.map((each) => ({
  ...each,
  openapi: each.openapi && { ...each.openapi, problem_body: OpenaiError },
}));

/** An item takes effect in a turn and stays in the log. */
function refuseItem(): Failed {
  const why = "a thread is a log of turns: send the item as the input of a response, or delete the conversation.";
  return unsupported("items", why);
}

function listModels(c: Ctx): Response {
  const { agents } = c.get("options").rt.config;
  return c.json({ object: "list", data: Object.keys(agents).map(modelBody) });
}

function getModel(c: Ctx): Answer {
  const id = c.req.param("id") ?? "";
  const known = checkModel(c, id);
  return known.ok ? c.json(modelBody(id)) : known;
}

const modelBody = (id: string) => ({ id, object: "model", created: 0, owned_by: "pawl" });
