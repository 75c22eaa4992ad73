// Serves requests over HTTP: converts them to real requests for the real app and parses the real responses.
import { signedHeaders } from "../../src/jobs/webhooks/sign.ts";
import { isoTime } from "../../src/ports/clock.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import type { Problem } from "../../src/schema/problem.ts";
import { type HttpRequest, lightRequest } from "./light-http.ts";
import type { SimResponse, SimRequest as Wanted } from "./server.ts";
import { createFrameParser, dataOf, isDurable, isStream, readTurn } from "./stream.ts";
import type { WebApp } from "./web-app.ts";
import type { World } from "./world.ts";

export async function serveOverHttp(
  world: World,
  web: WebApp,
  request: Wanted,
  strippedHeader: string | null = null,
): Promise<SimResponse> {
  if (request.kind === "events") return readEventStream(world, web, request.at, request.after, strippedHeader);
  const response = await send(world, web, toHttpRequest(request, web.owner.rt.clock.now()));
  if (request.kind === "turn" && request.stream && isStream(response))
    return readTurn(request, request.stream, response);
  const text = await response.text();
  return parseResponse(request, response, text);
}

/** Histories that validate all rows use the platform's requests and responses, and must give the same results. */
function send({ validatesRows }: World, { app }: WebApp, request: HttpRequest): Promise<Response> | Response {
  const { path, ...init } = request;
  return validatesRows ? app.request(path, init) : app.fetch(...lightRequest(request));
}

function toHttpRequest(request: Exclude<Wanted, { kind: "events" }>, now: number): HttpRequest {
  const headersFor = (who: string, more: Record<string, string | null> = {}): Record<string, string> =>
    withoutNulls({ authorization: who, ...more });
  const json = { "content-type": "application/json" };
  switch (request.kind) {
    case "create": {
      const headers = headersFor(`${request.tenant}/${request.actor}`, { ...json, "idempotency-key": request.key });
      return { method: "POST", path: "/v1/threads", headers, body: JSON.stringify(request.input) };
    }
    case "turn": {
      const { at, actor, input, budget, if_match, key, until, if_busy } = request;
      const match = if_match === null ? null : `"${if_match}"`;
      return {
        method: "POST",
        path: `/v1/threads/${at.thread}/turns${until === null ? "" : `?until=pause&max_turns=${until}`}`,
        headers: headersFor(`${at.tenant}/${actor}`, {
          ...json,
          "idempotency-key": key,
          "if-match": match,
          accept: request.stream ? "text/event-stream" : null,
        }),
        body: JSON.stringify({
          ...(input ? { input } : {}),
          ...(budget ? { budget } : {}),
          ...(if_busy ? { if_busy } : {}),
        }),
      };
    }
    case "switch": {
      const { at, actor, key, to } = request;
      const headers = headersFor(`${at.tenant}/${actor}`, { "idempotency-key": key });
      return { method: "POST", path: `/v1/threads/${at.thread}/${to}`, headers };
    }
    case "read":
      return {
        method: "GET",
        path: `/v1/threads/${request.at.thread}`,
        headers: headersFor(`${request.at.tenant}/zz`),
      };
    case "prompt": {
      const path = `/v1/threads/${request.at.thread}/turns/${request.turn}/prompt`;
      return { method: "GET", path, headers: headersFor(`${request.at.tenant}/zz`) };
    }
    case "fork": {
      const body = JSON.stringify({ turn: request.turn });
      const path = `/v1/threads/${request.at.thread}/fork`;
      return { method: "POST", path, headers: headersFor(`${request.at.tenant}/zz`, json), body };
    }
    case "api": {
      const { method, path, body, key, sign, if_match } = request;
      const type = request.form ? "application/x-www-form-urlencoded" : (request.type ?? "application/json");
      const headers = headersFor(`${request.tenant}/${request.actor}`, {
        "content-type": body === null ? null : type,
        "idempotency-key": key,
        "if-match": if_match === undefined ? null : `"${if_match}"`,
        ...(sign && body !== null ? signed(sign, body, now) : {}),
      });
      return { method, path, headers, ...(body === null ? {} : { body }) };
    }
  }
}

