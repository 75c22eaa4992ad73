// How a run ended, for every protocol: a problem, or null if it ended as intended.
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

/** The problem as text, for protocols that can show nothing else. */
export const errorText = (found: Problem): string => `${withHint(found)} (${found.code})`;

/** Messages about a field have no full stop. */
export const withHint = ({ message, hint }: Pick<Problem, "message" | "hint">): string =>
  `${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
