// A turn as server-sent events: what is said while it happens, the durable events once committed, then the response.
import { streamSSE } from "hono/streaming";
import type { Clock } from "../ports/clock.ts";
import type { LiveEvent } from "../schema/event.ts";
import { type Problem, problem } from "../schema/problem.ts";
import { advance } from "../turn/advance.ts";
import { advanceUntil } from "../turn/until.ts";
import type { Ctx } from "./env.ts";
import { bodyOf, problemBody, ranBody, wholeRan } from "./respond.ts";
import type { TurnRequest } from "./turns.ts";
import { wholeOutcome, wholeProblem } from "./whole-gate.ts";

type Frame = { readonly event: string; readonly data: string; readonly id?: string };

export const frameOf = (event: LiveEvent): Frame => ({
  event: event.type,
  data: JSON.stringify(event),
  ...("seq" in event ? { id: String(event.seq) } : {}),
});

/** The turn does not depend on the reader: a client that goes away loses nothing but its view. */
export function streamTurn(c: Ctx, request: TurnRequest): Response {
  const { rt, log } = c.get("options");
  const request_id = c.get("request_id");
  return streamSSE(c, async (stream) => {
    // Frames are written one after another in the order of the events, whatever the reader's speed.
    let written = Promise.resolve();
    const send = (frame: Frame): void => {
      written = written.then(() => (stream.aborted ? undefined : stream.writeSSE(frame))).catch(() => undefined);
    };
    const patience = createPatience(rt.clock);
    const emit = (event: LiveEvent): Promise<void> => {
      request.call.emit(event);
      send(frameOf(event));
      return patience.await(written);
    };
    try {
      const { told, response } = await runTurn(c, { ...request, call: { ...request.call, emit } });
      if (told) send({ event: "problem", data: JSON.stringify(problemBody(told, request_id)) });
      if (response) send({ event: "response", data: JSON.stringify(response) });
    } catch (error) {
      log.error({ msg: "bug", request_id, error: error instanceof Error ? error.stack : String(error) });
      const bug = problem("internal", "Something went wrong that is not your fault.");
      send({ event: "problem", data: JSON.stringify(problemBody(bug, request_id)) });
    }
    await rt.faults.at("respond.before");
    await written;
  });
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
  { call, until, max_turns }: TurnRequest,
): Promise<{ told: Problem | null; response: object | null }> {
  const { rt, stopping } = c.get("options");
  if (until) {
    const ran = await advanceUntil(rt, call, max_turns, stopping);
    if (!ran.ok) return { told: await wholeProblem(rt, call.at, ran.problem), response: null };
    return { told: null, response: ranBody(await wholeRan(c, ran.value)) };
  }
  const advanced = await advance(rt, { ...call, last_turn: true });
  if (!advanced.ok) return { told: await wholeProblem(rt, call.at, advanced.problem), response: null };
  const outcome = await wholeOutcome(rt, call.at.tenant, advanced.value.outcome);
  return { told: outcome.kind === "failed" ? outcome.problem : null, response: bodyOf(outcome) };
}
