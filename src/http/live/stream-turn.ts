// Responds to a turn with server-sent events: live ones while it runs, durable ones after the commit, then the response.
import type { SSEStreamingApi } from "hono/streaming";
import type { Clock } from "../../ports/clock.ts";
import type { LiveEvent } from "../../schema/event.ts";
import { type Problem, problem, type Result } from "../../schema/problem.ts";
import { type AdvanceResponse, committedFailure, responseBody } from "../dispatch-turn.ts";
import type { Ctx } from "../env.ts";
import { logBug } from "../log-bug.ts";
import { problemBody, respondProblem } from "../respond.ts";
import { respondEventStream } from "./event-stream.ts";

type Frame = { readonly event: string; readonly data: string; readonly id?: string };
type Listener = (event: LiveEvent) => Promise<void>;

export const toSseFrame = (event: LiveEvent): Frame => ({
  event: event.type,
  data: JSON.stringify(event),
  ...("seq" in event ? { id: String(event.seq) } : {}),
});

/** The turn continues if the client disconnects. If it is refused before its first event, the response has the status of its problem. */
export async function streamTurn(
  c: Ctx,
  start: (listener: Listener) => Promise<Result<AdvanceResponse>>,
): Promise<Response> {
  const { rt } = c.get("options");
  const opened = Promise.withResolvers<SSEStreamingApi>();
  const firstFrame = Promise.withResolvers<"started">();
  // Frames are written one at a time in the order of the events, as fast as the client reads them.
  let writes: Promise<unknown> = opened.promise;
  const send = async (frame: Frame): Promise<void> => {
    const stream = await opened.promise;
    if (!stream.aborted) await stream.writeSSE(frame);
  };
  const enqueueFrame = (frame: Frame): void => {
    writes = writes.then(() => send(frame)).catch(() => undefined);
    firstFrame.resolve("started");
  };
  const backpressure = createBackpressure(rt.clock);
  const turn = start((event) => {
    enqueueFrame(toSseFrame(event));
    return backpressure.wait(writes);
  });
  const first = await Promise.race([firstFrame.promise, turn]);
  if (first !== "started" && !first.ok) {
    await rt.faults.at("respond.before");
    return respondProblem(c, first.problem);
  }
  return respondEventStream(c, async (stream) => {
    opened.resolve(stream);
    for (const frame of await finalFrames(c, turn)) enqueueFrame(frame);
    await rt.faults.at("respond.before");
    await writes;
  });
}

async function finalFrames(c: Ctx, turn: Promise<Result<AdvanceResponse>>): Promise<readonly Frame[]> {
  const request_id = c.get("request_id");
  const problemFrame = (failure: Problem): Frame => ({
    event: "problem",
    data: JSON.stringify(problemBody(failure, request_id)),
  });
  try {
    const response = await turn;
    if (!response.ok) return [problemFrame(response.problem)];
    // The body of a multi-turn response already contains its problem.
    const failure = response.value.kind === "turn" ? committedFailure(response.value) : null;
    const body: Frame = { event: "response", data: JSON.stringify(responseBody(response.value)) };
    return failure ? [problemFrame(failure), body] : [body];
  } catch (error) {
    logBug(c.get("options"), request_id, error);
    return [problemFrame(problem("internal", "Internal error. The request may be retried."))];
  }
}

const BACKPRESSURE_TIMEOUT_MS = 1_000;

/** Slows a tool down to the speed at which the client reads its output. Once a write has timed out, the tool is never delayed again. */
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
