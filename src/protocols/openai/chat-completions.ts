// Implements Chat Completions, a protocol that has neither conversation ids nor approvals. A header names the thread
// instead. A gate is sent as text with the URL of the console, which asks for a key. The reader of the text may be a
// model, so a chat message cannot approve anything.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import type { Answer } from "../../http/route.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { consoleAddress } from "../shared/console-address.ts";
import { createPartReader, type PartReader } from "../shared/parts.ts";
import { ForeignId, findThread, type PreparedRun, prepareRun } from "../shared/prepare-run.ts";
import { endProblem } from "../shared/problems.ts";
import { isRepeated, requestKey } from "../shared/request-key.ts";
import { type Frame, peek, readLooseBody, respondFrames } from "../shared/respond.ts";
import { committedEvents, createProtocolRun, type RunEvent, runThread } from "../shared/run-thread.ts";
import { surfaceConfig } from "../shared/surface.ts";
import { createUsage } from "../shared/usage.ts";
import { checkModel, errorBody, respondError, unsupported } from "./errors.ts";
import { Content, textOf } from "./request.ts";

export const ChatCompletionRequest = z.looseObject({
  model: z.string().min(1).max(64).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: Content.nullish() })).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  n: z.number().nullish(),
  modalities: z.array(z.string()).nullish(),
});
type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;

const THREAD_HEADERS = ["x-pawl-chat-id", "x-openwebui-chat-id"];

/** The first of the headers that is present names the thread. Without any, every request gets a new thread. */
function chatId(c: Ctx): string | undefined {
  const { chat_id_header: configured } = surfaceConfig(c, "openai");
  const names = configured ? [configured, ...THREAD_HEADERS] : THREAD_HEADERS;
  return names.map((name) => c.req.header(name)).find((id) => id);
}

export async function postChatCompletion(c: Ctx): Promise<Answer> {
  const prepared = await prepare(c);
  if (!prepared.ok) return prepared;
  const { request, at, thread, start } = prepared.value;
  const { rt } = c.get("options");
  const { first, all } = await peek(committedEvents(runThread(createProtocolRun(c, at), start)));
  if (first?.type === "problem" && first.problem.code !== "gate_open") return respondError(c, first.problem);
  const usage = createUsage();
  const source = { events: all, read: createPartReader(rt, at, thread), usage };
  const lines = textLines(source, consoleAddress(c, at.thread));
  const head = {
    id: `chatcmpl_${at.thread}`,
    created: Math.floor((first?.type === "record" ? Date.parse(first.record.entry.at) : rt.clock.now()) / 1000),
    model: thread.state.agent,
  };
  const tokens = () => usageBody(usage);
  if (!request.stream) return respondWhole(c, head, lines, tokens);
  return respondFrames(c, chunkFrames(head, lines, request.stream_options?.include_usage ? tokens : null));
}

async function prepare(c: Ctx): Promise<Result<PreparedRun & { readonly request: ChatCompletionRequest }>> {
  const { rt } = c.get("options");
  const body = await readLooseBody(c, ChatCompletionRequest);
  if (!body.ok) return body;
  const request = body.value;
  const text = textOfUser(request);
  if (!text.ok) return text;
  const sentKey = c.get("key");
  const named = chatId(c);
  if (named && !ForeignId.safeParse(named).success)
    return fail("header_invalid", "The header that names the chat is longer than 255 characters.");
  const found = await findThread(c, "openai", named ?? (sentKey ? `request:${sentKey}` : rt.ids.make("req")));
  if (!found.ok) return found;
  const { thread } = found.value;
  const model = thread ? ok(undefined) : checkModel(c, request.model);
  if (!model.ok) return model;
  const key = sentKey ? requestKey(rt.hash, `openai:${sentKey}`, text.value) : null;
  const repeated = key !== null && isRepeated(thread, key);
  const input = repeated ? null : ({ type: "message", text: text.value } as const);
  const run = await prepareRun(c, "openai", found.value, { input, key, agent: request.model });
  return run.ok ? ok({ ...run.value, request }) : run;
}

function textOfUser(request: ChatCompletionRequest): Result<string> {
  const { messages, tools, functions, response_format, n, modalities } = request;
  if (tools?.length || functions?.length) return unsupported("tools", "use the Responses API.");
  if (response_format && response_format.type !== "text")
    return unsupported("response_format", "only text is supported.");
  if (n != null && n !== 1) return unsupported("n", "there is one answer.");
  if (modalities?.some((modality) => modality !== "text")) return unsupported("modalities", "only text is supported.");
  const text = textOf(messages.findLast(({ role }) => role === "user")?.content, "messages");
  if (text.ok && text.value.trim() === "") return unsupported("messages", "there is no text from the user.");
  return text;
}

type Head = { readonly id: string; readonly created: number; readonly model: string };
type Line = { readonly text: string } | { readonly problem: Problem };

type Usage = ReturnType<typeof createUsage>;
type LineSource = {
  readonly events: AsyncIterable<RunEvent>;
  readonly read: PartReader;
  readonly usage: Usage;
};

async function* textLines({ events, read, usage }: LineSource, address: string): AsyncGenerator<Line> {
  let head: ThreadRecord | null = null;
  for await (const event of events) {
    if (event.type === "problem") {
      if (event.problem.code === "gate_open") return yield { text: waits(address) };
      return yield { problem: event.problem };
    }
    if (event.type !== "record") continue;
    head = event.record;
    usage.add(head.entry);
    for (const part of await read(head)) if (part.kind === "text") yield { text: part.text };
  }
  const kind = head?.state.gate?.kind;
  if (kind && kind !== "question") yield { text: waits(address) };
  const problem = endProblem(head);
  if (problem && problem.code !== "budget_exhausted") yield { problem };
}

const waits = (address: string): string => `This waits for a person. Open ${address} to decide.`;

function usageBody(usage: Usage) {
  const { input_tokens, output_tokens, total_tokens } = usage.total();
  return { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens };
}

type Tokens = () => ReturnType<typeof usageBody>;

async function* chunkFrames(head: Head, lines: AsyncIterable<Line>, tokens: Tokens | null): AsyncGenerator<Frame> {
  const frame = (fields: object): Frame => ({
    data: JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields }),
  });
  const chunk = (delta: object, finish_reason: string | null): Frame =>
    frame({ choices: [{ index: 0, delta, finish_reason, logprobs: null }] });
  yield chunk({ role: "assistant", content: "" }, null);
  let separator = "";
  for await (const line of lines) {
    if ("problem" in line) yield { data: JSON.stringify(errorBody(line.problem)) };
    else yield chunk({ content: `${separator}${line.text}` }, null);
    separator = "\n\n";
  }
  yield chunk({}, "stop");
  if (tokens) yield frame({ choices: [], usage: tokens() });
  yield { data: "[DONE]" };
}

async function respondWhole(c: Ctx, head: Head, lines: AsyncIterable<Line>, tokens: Tokens): Promise<Answer> {
  const texts: string[] = [];
  for await (const line of lines) {
    if ("problem" in line) return respondError(c, line.problem);
    texts.push(line.text);
  }
  if (texts.length === 0) return fail("internal", "The run has no text.");
  const message = { role: "assistant", content: texts.join("\n\n"), refusal: null };
  const choices = [{ index: 0, message, finish_reason: "stop", logprobs: null }];
  return c.json({ ...head, object: "chat.completion", choices, usage: tokens() });
}
