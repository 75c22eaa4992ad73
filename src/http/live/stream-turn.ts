// A turn as server-sent events: what is said while it happens, the durable events once committed, then the response.
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { sendOrAdvance } from "../../jobs/inbox/double-texting.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LiveEvent } from "../../schema/event.ts";
import { type Problem, problem } from "../../schema/problem.ts";
import { advanceUntil } from "../../turn/until.ts";
import type { Ctx } from "../env.ts";
import { hydrateOutcome, hydrateProblem } from "../hydrate-gate.ts";
import { hydrateMultiTurn, multiTurnBody, outcomeBody, problemBody, respondProblem } from "../respond.ts";
import { queuedBody } from "../routes/messages.ts";
import type { AdvanceRequest } from "../routes/turns.ts";

type Frame = { readonly event: string; readonly data: string; readonly id?: string };

export const toSseFrame = (event: LiveEvent): Frame => ({
  event: event.type,
  data: JSON.stringify(event),
  ...("seq" in event ? { id: String(event.seq) } : {}),
});

/**
 * The turn does not depend on the reader: a client that goes away loses nothing but its view.
 * A turn that is refused before anything was told is answered like any other request, with its own status.
 */
export async function streamTurn(c: Ctx, request: AdvanceRequest): Promise<Response> {
  const { rt } = c.get("options");
  const opened = Promise.withResolvers<SSEStreamingApi>();
  const firstFrame = Promise.withResolvers<"told">();
  // Frames are written one after another in the order of the events, whatever the reader's speed.
  let writes: Promise<unknown> = opened.promise;
  const send = async (frame: Frame): Promise<void> => {
    const stream = await opened.promise;
    if (!stream.aborted) await stream.writeSSE(frame);
  };
  const enqueueFrame = (frame: Frame): void => {
    writes = writes.then(() => send(frame)).catch(() => undefined);
    firstFrame.resolve("told");
  };
  const backpressure = createBackpressure(rt.clock);
  const emit = (event: LiveEvent): Promise<void> => {
    request.turnRequest.emit(event);
    enqueueFrame(toSseFrame(event));
    return backpressure.wait(writes);
  };
  const turn = runTurn(c, { ...request, turnRequest: { ...request.turnRequest, emit } });
  const first = await Promise.race([firstFrame.promise, turn]);
  if (first !== "told" && first.failure && !first.response) {
    await rt.faults.at("respond.before");
    return respondProblem(c, first.failure);
  }
  return streamSSE(c, async (stream) => {
    opened.resolve(stream);
    for (const frame of await finalFrames(c, turn)) enqueueFrame(frame);
    await rt.faults.at("respond.before");
    await writes;
  });
}

async function finalFrames(c: Ctx, turn: ReturnType<typeof runTurn>): Promise<readonly Frame[]> {
  const request_id = c.get("request_id");
  const problemFrame = (failure: Problem): Frame => ({
    event: "problem",
    data: JSON.stringify(problemBody(failure, request_id)),
  });
  try {
    const { failure, response } = await turn;
    return [
      ...(failure ? [problemFrame(failure)] : []),
      ...(response ? [{ event: "response", data: JSON.stringify(response) }] : []),
    ];
  } catch (error) {
    c.get("options").log.error({
      msg: "bug",
      request_id,
      error: error instanceof Error ? error.stack : String(error),
    });
    return [problemFrame(problem("internal", "Something went wrong that is not your fault."))];
  }
}

const BACKPRESSURE_TIMEOUT_MS = 1_000;

/** A tool goes no faster than its reader, but does not hang on one that has stopped reading: that is waited for once. */
function createBackpressure(clock: Clock) {
  let isWaiting = true;
  return {
    async wait(written: Promise<unknown>): Promise<void> {
      if (!isWaiting) return;
      const timer = new AbortController();
      const timeout = clock.sleep(BACKPRESSURE_TIMEOUT_MS, timer.signal).then(() => true);
      isWaiting = !(await Promise.race([written.then(() => false), timeout]));
      timer.abort();
    },
  };
}

/** A stored failure is both: a problem, and what it left behind. */
async function runTurn(
  c: Ctx,
  { turnRequest, until, max_turns, if_busy }: AdvanceRequest,
): Promise<{ failure: Problem | null; response: object | null }> {
  const { rt, stopping } = c.get("options");
  if (until) {
    const result = await advanceUntil(rt, turnRequest, max_turns, stopping);
    if (!result.ok) return { failure: await hydrateProblem(rt, turnRequest.at, result.problem), response: null };
    const hydrated = await hydrateMultiTurn(c, result.value);
    return hydrated.ok
      ? { failure: null, response: multiTurnBody(hydrated.value) }
      : { failure: hydrated.problem, response: null };
  }
  const sent = await sendOrAdvance(rt, { ...turnRequest, last_turn: true }, if_busy);
  if (!sent.ok) return { failure: await hydrateProblem(rt, turnRequest.at, sent.problem), response: null };
  if (sent.value.kind === "queued") return { failure: null, response: queuedBody(sent.value.position) };
  const hydrated = await hydrateOutcome(rt, turnRequest.at.tenant, sent.value.advanced.outcome);
  if (!hydrated.ok) return { failure: hydrated.problem, response: null };
  const outcome = hydrated.value;
  return { failure: outcome.kind === "failed" ? outcome.problem : null, response: outcomeBody(outcome) };
}
