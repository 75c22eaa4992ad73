// Outcomes and problems as HTTP. Status, retry and hint come from the table; no handler invents them.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { TurnOutcome } from "../schema/outcome.ts";
import { ok, type Problem, type Result } from "../schema/problem.ts";
import type { MultiTurnResult } from "../turn/until.ts";
import { turnView } from "../turn/view.ts";
import type { Ctx } from "./env.ts";
import { wholeOutcome } from "./whole-gate.ts";

/** The thread, the turn and what comes next: the same for every call that advances. */
export const bodyOf = (outcome: TurnOutcome) => ({ thread: outcome.thread, turn: outcome.turn, next: outcome.next });

/** Without a request id where the answer must have the same bytes when it is asked for again. */
export function problemBody(problem: Problem, request_id: string | null) {
  const { code, message, hint, retry, status, details = {} } = problem;
  const told = {
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
  return { ...told, ...details, ...told };
}

export const respondProblem = (c: Ctx, problem: Problem): Response =>
  sendProblem(c, problem, problemBody(problem, c.get("request_id")));

function sendProblem(c: Ctx, problem: Problem, body: object): Response {
  const wait = problem.details?.retry_after_s;
  if (typeof wait === "number") c.header("retry-after", String(Math.max(1, Math.ceil(wait))));
  if (problem.status === 401) c.header("www-authenticate", "Bearer");
  c.set("problem_code", problem.code);
  return c.body(JSON.stringify(body), problem.status as ContentfulStatusCode, {
    "content-type": "application/problem+json",
  });
}

export async function respondOutcome(
  c: Ctx,
  made: TurnOutcome,
  replayed: boolean,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const whole = await wholeOutcome(c.get("options").rt, c.get("caller").tenant, made);
  if (!whole.ok) return respondProblem(c, whole.problem);
  const outcome = whole.value;
  markHeaders(c, outcome, replayed);
  if (outcome.kind === "failed") return respondStored(c, outcome.problem, bodyOf(outcome));
  return c.json(bodyOf(outcome), outcome.kind === "running" ? 202 : status);
}

export async function respondRan(c: Ctx, made: MultiTurnResult): Promise<Response> {
  const whole = await wholeRan(c, made);
  if (!whole.ok) return respondProblem(c, whole.problem);
  const ran = whole.value;
  markHeaders(c, ran.outcome, ran.replayed);
  // Nothing but a failure came of it: told as one. After the first commit a problem is part of the answer.
  if (ran.problem && ran.turns.length === 1 && ran.outcome.kind === "failed")
    return respondStored(c, ran.problem, ranBody(ran));
  return c.json(ranBody(ran));
}

/** A failure that is in the log: told with what it left behind, in the same bytes whenever it is told again. */
const respondStored = (c: Ctx, problem: Problem, more: object): Response =>
  sendProblem(c, problem, { ...problemBody(problem, null), ...more });

export async function wholeRan(c: Ctx, ran: MultiTurnResult): Promise<Result<MultiTurnResult>> {
  const outcome = await wholeOutcome(c.get("options").rt, c.get("caller").tenant, ran.outcome);
  return outcome.ok ? ok({ ...ran, outcome: outcome.value }) : outcome;
}

export function ranBody(ran: MultiTurnResult) {
  const turns = ran.turns.map((records) => turnView(records));
  return { ...bodyOf(ran.outcome), turns, stopped: ran.stopped, ...(ran.problem ? { problem: ran.problem } : {}) };
}

function markHeaders(c: Ctx, outcome: TurnOutcome, replayed: boolean): void {
  c.header("etag", `"${outcome.thread.version}"`);
  if (replayed) c.header("idempotency-replayed", "true");
}
