// Outcomes and problems as HTTP responses. Status, retry and hint of a problem come from its table.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Problem } from "../schema/problem.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { type AdvanceResponse, committedFailure, responseBody } from "./dispatch-turn.ts";
import type { Ctx } from "./env.ts";
import { hydrateOutcome } from "./hydrate-gate.ts";

/** `request_id` is null where a repeated request must get the same bytes. */
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
  // Details add fields and never replace one; spreading first keeps their position.
  return { ...fields, ...details, ...fields };
}

export function respondProblem(c: Ctx, problem: Problem): Response {
  const { path } = c.req;
  const form = c.get("options").problem_forms.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  return form ? form.respond(c, problem) : sendProblem(c, problem, problemBody(problem, c.get("request_id")));
}

/** The headers of a refusal, whatever the form of its body. */
export function setProblemHeaders(c: Ctx, problem: Problem): void {
  const retryAfter = problem.details?.retry_after_s;
  if (typeof retryAfter === "number") c.header("retry-after", String(Math.max(1, Math.ceil(retryAfter))));
  if (problem.status === 401) c.header("www-authenticate", "Bearer");
  c.set("problem_code", problem.code);
}

function sendProblem(c: Ctx, problem: Problem, body: object): Response {
  setProblemHeaders(c, problem);
  return c.body(JSON.stringify(body), problem.status as ContentfulStatusCode, {
    "content-type": "application/problem+json",
  });
}

/** The outcome of a request that changes a thread without a turn: create, run, pause, resume. */
export async function respondOutcome(
  c: Ctx,
  stored: TurnResult,
  replayed: boolean,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const outcome = await hydrateOutcome(c.get("options").rt, c.get("caller").tenant, stored);
  if (!outcome.ok) return respondProblem(c, outcome.problem);
  return sendAdvanced(c, { kind: "turn", outcome: outcome.value, replayed, forked: null }, status);
}

/** The response of the dispatcher as JSON. */
export function respondAdvanced(c: Ctx, response: AdvanceResponse): Response {
  if (response.kind === "queued") return c.json(responseBody(response), 202);
  if (response.kind === "turns" || !response.forked) return sendAdvanced(c, response, 200);
  c.header("location", `/v1/threads/${response.forked.thread}`);
  return sendAdvanced(c, response, 201);
}

function sendAdvanced(
  c: Ctx,
  response: Exclude<AdvanceResponse, { kind: "queued" }>,
  status: ContentfulStatusCode,
): Response {
  const { outcome, replayed } = response;
  c.header("etag", `"${outcome.thread.version}"`);
  if (replayed) c.header("idempotency-replayed", "true");
  const failure = committedFailure(response);
  // The request id is omitted, because a repeated request must get the same bytes.
  if (failure) return sendProblem(c, failure, { ...problemBody(failure, null), ...responseBody(response) });
  return c.json(responseBody(response), response.kind === "turn" && outcome.kind === "running" ? 202 : status);
}
