// The routes of the AI SDK's chat transport: one answers a message with the message stream, the other returns the
// stream of a run in progress.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { respondProblem } from "../../http/respond.ts";
import type { Answer, Route } from "../../http/route.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok, type Problem, problem, type Result } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";
import { readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { nextAction } from "../../turn/view.ts";
import { declaredTools } from "../shared/declared-tools.ts";
import { createPartReader, proposalOf } from "../shared/parts.ts";
import { type FoundThread, findThread, type PreparedRun, prepareRun } from "../shared/prepare-run.ts";
import { errorText } from "../shared/problems.ts";
import { isRepeated, requestKey } from "../shared/request-key.ts";
import { type Frame, peek, readLooseBody, respondFrames } from "../shared/respond.ts";
import { createProtocolRun, recordEvents, runThread } from "../shared/run-thread.ts";
import { protocolRoute } from "../shared/surface.ts";
import { type Chunk, callChunks, chatChunks, messageId, textChunks } from "./chunks.ts";
import { ChatRequest, inputOf, repeatable, repeatedApprovalId } from "./request.ts";

const STREAM = {
  description: "The message stream: each chunk is JSON in a `data` line, the last line is `[DONE]`.",
  schema: z.looseObject({ type: z.string() }),
  type: "text/event-stream",
};

export const aiRoutes: readonly Route[] = [
  protocolRoute("ai", ["post", "/ai/chat", "advance"], postChat, {
    id: "postChat",
    summary: "Send a message or an answer from a chat page of the AI SDK",
    description:
      "The body is what `DefaultChatTransport` sends. `id` may be any id. A repeated message or answer gets the same run. Approving needs the scope `confirm`.",
    body: ChatRequest,
    example: {
      id: "chat-1",
      messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Say hello" }] }],
      trigger: "submit-message",
    },
    responses: { 200: STREAM },
    problems: [
      "thread_not_found",
      "input_too_large",
      "gate_closed",
      "digest_mismatch",
      "turn_running",
      "signal_refused",
    ],
  }),
  protocolRoute("ai", ["get", "/ai/chat/:id/stream", "advance"], getStream, {
    id: "resumeChat",
    summary: "Continue the run of a chat page that lost its connection",
    description:
      "The message in progress from its beginning. With `ended=true` also the last message if its run has ended or waits meanwhile.",
    responses: { 200: STREAM, 204: { description: "Nothing runs.", schema: null } },
  }),
];

type Prepared = PreparedRun & {
  readonly request: ChatRequest;
  /** The id of the gate that the request answers, if it answers one. */
  readonly answers: string | undefined;
};

async function postChat(c: Ctx): Promise<Answer> {
  const prepared = await prepare(c);
  if (!prepared.ok) return prepared;
  const { request, at, thread, start, answers } = prepared.value;
  const { first, all } = await peek(runThread(createProtocolRun(c, at), start));
  if (first?.type === "problem") {
    // Users may send messages while an approval waits. The response then shows what the thread waits for.
    if (first.problem.code === "gate_open")
      return respondChunks(c, waitingChunks(c, prepared.value, errorText(first.problem)));
    return respondProblem(c, isEdited(first.problem) ? EDITED : first.problem);
  }
  const last = request.messages.at(-1);
  const waits = answers ?? thread.state.gate?.id;
  // A result continues the page's message that contains its call. If the call is in an earlier message than the last,
  // the call is sent again together with its result.
  const continues = last?.parts.some(({ toolCallId }) => toolCallId === waits) ?? false;
  const source = {
    events: all,
    read: createPartReader(c.get("options").rt, at, waits && !continues ? null : thread),
    approvals: request.approvals,
    message_id: last?.role === "assistant" && (continues || !waits) ? last.id : null,
  };
  return respondChunks(c, chatChunks(source));
}

/** The page sent different text under the id of a message that is already stored. */
const isEdited = ({ code }: Problem): boolean => code === "idempotency_mismatch";
const EDITED = problem(
  "signal_refused",
  "A stored message is not changed; send a new one, or fork the thread to try something else.",
);

async function prepare(c: Ctx): Promise<Result<Prepared>> {
  const { rt } = c.get("options");
  const body = await readLooseBody(c, ChatRequest);
  if (!body.ok) return body;
  const request = body.value;
  const found = await findThread(c, "ai", request.id);
  if (!found.ok) return found;
  const { thread, at } = found.value;
  const tools = declaredTools(request.tools, "inputSchema");
  if (!tools.ok) return tools;
  const gate = thread?.state.gate ?? null;
  const sent = repeatable(request, gate);
  const key = sent && requestKey(rt.hash, `ai:${at.thread}:${sent.key}`, sent.text ?? sent.key);
  const input = key && isRepeated(thread, key) ? ok(null) : inputOf(request, thread);
  if (!input.ok) return input;
  const details = { input: input.value, key, agent: request.agent, tools: tools.value };
  const run = await prepareRun(c, "ai", found.value, details);
  return run.ok ? ok({ ...run.value, request, answers: sent?.answers }) : run;
}

/** Streams the message in progress from its beginning, and advances the run if no other request does so. */
async function getStream(c: Ctx): Promise<Answer> {
  const found = await findRun(c, c.req.param("id") ?? "");
  if (!found.ok) return found;
  const { thread, at, ended } = found.value;
  if (!thread || (thread.version === 0 && thread.state.goal === "")) return c.body(null, 204);
  const runs = nextAction(thread.state) === "advance";
  if (!runs && !ended && c.req.query("ended") !== "true") return c.body(null, 204);
  const { rt } = c.get("options");
  const past = await messageRecords(rt, at, thread.version);
  if (!past.ok) return past;
  const [first] = past.value;
  const rest = runs ? runThread(createProtocolRun(c, at), { input: null, version: thread.version }) : null;
  const source = {
    events: recordEvents(past.value, rest),
    read: createPartReader(rt, at, null),
    message_id: messageId(first?.version ?? thread.version),
    approvals: c.req.query("approvals") !== "false",
  };
  return respondChunks(c, chatChunks(source));
}

/** Waits for a turn in progress, because a user's message is stored only at the end of the turn that reads it. */
async function findRun(c: Ctx, id: string): Promise<Result<FoundThread & { readonly ended: boolean }>> {
  const found = await findThread(c, "ai", id);
  if (!found.ok) return found;
  const { thread, at } = found.value;
  const turn = thread && nextAction(thread.state) === "advance" ? null : c.get("options").rt.in_flight?.nextEnd(at);
  if (!turn) return ok({ ...found.value, ended: false });
  await turn;
  const after = await findThread(c, "ai", id);
  return after.ok ? ok({ ...after.value, ended: after.value.thread?.version !== thread?.version }) : after;
}

const PAGE = 100;
/** The types of input that continue the message with the call. Any other input begins a new message. */
const CONTINUES: readonly unknown[] = [undefined, "confirm", "tool_result", "lease", "cancel", "reset", "revoke"];

async function messageRecords(rt: Runtime, at: ThreadRef, newest: number): Promise<Result<readonly ThreadRecord[]>> {
  let records: readonly ThreadRecord[] = [];
  for (let last = newest; last >= 0; last -= PAGE) {
    const page = await readRecords(rt, at, Math.max(0, last - PAGE + 1), last);
    if (!page.ok) return page;
    records = [...page.value, ...records];
    const begin = records.findLastIndex(({ entry }) => !CONTINUES.includes(entry.input?.type));
    if (begin >= 0) return ok(records.slice(begin));
  }
  return ok(records);
}

/** Repeats the waiting call in a new message, because the SDK sends answers automatically only for the last message. */
async function* waitingChunks(c: Ctx, { request, at, thread }: Prepared, text: string): AsyncGenerator<Chunk> {
  const { gate } = thread.state;
  const { approvals, messages } = request;
  const asks = approvals && (gate?.kind === "confirmation" || gate?.kind === "plan");
  const calls = asks ? await proposalOf(c.get("options").rt, at, thread.state) : [];
  yield* [{ type: "start" }, { type: "start-step" }, ...textChunks("notice", text)];
  for (const call of calls) yield* callChunks(call, approvals, repeatedApprovalId(call.id, messages.at(-1)?.id ?? ""));
  yield* [{ type: "finish-step" }, { type: "finish", finishReason: calls.length > 0 ? "tool-calls" : "stop" }];
}

function respondChunks(c: Ctx, chunks: AsyncIterable<Chunk>): Response {
  c.header("x-vercel-ai-ui-message-stream", "v1");
  return respondFrames(c, toData(chunks));
}

async function* toData(chunks: AsyncIterable<Chunk>): AsyncGenerator<Frame> {
  for await (const chunk of chunks) yield { data: JSON.stringify(chunk) };
  yield { data: "[DONE]" };
}
