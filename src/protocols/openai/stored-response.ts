// Returns an existing response from its records or as a stream, cancels its run, and deletes it.
import { requireScope } from "../../http/edge/caller.ts";
import type { Ctx } from "../../http/env.ts";
import { createTurnRequest } from "../../http/turn-request.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { advance } from "../../turn/advance.ts";
import { loadThread, readRecords } from "../../turn/load.ts";
import { nextAction } from "../../turn/view.ts";
import { createPartReader } from "../shared/parts.ts";
import { type Frame, respondFrames } from "../shared/respond.ts";
import { createProtocolRun, type RunEvent, runThread } from "../shared/run-thread.ts";
import { removeWithWebhooks } from "./conversations.ts";
import { respondError, responseNotFound, unsupported } from "./errors.ts";
import { beginsResponse, parseResponseId, responseId } from "./ids.ts";
import { type ResponseFacts, startedResponse } from "./response.ts";
import { responseFrames, streamParts } from "./stream.ts";

export type StoredResponse = {
  readonly at: ThreadRef;
  readonly thread: Thread;
  /** The records from the beginning of the response up to the next input. */
  readonly records: readonly ThreadRecord[];
  readonly facts: ResponseFacts;
  readonly running: boolean;
};

export async function getResponse(c: Ctx): Promise<Response> {
  const stored = await findResponse(c);
  if (!stored.ok) return respondError(c, stored.problem);
  return c.req.query("stream") === "true" ? streamAgain(c, stored.value) : respondStored(c, stored.value);
}

export async function findResponse(c: Ctx): Promise<Result<StoredResponse>> {
  const { rt } = c.get("options");
  const id = c.req.param("id") ?? "";
  const ref = parseResponseId(id);
  if (!ref) return responseNotFound(id);
  const at = { tenant: c.get("caller").tenant, thread: ref.thread };
  const thread = await loadThread(rt, at);
  if (!thread.ok) return thread;
  const stored = await readRecords(rt, at, ref.version, thread.value.version);
  if (!stored.ok) return stored;
  const [first, ...later] = stored.value;
  if (!first || !beginsResponse(first.entry)) return responseNotFound(id);
  const next = later.findIndex(({ entry }) => beginsResponse(entry));
  const records = [first, ...(next < 0 ? later : later.slice(0, next))];
  const background = first.state.background !== null;
  const facts = { at, first, previous_response_id: null, background, metadata: {}, closed: next >= 0 };
  const running = !facts.closed && nextAction(thread.value.state) === "advance";
  return ok({ at, thread: thread.value, records, facts, running });
}

async function respondStored(c: Ctx, { at, thread, records, facts }: StoredResponse): Promise<Response> {
  const read = createPartReader(c.get("options").rt, at, thread);
  for await (const part of streamParts(facts, toEvents(records), read))
    if ("response" in part) return c.json(part.response);
  throw new Error("A response has no end.");
}

/**
 * Streams the frames of an existing response again with the same sequence numbers, and advances the run if no other
 * request does so.
 */
function streamAgain(c: Ctx, { at, thread, records, facts, running }: StoredResponse): Response {
  const options = c.get("options");
  const caller = c.get("caller");
  const after = c.req.query("starting_after") ?? "-1";
  if (!/^(-1|\d{1,9})$/.test(after)) return respondError(c, unsupported("starting_after", "must be a number.").problem);
  const allowed = running ? requireScope(caller, "advance") : ok(caller);
  if (!allowed.ok) return respondError(c, allowed.problem);
  const run = createProtocolRun(c, at);
  const rest = running ? runThread(run, { input: null, version: thread.version }) : null;
  const parts = streamParts(facts, toEvents(records, rest), createPartReader(options.rt, at, thread));
  return respondFrames(c, skip(Number(after) + 1, responseFrames(startedResponse(facts), parts)));
}

async function* skip(count: number, frames: AsyncIterable<Frame>): AsyncGenerator<Frame> {
  let n = 0;
  for await (const frame of frames) if (n++ >= count) yield frame;
}

async function* toEvents(
  records: readonly ThreadRecord[],
  rest: AsyncIterable<RunEvent> | null = null,
): AsyncGenerator<RunEvent> {
  for (const record of records) yield { type: "record", record };
  if (rest) yield* rest;
}

export async function cancelResponse(c: Ctx): Promise<Response> {
  const options = c.get("options");
  const stored = await findResponse(c);
  if (!stored.ok) return respondError(c, stored.problem);
  // If a later input has begun another response in the thread, cancelling would end that one. The response is returned
  // unchanged instead.
  if (stored.value.facts.closed) return respondStored(c, stored.value);
  const request = createTurnRequest(options, c.get("caller"), stored.value.at, { input: { type: "cancel" } });
  const cancelled = await advance(options.rt, request);
  if (!cancelled.ok && cancelled.problem.code !== "nothing_to_do") return respondError(c, cancelled.problem);
  const after = await findResponse(c);
  return after.ok ? respondStored(c, after.value) : respondError(c, after.problem);
}

/**
 * Deletes a response by deleting its thread, because single records of a log are never removed. Refused if the thread
 * contains other responses.
 */
export async function deleteResponse(c: Ctx): Promise<Response> {
  const stored = await findResponse(c);
  if (!stored.ok) return respondError(c, stored.problem);
  const { at, thread, facts } = stored.value;
  const all = await readRecords(c.get("options").rt, at, 0, thread.version);
  if (!all.ok) return respondError(c, all.problem);
  if (all.value.some(({ version, entry }) => version !== facts.first.version && beginsResponse(entry)))
    return respondError(
      c,
      unsupported("id", "its thread has other responses, and a log keeps all of them; delete the conversation.")
        .problem,
    );
  const removed = await removeWithWebhooks(c, at);
  if (!removed.ok) return respondError(c, removed.problem);
  return c.json({ id: responseId(at.thread, facts.first.version), object: "response", deleted: true });
}
