// Problems in the form of OpenAI's errors, with Pawl's code.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Ctx } from "../../http/env.ts";
import { type Failed, fail, type Problem } from "../../schema/problem.ts";

export const errorBody = ({ code, message, hint, status, details }: Problem) => ({
  error: {
    message: `${message} ${hint}`,
    type: status >= 500 ? "server_error" : "invalid_request_error",
    param: typeof details?.field === "string" ? details.field : null,
    code,
  },
});

/** The client repeats conflicts by itself, which helps only while a turn is running. */
export function respondError(c: Ctx, problem: Problem): Response {
  c.set("problem_code", problem.code);
  if (problem.status === 409 && problem.code !== "turn_running") c.header("x-should-retry", "false");
  const after = problem.details?.retry_after_s;
  if (typeof after === "number") c.header("retry-after", String(Math.max(1, Math.ceil(after))));
  return c.json(errorBody(problem), problem.status as ContentfulStatusCode);
}

export const unsupported = (param: string, why: string): Failed =>
  fail("request_invalid", `${param}: ${why}`, { field: param });

export const responseNotFound = (id: string): Failed =>
  fail("thread_not_found", `There is no response ${JSON.stringify(id.slice(0, 80))}.`);
