// Implements POST /openai/v1/responses. A response covers a run up to a gate, its end or a problem.

import { requireWorker } from "../../http/edge/worker.ts";
import type { Ctx } from "../../http/env.ts";
import { checkInput } from "../../http/turn-request.ts";
import type { TurnInput } from "../../schema/input.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { backgroundEvents } from "../shared/background-events.ts";
import { declaredTools } from "../shared/declared-tools.ts";
import { createPartReader } from "../shared/parts.ts";
import { isRepeated, requestKey } from "../shared/request-key.ts";
import { peek, readLooseBody, respondFrames } from "../shared/respond.ts";
import { createProtocolRun, type RunEvent, type RunStart, runThread } from "../shared/run-thread.ts";
import { checkStart, newThreadInput, surfaceConfig } from "../shared/start.ts";
import { ensureThread, type FoundThread, findThread } from "../shared/thread-of.ts";
import { checkModel, respondError, responseNotFound } from "./errors.ts";
import { conversationThread, newestResponseStart, parseResponseId } from "./ids.ts";
import { itemsOf } from "./items.ts";
import { checkSupported, findThreadItem, inputOf, ResponseRequest } from "./request.ts";
import { type ResponseFacts, startedResponse } from "./response.ts";
import { responseFrames, streamParts } from "./stream.ts";

type Prepared = {
  readonly request: ResponseRequest;
  readonly found: FoundThread;
  readonly start: Omit<RunStart, "version">;
};

export async function postResponse(c: Ctx): Promise<Response> {
  const prepared = await prepare(c);
  if (!prepared.ok) return respondError(c, prepared.problem);
  const { request, found, start } = prepared.value;
  const { rt } = c.get("options");
  const thread = await ensureThread(c, found, newThreadInput(surfaceConfig(c, "openai"), request.model));
  if (!thread.ok) return respondError(c, thread.problem);
  const run = createProtocolRun(c, found.at);
  const from = { ...start, version: thread.value.version };
  const events = request.background ? backgroundEvents(run, from, request.stream ?? false) : runThread(run, from);
  const { first, all } = await peek(events);
  if (first?.type === "problem") return respondError(c, first.problem);
  const { all: fromRecord, first: record } = await peek(recordsOnly(all));
  if (record?.type !== "record") return respondError(c, fail("internal", "The run has no record.").problem);
  const facts: ResponseFacts = {
    at: found.at,
    first: record.record,
    previous_response_id: request.previous_response_id ?? null,
    background: request.background ?? false,
    metadata: request.metadata ?? {},
  };
  const parts = streamParts(facts, fromRecord, createPartReader(rt, found.at, thread.value));
  if (request.stream) return respondFrames(c, responseFrames(startedResponse(facts), parts));
  for await (const part of parts) if ("response" in part) return c.json(part.response);
  return respondError(c, fail("internal", "The run has no end.").problem);
}

/**
 * Yields only records and a final problem. Text that may still be refused is not sent, because it cannot be retracted
 * here.
 */
export async function* recordsOnly(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
  for await (const event of events) if (event.type === "record" || event.type === "problem") yield event;
}

async function prepare(c: Ctx): Promise<Result<Prepared>> {
  const { rt } = c.get("options");
  const body = await readLooseBody(c, ResponseRequest);
  if (!body.ok) return body;
  const request = body.value;
  const supported = checkSupported(request);
  if (!supported.ok) return supported;
  const key = c.get("key");
  const found = await threadFor(c, request, key);
  if (!found.ok) return found;
  const declared = request.tools?.map(({ name = "", description, parameters: schema }) => ({
    name,
    description,
    schema,
  }));
  const tools = declared ? declaredTools(declared, "parameters") : ok(undefined);
  if (!tools.ok) return tools;
  const { thread } = found.value;
  const requestHash = key ? requestKey(rt.hash, `openai:${key}`, request.input) : null;
  const repeated = requestHash !== null && isRepeated(thread, requestHash);
  const input = repeated ? ok(null) : inputOf(request, thread?.state.gate ?? null);
  if (!input.ok) return input;
  const current = repeated ? ok(undefined) : await checkCurrent(rt, request, found.value, input.value);
  if (!current.ok) return current;
  const allowed = checkInput(c.get("caller"), input.value, tools.value?.tools);
  if (!allowed.ok) return allowed;
  const worker = request.background ? requireWorker(rt) : ok(undefined);
  if (!worker.ok) return worker;
  const model = thread ? ok(undefined) : checkModel(c, request.model);
  if (!model.ok) return model;
  const checked = checkStart(c, found.value, newThreadInput(surfaceConfig(c, "openai"), request.model), tools.value);
  if (!checked.ok) return checked;
  const options = { channel: "openai", ...(tools.value && { client_tools: tools.value.tools }) };
  return ok({ request, found: found.value, start: { input: input.value, key: requestHash, options } });
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

/**
 * Refuses to continue from a response or item that is not the newest. That would create a branch, and Pawl forks a
 * thread only on request.
 */
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
