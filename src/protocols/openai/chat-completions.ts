// Chat Completions: there is no conversation id and no approval in it. A header names the thread, and a gate is told as text with
// the address of the console, which asks for a key; its reader may be a model, so nothing is approved by chat text.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { checkInput } from "../../http/turn-request.ts";
import { fail } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { consoleAddress } from "../shared/console-address.ts";
import { endProblem } from "../shared/ended.ts";
import { createPartReader, type PartReader } from "../shared/parts.ts";
import { type Frame, peek, readLooseBody, respondFrames } from "../shared/respond.ts";
import { type RunEvent, runThread } from "../shared/run-thread.ts";
import { checkStart, newThreadInput, surfaceConfig } from "../shared/start.ts";
import { ensureThread, findThread } from "../shared/thread-of.ts";
import { createUsage } from "../shared/usage.ts";
import { errorBody, respondError, unsupported } from "./errors.ts";

const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]);

export const ChatCompletionRequest = z.looseObject({
  model: z.string().min(1).max(64).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: Content.nullish() })).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(z.unknown()).nullish(),
});

/** The first header that is there names the thread; without one every request has a thread of its own. */
const THREAD_HEADERS = ["x-pawl-chat-id", "x-openwebui-chat-id"];

export async function postChatCompletion(c: Ctx): Promise<Response> {
  const body = await readLooseBody(c, ChatCompletionRequest);
  if (!body.ok) return respondError(c, body.problem);
  const { model, messages, stream, stream_options, tools } = body.value;
  if (tools && tools.length > 0) return respondError(c, unsupported("tools", "use the Responses API.").problem);
  const content = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const text = typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
  if (text.trim() === "") return respondError(c, unsupported("messages", "there is no text of the user.").problem);
  const { rt } = c.get("options");
  const named = THREAD_HEADERS.map((name) => c.req.header(name)).find((id) => id);
  const found = await findThread(c, "openai", named ?? rt.ids.make("req"));
  if (!found.ok) return respondError(c, found.problem);
  const input = { type: "message", text } as const;
  const create = newThreadInput(surfaceConfig(c, "openai"), model);
  const allowed = checkInput(c.get("caller"), input);
  if (!allowed.ok) return respondError(c, allowed.problem);
  const checked = checkStart(c, found.value, create, undefined);
  if (!checked.ok) return respondError(c, checked.problem);
  const thread = await ensureThread(c, found.value, create);
  if (!thread.ok) return respondError(c, thread.problem);
  const { at } = found.value;
  const run = { options: c.get("options"), caller: c.get("caller"), at, request_id: c.get("request_id") };
  const { first, all } = await peek(
    runThread(run, { input, version: thread.value.version, options: { channel: "openai" } }),
  );
  if (first?.type === "problem" && first.problem.code !== "gate_open") return respondError(c, first.problem);
  const usage = createUsage();
  const source = { events: all, read: createPartReader(rt, at, thread.value), usage };
  const lines = textLines(source, consoleAddress(c, at.thread));
  const head = {
    id: `chatcmpl_${at.thread}`,
    created: Math.floor(rt.clock.now() / 1000),
    model: thread.value.state.agent,
  };
  const tokens = () => usageBody(usage);
  if (!stream) return respondWhole(c, head, lines, tokens);
  return respondFrames(c, chunkFrames(head, lines, stream_options?.include_usage ? tokens : null));
}

type Head = { readonly id: string; readonly created: number; readonly model: string };
type Line = { readonly text: string } | { readonly problem: NonNullable<ReturnType<typeof endProblem>> };

type Usage = ReturnType<typeof createUsage>;
type LineSource = {
  readonly events: AsyncIterable<RunEvent>;
  readonly read: PartReader;
  /** Counts what the run uses. */
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

async function respondWhole(c: Ctx, head: Head, lines: AsyncIterable<Line>, tokens: Tokens): Promise<Response> {
  const texts: string[] = [];
  for await (const line of lines) {
    if ("problem" in line) return respondError(c, line.problem);
    texts.push(line.text);
  }
  if (texts.length === 0) return respondError(c, fail("internal", "The run has no text.").problem);
  const message = { role: "assistant", content: texts.join("\n\n"), refusal: null };
  const choices = [{ index: 0, message, finish_reason: "stop", logprobs: null }];
  return c.json({ ...head, object: "chat.completion", choices, usage: tokens() });
}
