// Outcomes and problems as HTTP. Status, retry and hint come from the table; no handler invents them.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { TurnOutcome } from "../schema/outcome.ts";
import type { Problem } from "../schema/problem.ts";
import type { Ran } from "../turn/until.ts";
import { turnView } from "../turn/view.ts";
import type { Ctx } from "./env.ts";

/** The thread, the turn and what comes next: the same for every call that advances. */
export const bodyOf = (outcome: TurnOutcome) => ({ thread: outcome.thread, turn: outcome.turn, next: outcome.next });

export function problemBody(problem: Problem, request_id: string) {
  const { code, message, hint, retry, status, details } = problem;
  return {
    type: `/problems/${code}`,
    title: code.replaceAll("_", " "),
    status,
    code,
    message,
    detail: message,
    hint,
    retry,
    request_id,
    ...details,
  };
}

export function respondProblem(c: Ctx, problem: Problem, more: Record<string, unknown> = {}): Response {
  const wait = problem.details?.["retry_after_s"];
  if (typeof wait === "number") c.header("retry-after", String(Math.max(1, Math.ceil(wait))));
  const body = { ...problemBody(problem, c.get("request_id")), ...more };
  return c.body(JSON.stringify(body), problem.status as ContentfulStatusCode, {
    "content-type": "application/problem+json",
  });
}

export function respondOutcome(
  c: Ctx,
  outcome: TurnOutcome,
  replayed: boolean,
  status: ContentfulStatusCode = 200,
): Response {
  markHeaders(c, outcome, replayed);
  if (outcome.kind === "failed") return respondProblem(c, outcome.problem, bodyOf(outcome));
  return c.json(bodyOf(outcome), outcome.kind === "running" ? 202 : status);
}

export function respondRan(c: Ctx, ran: Ran): Response {
  markHeaders(c, ran.outcome, ran.replayed);
  // Nothing but a failure came of it: told as one. After the first commit a problem is part of the answer.
  if (ran.problem && ran.turns.length === 1 && ran.outcome.kind === "failed")
    return respondProblem(c, ran.problem, ranBody(ran));
  return c.json(ranBody(ran));
}

export function ranBody(ran: Ran) {
  const turns = ran.turns.map((records) => turnView(records));
  return { ...bodyOf(ran.outcome), turns, stopped: ran.stopped, ...(ran.problem ? { problem: ran.problem } : {}) };
}

function markHeaders(c: Ctx, outcome: TurnOutcome, replayed: boolean): void {
  c.header("etag", `"${outcome.thread.version}"`);
  if (replayed) c.header("idempotency-replayed", "true");
}
