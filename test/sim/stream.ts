// Reads streamed turns from the connection until the response is complete or the client disconnects.
import type { DurableEvent } from "../../src/schema/event.ts";
import type { SimRequest, SimResponse } from "./server.ts";
import { parseResponse } from "./web.ts";

export const isStream = (response: Response): boolean =>
  (response.headers.get("content-type") ?? "").startsWith("text/event-stream") && response.body !== null;

/** Splits arbitrary chunks into complete frames. */
export function createFrameParser(): (piece: Uint8Array) => readonly string[] {
  const decoder = new TextDecoder();
  let rest = "";
  return (piece) => {
    const frames = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = frames.pop() ?? "";
    return frames;
  };
}

export const isDurable = (frame: string): boolean => /^id: /m.test(frame);
export const dataOf = (frame: string): unknown => JSON.parse(textOf(frame));
const textOf = (frame: string): string => /^data: (.*)$/m.exec(frame)?.[1] ?? "null";
const typeOf = (frame: string): string => /^event: (.*)$/m.exec(frame)?.[1] ?? "";

/**
 * The response for a client that disconnects. It does not know the outcome of the turn and continues reading events
 * later.
 */
const HUNG_UP: SimResponse = { code: "hung_up", body: "", replayed: false, outcome: null, problem: null, final: false };

type Turn = Extract<SimRequest, { kind: "turn" }>;

export async function readTurn(
  request: Turn,
  { events, disconnect_after }: NonNullable<Turn["stream"]>,
  response: Response,
): Promise<SimResponse> {
  if (!response.body) return HUNG_UP;
  const reader = response.body.getReader();
  const parseFrames = createFrameParser();
  let problem: string | null = null;
  let body: string | null = null;
  let received = 0;
  for (;;) {
    const piece = await reader.read();
    if (piece.done) break;
    for (const frame of parseFrames(piece.value)) {
      if (isDurable(frame)) {
        if (disconnect_after !== null && received++ >= disconnect_after) {
          await reader.cancel();
          return HUNG_UP;
        }
        events.push(dataOf(frame) as DurableEvent);
      }
      if (typeOf(frame) === "problem") problem = textOf(frame);
      if (typeOf(frame) === "response") body = textOf(frame);
    }
  }
  return finalResponse(request, problem, body);
}

const JSON_BODY = { status: 200, headers: new Headers({ "content-type": "application/json" }) };
const FAILED = { status: 500, headers: new Headers({ "content-type": "application/problem+json" }) };

/**
 * Combines the frames of a stored failure, which is streamed as a problem plus its result. A direct response contains
 * both.
 */
function finalResponse(request: Turn, problem: string | null, body: string | null): SimResponse {
  if (body === null && problem === null) return HUNG_UP;
  if (body === null) return parseResponse(request, FAILED, problem ?? "{}");
  const answer = parseResponse(request, JSON_BODY, body);
  // Without streaming, only a failure has a different format.
  if (problem === null) return answer.problem ? { ...answer, final: false } : answer;
  return { ...answer, code: (JSON.parse(problem) as { code: string }).code, final: false };
}
