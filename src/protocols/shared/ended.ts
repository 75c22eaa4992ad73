// Reports how a run ended, for every protocol: with a problem, or with null if it ended as intended.
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

/** Appends the hint, after a full stop if the message has none, as for a message about a field. */
export const withHint = ({ message, hint }: Pick<Problem, "message" | "hint">): string =>
  `${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
