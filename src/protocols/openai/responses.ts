// Implements POST /openai/v1/responses. A response covers a run up to a gate, its end or a problem.
import { requireWorker } from "../../http/edge/worker.ts";
import type { Ctx } from "../../http/env.ts";
import type { Answer } from "../../http/route.ts";
import type { TurnInput } from "../../schema/input.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { backgroundEvents } from "../shared/background-events.ts";
import { declaredTools } from "../shared/declared-tools.ts";
import { createPartReader } from "../shared/parts.ts";
import { type FoundThread, findThread, type PreparedRun, prepareRun } from "../shared/prepare-run.ts";
import { isRepeated, requestKey } from "../shared/request-key.ts";
import { peek, readLooseBody, respondFrames } from "../shared/respond.ts";
import { committedEvents, createProtocolRun, runThread } from "../shared/run-thread.ts";
import { checkModel, respondError, responseNotFound } from "./errors.ts";
import { conversationThread, newestResponseStart, parseResponseId } from "./ids.ts";
import { itemsOf } from "./items.ts";
import { checkSupported, findThreadItem, inputOf, ResponseRequest } from "./request.ts";
import { type ResponseFacts, startedResponse } from "./response.ts";
import { responseFrames, streamParts } from "./stream.ts";

export async function postResponse(c: Ctx): Promise<Answer> {
  const prepared = await prepare(c);
  if (!prepared.ok) return prepared;
  const { request, at, thread, start, begun } = prepared.value;
  const run = createProtocolRun(c, at);
  const events = request.background
    ? backgroundEvents(run, prepared.value, request.stream ?? false)
    : runThread(run, start);
  const { first, all } = await peek(committedEvents(events));
  if (first?.type === "problem") return respondError(c, first.problem);
  if (!first) return fail("internal", "The run has no record.");
  const facts: ResponseFacts = {
    at,
    first: first.record,
    previous_response_id: request.previous_response_id ?? null,
    background: request.background ?? false,
    metadata: request.metadata ?? {},
  };
  const parts = streamParts(facts, all, createPartReader(c.get("options").rt, at, begun ? null : thread));
  if (request.stream) return respondFrames(c, responseFrames(startedResponse(facts), parts));
  for await (const part of parts) if ("response" in part) return c.json(part.response);
  return fail("internal", "The run has no end.");
}

async function prepare(c: Ctx): Promise<Result<PreparedRun & { readonly request: ResponseRequest }>> {
  const { rt } = c.get("options");
  const body = await readLooseBody(c, ResponseRequest);
  if (!body.ok) return body;
  const request = body.value;
  const supported = checkSupported(request);
  if (!supported.ok) return supported;
  const sentKey = c.get("key");
  const found = await threadFor(c, request, sentKey);
  if (!found.ok) return found;
  const tools = declaredTools(request.tools, "parameters");
  if (!tools.ok) return tools;
  const { thread } = found.value;
  const key = sentKey ? requestKey(rt.hash, `openai:${sentKey}`, request.input) : null;
  const repeated = key !== null && isRepeated(thread, key);
  const input = repeated ? ok(null) : inputOf(request, thread?.state.gate ?? null);
  if (!input.ok) return input;
  const current = repeated ? ok(undefined) : await checkCurrent(rt, request, found.value, input.value);
  if (!current.ok) return current;
  const worker = request.background ? requireWorker(rt) : ok(undefined);
  if (!worker.ok) return worker;
  const model = thread ? ok(undefined) : checkModel(c, request.model);
  if (!model.ok) return model;
  const background = request.background ?? false;
  const details = { input: input.value, key, agent: request.model, tools: tools.value, background };
  const run = await prepareRun(c, "openai", found.value, details);
  return run.ok ? ok({ ...run.value, request }) : run;
}

async function threadFor(c: Ctx, request: ResponseRequest, key: string | null): Promise<Result<FoundThread>> {
  const { previous_response_id, conversation } = request;
  if (previous_response_id) {
    const ref = parseResponseId(previous_response_id);
    return ref ? findThread(c, "openai", ref.thread) : responseNotFound(previous_response_id);
  }
  const known = findThreadItem(request);
  if (known) return findThread(c, "openai", known.thread);
  const id = typeof conversation === "string" ? conversation : conversation?.id;
  if (id) return findThread(c, "openai", conversationThread(id) ?? id);
  return findThread(c, "openai", key ? `request:${key}` : c.get("options").rt.ids.make("req"));
}

/** Continuing from an older response or item would create a branch, and Pawl forks a thread only on request. */
async function checkCurrent(
  rt: Runtime,
  request: ResponseRequest,
  { at, thread }: FoundThread,
  input: TurnInput | null,
): Promise<Result<void>> {
  if (!thread) return ok(undefined);
  const { previous_response_id } = request;
  const begin = newestResponseStart(thread);
  const moved = (what: string): Failed =>
    fail("thread_moved", `${what} is not the newest of its thread; fork the thread to continue from there.`, {
      version: thread.version,
    });
  const ref = previous_response_id ? parseResponseId(previous_response_id) : null;
  if (ref && begin !== ref.version) return moved(`${previous_response_id}`);
  const known = findThreadItem(request);
  // An answer is bound to its gate, so it does not matter whether the rest of the history is current.
  if (!known || input?.type === "confirm" || input?.type === "tool_result") return ok(undefined);
  const records = await readRecords(rt, at, begin, thread.version);
  if (!records.ok) return records;
  const read = createPartReader(rt, at, thread);
  const ids: unknown[] = [];
  for (const record of records.value)
    for (const { id, call_id } of itemsOf(at.thread, await read(record), record)) ids.push(id, call_id);
  return ids.length === 0 || ids.includes(known.id) ? ok(undefined) : moved(known.id);
}
