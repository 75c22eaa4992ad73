// Converts outcomes and problems to HTTP responses.
import type { Problem } from "../schema/problem.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { type AdvanceResponse, committedFailure, responseBody } from "./dispatch-turn.ts";
import type { Ctx } from "./env.ts";
import { hydrateOutcome } from "./hydrate-gate.ts";

/** Prevent caching, framing and sniffing. A response that already has one of these headers keeps its own. */
const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export type HeaderFields = Readonly<Record<string, string>>;

/** Passing all headers in one object is faster than setting them one by one. */
export function respondJson(c: Ctx, body: object, status = 200, headers?: HeaderFields): Response {
  c.set("is_complete", true);
  const request = { "content-type": "application/json", "x-request-id": c.get("request_id") };
  return new Response(JSON.stringify(body), { status, headers: { ...SECURITY_HEADERS, ...request, ...headers } });
}

/** For responses created elsewhere. A page keeps its own content security policy, which Hono's secureHeaders would overwrite. */
export function withBaseHeaders(c: Ctx, response: Response): Response {
  if (c.get("is_complete")) return response;
  const { headers } = response;
  headers.set("x-request-id", c.get("request_id"));
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  return response;
}

/** Without a `request_id`, a repeated request gets the same bytes. */
export function problemBody(problem: Problem, request_id: string | null) {
  const { code, message, hint, retry, status, details = {} } = problem;
  const fields = {
    type: `/problems/${code}`,
    title: code.replaceAll("_", " "),
    status,
    code,
    message,
    detail: message,
    hint,
    retry,
    ...(request_id === null ? {} : { request_id }),
  };
  // Details may add fields but never replace one. Spreading `fields` first also keeps them at the start of the body.
  return { ...fields, ...details, ...fields };
}

/** For a response outside of the app, where a request has no id. */
export const problemResponse = (problem: Problem): Response =>
  new Response(JSON.stringify(problemBody(problem, null)), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" },
  });

export function respondProblem(c: Ctx, problem: Problem, headers?: HeaderFields): Response {
  const { path } = c.req;
  const form = c.get("options").problem_forms.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  if (form) return form.respond(c, problem, headers);
  return sendProblem(c, problem, problemBody(problem, c.get("request_id")), headers);
}

/** The headers are the same in every format of the body. */
export function respondRefusal(c: Ctx, problem: Problem, body: object, headers?: HeaderFields): Response {
  const retryAfter = problem.details?.retry_after_s;
  c.set("problem_code", problem.code);
  return respondJson(c, body, problem.status, {
    ...(typeof retryAfter === "number" ? { "retry-after": String(Math.max(1, Math.ceil(retryAfter))) } : {}),
    ...(problem.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...headers,
  });
}

const sendProblem = (c: Ctx, problem: Problem, body: object, headers?: HeaderFields): Response =>
  respondRefusal(c, problem, body, { "content-type": "application/problem+json", ...headers });

/** For requests that change a thread without running a turn: create, run, pause or resume. */
export async function respondOutcome(
  c: Ctx,
  stored: TurnResult,
  replayed: boolean,
  status = 200,
  headers?: HeaderFields,
): Promise<Response> {
  const outcome = await hydrateOutcome(c.get("options").rt, c.get("caller").tenant, stored);
  if (!outcome.ok) return respondProblem(c, outcome.problem);
  return sendAdvanced(c, { kind: "turn", outcome: outcome.value, replayed, forked: null }, status, headers);
}

export function respondAdvanced(c: Ctx, response: AdvanceResponse): Response {
  if (response.kind === "queued") return respondJson(c, responseBody(response), 202);
  if (response.kind === "turns" || !response.forked) return sendAdvanced(c, response, 200);
  return sendAdvanced(c, response, 201, { location: `/v1/threads/${response.forked.thread}` });
}

function sendAdvanced(
  c: Ctx,
  response: Exclude<AdvanceResponse, { kind: "queued" }>,
  status: number,
  more?: HeaderFields,
): Response {
  const { outcome, replayed } = response;
  const headers = {
    etag: `"${outcome.thread.version}"`,
    ...(replayed ? { "idempotency-replayed": "true" } : {}),
    ...more,
  };
  const failure = committedFailure(response);
  // The request id is omitted, because a repeated request must get the same bytes.
  if (failure) return sendProblem(c, failure, { ...problemBody(failure, null), ...responseBody(response) }, headers);
  const isRunning = response.kind === "turn" && outcome.kind === "running";
  return respondJson(c, responseBody(response), isRunning ? 202 : status, headers);
}
