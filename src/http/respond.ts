// Outcomes and problems as HTTP. Status, retry and hint come from the table; no handler invents them.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ok, type Problem, type Result } from "../schema/problem.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import type { MultiTurnResult } from "../turn/until.ts";
import { turnView } from "../turn/view.ts";
import type { Ctx } from "./env.ts";
import { hydrateOutcome } from "./hydrate-gate.ts";

/** The thread, the turn and what comes next: the same for every call that advances. */
export const outcomeBody = (outcome: TurnResult) => ({
  thread: outcome.thread,
  turn: outcome.turn,
  next: outcome.next,
});

/** Without a request id where the answer must have the same bytes when it is asked for again. */
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
  // Details add to it and never speak for it.
  return { ...fields, ...details, ...fields };
}

export const respondProblem = (c: Ctx, problem: Problem): Response =>
  sendProblem(c, problem, problemBody(problem, c.get("request_id")));

function sendProblem(c: Ctx, problem: Problem, body: object): Response {
  const retryAfter = problem.details?.retry_after_s;
  if (typeof retryAfter === "number") c.header("retry-after", String(Math.max(1, Math.ceil(retryAfter))));
  if (problem.status === 401) c.header("www-authenticate", "Bearer");
  c.set("problem_code", problem.code);
  return c.body(JSON.stringify(body), problem.status as ContentfulStatusCode, {
    "content-type": "application/problem+json",
  });
}

export async function respondOutcome(
  c: Ctx,
  stored: TurnResult,
  replayed: boolean,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const hydrated = await hydrateOutcome(c.get("options").rt, c.get("caller").tenant, stored);
  if (!hydrated.ok) return respondProblem(c, hydrated.problem);
  const outcome = hydrated.value;
  setTurnHeaders(c, outcome, replayed);
  if (outcome.kind === "failed") return respondStoredFailure(c, outcome.problem, outcomeBody(outcome));
  return c.json(outcomeBody(outcome), outcome.kind === "running" ? 202 : status);
}

export async function respondMultiTurn(c: Ctx, stored: MultiTurnResult): Promise<Response> {
  const hydrated = await hydrateMultiTurn(c, stored);
  if (!hydrated.ok) return respondProblem(c, hydrated.problem);
  const result = hydrated.value;
  setTurnHeaders(c, result.outcome, result.replayed);
  // Nothing but a failure came of it: told as one. After the first commit a problem is part of the answer.
  if (result.problem && result.turns.length === 1 && result.outcome.kind === "failed")
    return respondStoredFailure(c, result.problem, multiTurnBody(result));
  return c.json(multiTurnBody(result));
}

/** A failure that is in the log: told with what it left behind, in the same bytes whenever it is told again. */
const respondStoredFailure = (c: Ctx, problem: Problem, body: object): Response =>
  sendProblem(c, problem, { ...problemBody(problem, null), ...body });

export async function hydrateMultiTurn(c: Ctx, result: MultiTurnResult): Promise<Result<MultiTurnResult>> {
  const outcome = await hydrateOutcome(c.get("options").rt, c.get("caller").tenant, result.outcome);
  return outcome.ok ? ok({ ...result, outcome: outcome.value }) : outcome;
}

export function multiTurnBody(result: MultiTurnResult) {
  const turns = result.turns.map((records) => turnView(records));
  return {
    ...outcomeBody(result.outcome),
    turns,
    stopped: result.stopped,
    ...(result.problem ? { problem: result.problem } : {}),
  };
}

function setTurnHeaders(c: Ctx, outcome: TurnResult, replayed: boolean): void {
  c.header("etag", `"${outcome.thread.version}"`);
  if (replayed) c.header("idempotency-replayed", "true");
}
