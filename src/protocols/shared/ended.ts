// Returns the problem with which a run ended, for every protocol, or null if it ended as intended.
import { type Problem, problem } from "../../schema/problem.ts";
import type { ThreadRecord } from "../../schema/record.ts";

export function endProblem(head: ThreadRecord | null): Problem | null {
  if (!head) return null;
  const { entry, state } = head;
  if (entry.problem) return entry.problem;
  if (state.machine.state === "failed")
    return problem("thread_failed", "The thread stopped after too many failed turns.");
  const isExhausted = state.machine.outcome === "exhausted" && state.machine.state === "rest";
  return isExhausted ? problem("budget_exhausted", entry.speak ?? "The budget is used up.") : null;
}

/** Returns the problem as text, for protocols that cannot show a structured one. */
export const errorText = (found: Problem): string => `${withHint(found)} (${found.code})`;

/** Appends the hint to the message, and a full stop between them if the message ends without one. */
export const withHint = ({ message, hint }: Pick<Problem, "message" | "hint">): string =>
  `${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
