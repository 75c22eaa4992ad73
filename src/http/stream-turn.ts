// A turn as server-sent events: what is said while it happens, the durable events once committed, then the response.
import { streamSSE } from "hono/streaming";
import type { LiveEvent } from "../schema/event.ts";
import type { Problem } from "../schema/problem.ts";
import { advance } from "../turn/advance.ts";
import { advanceUntil } from "../turn/until.ts";
import type { Ctx } from "./env.ts";
import { bodyOf, problemBody, ranBody } from "./respond.ts";
import type { TurnRequest } from "./turns.ts";

type Frame = { readonly event: string; readonly data: string; readonly id?: string };

export const frameOf = (event: LiveEvent): Frame => ({
  event: event.type,
  data: JSON.stringify(event),
  ...("seq" in event ? { id: String(event.seq) } : {}),
});

/** The turn does not depend on the reader: a client that goes away loses nothing but its view. */
export function streamTurn(c: Ctx, request: TurnRequest): Response {
  const { rt } = c.get("options");
  const request_id = c.get("request_id");
  return streamSSE(c, async (stream) => {
    // Frames are written one after another in the order of the events, whatever the reader's speed.
    let written = Promise.resolve();
    const send = (frame: Frame): void => {
      written = written.then(() => (stream.aborted ? undefined : stream.writeSSE(frame))).catch(() => undefined);
    };
    const call = {
      ...request.call,
      emit: (event: LiveEvent) => {
        request.call.emit(event);
        send(frameOf(event));
      },
    };
    const problem = (told: Problem): void =>
      send({ event: "problem", data: JSON.stringify(problemBody(told, request_id)) });
    if (request.until) {
      const ran = await advanceUntil(rt, call, request.max_turns);
      if (ran.ok) send({ event: "response", data: JSON.stringify(ranBody(ran.value)) });
      else problem(ran.problem);
    } else {
      const advanced = await advance(rt, { ...call, last_turn: true });
      if (!advanced.ok) problem(advanced.problem);
      else if (advanced.value.outcome.kind === "failed") problem(advanced.value.outcome.problem);
      if (advanced.ok) send({ event: "response", data: JSON.stringify(bodyOf(advanced.value.outcome)) });
    }
    await rt.faults.at("respond.before");
    await written;
  });
}
