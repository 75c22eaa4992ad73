// The wishes of people where runs work in the background: let it drive itself, and what to do when it is busy.
import type { Random } from "../random.ts";
import type { SimRequest } from "../server.ts";

export function inBackground(random: Random, request: SimRequest): SimRequest {
  if (request.kind !== "create" || random.chance(0.15)) return request;
  return { ...request, input: { ...request.input, run: "background" } };
}

/** Only a message can come while a run is at work; and whoever sees one at work has something to say rather than to push. */
export function whileBusy(random: Random, request: SimRequest, text: string): SimRequest {
  if (request.kind !== "turn" || request.until !== null) return request;
  const input = request.input ?? (random.chance(0.6) ? ({ type: "message", text: text } as const) : null);
  if (input?.type !== "message") return request;
  const if_busy = random.weighted({ reject: 2, enqueue: 5, interrupt: 2, rollback: 1 });
  return { ...request, input, if_busy };
}
