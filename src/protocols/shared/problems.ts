// Problems as other protocols report them: how a run ended, and which field of a request is refused.
import type * as z from "zod";
import { issueMessage } from "../../schema/json/issue-message.ts";
import { type Failed, fail, type Problem, problem } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";

/** Returns the problem with which a run ended, or null if it ended as intended. */
export function endProblem(head: ThreadRecord | null): Problem | null {
  if (!head) return null;
  const { entry, state } = head;
  if (entry.problem) return entry.problem;
  if (state.machine.state === "failed")
    return problem("thread_failed", "The thread stopped after too many failed turns.");
  const isExhausted = state.machine.outcome === "exhausted" && state.machine.state === "rest";
  return isExhausted ? problem("budget_exhausted", entry.speak ?? "The budget is used up.") : null;
}

/** For protocols that cannot show a structured problem. */
export const errorText = (found: Problem): string => `${withHint(found)} (${found.code})`;

export const withHint = ({ message, hint }: Pick<Problem, "message" | "hint">): string =>
  `${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;

export const invalidField = (field: string, why: string): Failed =>
  fail("request_invalid", `${field}: ${why}`, { field });

/** `path` is the place of the refused value in the request. */
export const invalidValue = ({ issues: [issue] }: z.ZodError, ...path: readonly string[]): Failed =>
  invalidField([...path, ...(issue?.path ?? [])].join(".") || "body", issueMessage(issue));
