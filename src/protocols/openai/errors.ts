// Converts problems to OpenAI's errors, with Pawl's own code.
import * as z from "zod";
import type { Ctx, ProblemForm } from "../../http/env.ts";
import { type HeaderFields, respondRefusal } from "../../http/respond.ts";
import { type Failed, fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import { invalidField, withHint } from "../shared/problems.ts";

export const OpenaiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.enum(["server_error", "invalid_request_error"]),
    param: z.string().nullable(),
    code: z.string(),
  }),
});

export function errorBody({ code, message, hint, status, details }: Problem): z.infer<typeof OpenaiError> {
  const field = typeof details?.field === "string" ? details.field : null;
  const param = field && indexed(field);
  const text = field && message.startsWith(field) ? `${param}${message.slice(field.length)}` : message;
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message: withHint({ message: text, hint }), type, param, code } };
}

/** Converts a field such as `tools.0.name` to OpenAI's form `tools[0].name`. */
const indexed = (field: string): string => field.replace(/\.(\d+)(?=\.|$)/g, "[$1]");

/**
 * Responds with an error. OpenAI's client retries every response with status 409 or from 500 on unless it is told not
 * to. Of the first, a retry helps only while a turn is running.
 */
export function respondError(c: Ctx, problem: Problem, headers?: HeaderFields): Response {
  const { status, code, retry } = problem;
  const needsChange = retry === "never" || retry === "after-fix";
  const isFinal = (status === 409 && code !== "turn_running") || (status >= 500 && needsChange);
  return respondRefusal(c, problem, errorBody(problem), isFinal ? { "x-should-retry": "false", ...headers } : headers);
}

/** Also the form of problems that occur before a handler runs. */
export const OPENAI_ERRORS: ProblemForm = { prefix: "/openai/v1", respond: respondError };

/** A model is the name of an agent. An unknown one is a 404, as with OpenAI. */
export const checkModel = (c: Ctx, model: string | undefined): Result<void> =>
  model === undefined || Object.hasOwn(c.get("options").rt.config.agents, model)
    ? ok(undefined)
    : fail("agent_not_found", `There is no agent ${JSON.stringify(model.slice(0, 80))}.`, { field: "model" });

export const unsupported = invalidField;

export const responseNotFound = (id: string): Failed =>
  fail("thread_not_found", `There is no response ${JSON.stringify(id.slice(0, 80))}.`);
