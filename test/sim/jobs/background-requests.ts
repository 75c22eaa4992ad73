// Changes requests in histories with background runs: runs them in the background, and sets if_busy.
import type { Random } from "../random.ts";
import type { SimRequest } from "../server.ts";

export function inBackground(random: Random, request: SimRequest): SimRequest {
  if (request.kind !== "create" || random.chance(0.15)) return request;
  return { ...request, input: { ...request.input, run: "background" } };
}

/**
 * Only messages can be sent during a run, so a client that sees a running thread sends a message instead of advancing
 * it.
 */
export function whileBusy(random: Random, request: SimRequest, text: string): SimRequest {
  if (request.kind !== "turn" || request.until !== null) return request;
  const input = request.input ?? (random.chance(0.6) ? ({ type: "message", text: text } as const) : null);
  if (input?.type !== "message") return request;
  const if_busy = random.weighted({ reject: 2, enqueue: 5, interrupt: 2, rollback: 1 });
  return { ...request, input, if_busy };
}
