// A turn as server-sent events: what is said while it happens, the durable events once committed, then the response.
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { sendOrAdvance } from "../../jobs/inbox/double-texting.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LiveEvent } from "../../schema/event.ts";
import { type Problem, problem } from "../../schema/problem.ts";
import { advanceUntil } from "../../turn/until.ts";
import type { Ctx } from "../env.ts";
import { bodyOf, problemBody, ranBody, respondProblem, wholeRan } from "../respond.ts";
import { queuedBody } from "../routes/messages.ts";
import type { TurnRequest } from "../routes/turns.ts";
import { wholeOutcome, wholeProblem } from "../whole-gate.ts";

type Frame = { readonly event: string; readonly data: string; readonly id?: string };

export const frameOf = (event: LiveEvent): Frame => ({
  event: event.type,
  data: JSON.stringify(event),
  ...("seq" in event ? { id: String(event.seq) } : {}),
});

/**
 * The turn does not depend on the reader: a client that goes away loses nothing but its view.
 * A turn that is refused before anything was told is answered like any other request, with its own status.
 */
export async function streamTurn(c: Ctx, request: TurnRequest): Promise<Response> {
  const { rt } = c.get("options");
  const opened = Promise.withResolvers<SSEStreamingApi>();
  const begun = Promise.withResolvers<"told">();
  // Frames are written one after another in the order of the events, whatever the reader's speed.
  let written: Promise<unknown> = opened.promise;
  const send = async (frame: Frame): Promise<void> => {
    const stream = await opened.promise;
    if (!stream.aborted) await stream.writeSSE(frame);
  };
  const tell = (frame: Frame): void => {
    written = written.then(() => send(frame)).catch(() => undefined);
    begun.resolve("told");
  };
  const patience = createPatience(rt.clock);
  const emit = (event: LiveEvent): Promise<void> => {
    request.call.emit(event);
    tell(frameOf(event));
    return patience.await(written);
  };
  const turn = runTurn(c, { ...request, call: { ...request.call, emit } });
  const first = await Promise.race([begun.promise, turn]);
  if (first !== "told" && first.told && !first.response) {
    await rt.faults.at("respond.before");
    return respondProblem(c, first.told);
  }
  return streamSSE(c, async (stream) => {
    opened.resolve(stream);
    for (const frame of await lastFrames(c, turn)) tell(frame);
    await rt.faults.at("respond.before");
    await written;
  });
}

async function lastFrames(c: Ctx, turn: ReturnType<typeof runTurn>): Promise<readonly Frame[]> {
  const request_id = c.get("request_id");
  const problemFrame = (told: Problem): Frame => ({
    event: "problem",
    data: JSON.stringify(problemBody(told, request_id)),
  });
  try {
    const { told, response } = await turn;
    return [
      ...(told ? [problemFrame(told)] : []),
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

const PATIENCE_MS = 1_000;

/** A tool goes no faster than its reader, but does not hang on one that has stopped reading: that is waited for once. */
function createPatience(clock: Clock) {
  let patient = true;
  return {
    async await(written: Promise<unknown>): Promise<void> {
      if (!patient) return;
      const timer = new AbortController();
      const late = clock.sleep(PATIENCE_MS, timer.signal).then(() => true);
      patient = !(await Promise.race([written.then(() => false), late]));
      timer.abort();
    },
  };
}

/** A stored failure is both: a problem, and what it left behind. */
async function runTurn(
  c: Ctx,
  { call, until, max_turns, if_busy }: TurnRequest,
): Promise<{ told: Problem | null; response: object | null }> {
  const { rt, stopping } = c.get("options");
  if (until) {
    const ran = await advanceUntil(rt, call, max_turns, stopping);
    if (!ran.ok) return { told: await wholeProblem(rt, call.at, ran.problem), response: null };
    const whole = await wholeRan(c, ran.value);
    return whole.ok ? { told: null, response: ranBody(whole.value) } : { told: whole.problem, response: null };
  }
  const sent = await sendOrAdvance(rt, { ...call, last_turn: true }, if_busy);
  if (!sent.ok) return { told: await wholeProblem(rt, call.at, sent.problem), response: null };
  if (sent.value.kind === "queued") return { told: null, response: queuedBody(sent.value.position) };
  const whole = await wholeOutcome(rt, call.at.tenant, sent.value.advanced.outcome);
  if (!whole.ok) return { told: whole.problem, response: null };
  const outcome = whole.value;
  return { told: outcome.kind === "failed" ? outcome.problem : null, response: bodyOf(outcome) };
}