function withoutNulls(headers: Readonly<Record<string, string | null>>): Record<string, string> {
  const present: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== null) present[name] = value;
  return present;
}

/** Signs an attempt. The sender uses the same id for every attempt. */
const signed = (sign: { readonly secret: string; readonly id: string }, body: string, now: number) =>
  signedHeaders([{ secret: sign.secret, created_at: isoTime(0), expires_at: null }], sign.id, now, body);

type Body = {
  readonly code?: string;
  readonly thread?: unknown;
  readonly turn?: { readonly problem: unknown } | null;
  readonly next?: unknown;
  readonly queued?: true;
  readonly stopped?: string;
  readonly messages?: unknown;
  readonly problem?: Problem;
};

type Head = Pick<Response, "status"> & { readonly headers: Pick<Headers, "get"> };

export function parseResponse(request: Wanted, response: Head, text: string): SimResponse {
  const type = response.headers.get("content-type") ?? "";
  const body = (/[/+]json/.test(type) && text !== "" ? JSON.parse(text) : {}) as Body;
  const hasOutcome = body.thread !== undefined && body.next !== undefined;
  const outcome = hasOutcome
    ? ({ thread: body.thread, turn: body.turn, next: body.next } as SimResponse["outcome"])
    : null;
  const failed = type.startsWith("application/problem+json");
  const open = body.stopped === "time" || (body.stopped === "problem" && !body.turn?.problem);
  const shown = request.kind === "prompt" && !failed ? JSON.stringify(body.messages) : text;
  return {
    code: failed ? (body.code ?? "") : responseCode(request, response, body),
    body: shown,
    replayed: response.headers.get("idempotency-replayed") === "true",
    outcome,
    problem: failed ? ({ ...body, details: body } as unknown as Problem) : (body.problem ?? null),
    final: outcome !== null && isSettled(outcome) && !open && request.kind !== "read" && request.kind !== "fork",
  };
}

/** Reports whether a response is complete. One that was sent while its call was still running is not. */
export const isSettled = ({ turn }: NonNullable<SimResponse["outcome"]>): boolean =>
  turn?.receipts.at(-1)?.kind !== "intended";

/** Returns the code of a response. HTML pages have a status but no code. */
function responseCode(request: Wanted, { status }: Head, body: Body): string {
  if (request.kind === "api" && status >= 400) return `status_${status}`;
  return body.queued ? "queued" : "ok";
}

/** The number of frames to read per connection. */
const FRAMES_MAX = 9;
const LISTEN_MS = 1_500;

/** Reads a stream for a while and disconnects. A reconnecting reader sends its last event id. */
async function readEventStream(
  world: World,
  web: WebApp,
  at: ThreadRef,
  after: number,
  strippedHeader: string | null,
): Promise<SimResponse> {
  const headers = {
    authorization: `${at.tenant}/zz`,
    accept: "text/event-stream",
    ...(after < 0 || (strippedHeader === "last-event-id" && !world.faultsStopped())
      ? {}
      : { "last-event-id": String(after) }),
  };
  const response = await send(world, web, { method: "GET", path: `/v1/threads/${at.thread}/events`, headers });
  if (response.status !== 200 || !response.body)
    return parseResponse({ kind: "events", at, after }, response, await response.text());
  const reader = response.body.getReader();
  const disconnect = new AbortController();
  const timedOut = world.wait(null, "listen", LISTEN_MS, disconnect.signal).then(() => null);
  const events: unknown[] = [];
  const framesIn = createFrameParser();
  while (events.length < FRAMES_MAX) {
    const piece = await Promise.race([reader.read(), timedOut]);
    if (piece === null || piece.done) break;
    for (const frame of framesIn(piece.value)) if (isDurable(frame)) events.push(dataOf(frame));
  }
  disconnect.abort(null);
  await reader.cancel();
  const received = events.slice(0, FRAMES_MAX);
  return { code: "ok", body: JSON.stringify(received), replayed: false, outcome: null, problem: null, final: false };
}
