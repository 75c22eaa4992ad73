// Returns an existing response from its records or as a stream, cancels its run, and deletes it.
import { requireScope } from "../../http/edge/caller.ts";
import type { Ctx } from "../../http/env.ts";
import type { Answer } from "../../http/route.ts";
import { createTurnRequest } from "../../http/turn-request.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { advance } from "../../turn/advance.ts";
import { readRecords } from "../../turn/load.ts";
import { nextAction } from "../../turn/view.ts";
import { createPartReader } from "../shared/parts.ts";
import { type Frame, respondFrames } from "../shared/respond.ts";
import { createProtocolRun, recordEvents, runThread } from "../shared/run-thread.ts";
import { findRun, type StoredRun } from "../shared/stored-run.ts";
import { removeWithWebhooks } from "./conversations.ts";
import { responseNotFound, unsupported } from "./errors.ts";
import { beginsResponse, parseResponseId, responseId } from "./ids.ts";
import { type ResponseFacts, startedResponse } from "./response.ts";
import { responseFrames, streamParts } from "./stream.ts";

type StoredResponse = StoredRun & { readonly facts: ResponseFacts; readonly running: boolean };

export async function getResponse(c: Ctx): Promise<Answer> {
  const stored = await findResponse(c);
  if (!stored.ok) return stored;
  return c.req.query("stream") === "true" ? replayStream(c, stored.value) : respondStored(c, stored.value);
}

export async function findResponse(c: Ctx): Promise<Result<StoredResponse>> {
  const id = c.req.param("id") ?? "";
  const ref = parseResponseId(id);
  const run = ref ? await findRun(c, ref, ({ entry }) => beginsResponse(entry)) : ok(null);
  if (!run.ok) return run;
  if (!run.value) return responseNotFound(id);
  const { at, thread, first, closed } = run.value;
  const background = first.state.background !== null;
  const facts = { at, first, previous_response_id: null, background, metadata: {}, closed };
  return ok({ ...run.value, facts, running: !closed && nextAction(thread.state) === "advance" });
}

async function respondStored(c: Ctx, { at, thread, records, facts }: StoredResponse): Promise<Response> {
  const read = createPartReader(c.get("options").rt, at, thread);
  for await (const part of streamParts(facts, recordEvents(records), read))
    if ("response" in part) return c.json(part.response);
  throw new Error("A response has no end.");
}

/** Frames that are sent again have the same sequence numbers. The run advances if no other request does so. */
function replayStream(c: Ctx, { at, thread, records, facts, running }: StoredResponse): Answer {
  const after = c.req.query("starting_after") ?? "-1";
  if (!/^(-1|\d{1,9})$/.test(after)) return unsupported("starting_after", "must be a number.");
  const allowed = running ? requireScope(c.get("caller"), "advance") : ok(undefined);
  if (!allowed.ok) return allowed;
  const rest = running ? runThread(createProtocolRun(c, at), { input: null, version: thread.version }) : null;
  const parts = streamParts(facts, recordEvents(records, rest), createPartReader(c.get("options").rt, at, thread));
  return respondFrames(c, skip(Number(after) + 1, responseFrames(startedResponse(facts), parts)));
}

async function* skip(count: number, frames: AsyncIterable<Frame>): AsyncGenerator<Frame> {
  let n = 0;
  for await (const frame of frames) if (n++ >= count) yield frame;
}

export async function cancelResponse(c: Ctx): Promise<Answer> {
  const options = c.get("options");
  const stored = await findResponse(c);
  if (!stored.ok) return stored;
  // If a later input has begun another response in the thread, cancelling would end that one. The response is returned
  // unchanged instead.
  if (stored.value.closed) return respondStored(c, stored.value);
  const request = createTurnRequest(options, c.get("caller"), stored.value.at, { input: { type: "cancel" } });
  const cancelled = await advance(options.rt, request);
  if (!cancelled.ok && cancelled.problem.code !== "nothing_to_do") return cancelled;
  const after = await findResponse(c);
  return after.ok ? respondStored(c, after.value) : after;
}

/** Deletes the whole thread, because single records of a log are never removed. */
export async function deleteResponse(c: Ctx): Promise<Answer> {
  const stored = await findResponse(c);
  if (!stored.ok) return stored;
  const { at, thread, first } = stored.value;
  const all = await readRecords(c.get("options").rt, at, 0, thread.version);
  if (!all.ok) return all;
  if (all.value.some(({ version, entry }) => version !== first.version && beginsResponse(entry)))
    return unsupported("id", "its thread has other responses, and a log keeps all of them; delete the conversation.");
  const removed = await removeWithWebhooks(c, at);
  if (!removed.ok) return removed;
  return c.json({ id: responseId(at.thread, first.version), object: "response", deleted: true });
}
