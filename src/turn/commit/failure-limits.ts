// Fails the thread after five consecutive failed turns of one kind. The thread then waits for a person to reset it.
import { amend, type Draft } from "./draft.ts";

export const FAILURES_MAX = 5;

function withFailureCount(draft: Draft, kind: "handlers" | "decisions", count: number): Draft {
  const counted = amend(draft, { state: { failures: { ...draft.state.failures, [kind]: count } } });
  return count >= FAILURES_MAX ? amend(counted, { signals: [{ type: "thread.poisoned" }] }) : counted;
}

/** A handler that throws or violates its schema has failed; any other run resets the count. */
export const withHandlerHealth = (draft: Draft, broken: boolean): Draft =>
  withFailureCount(draft, "handlers", broken ? draft.state.failures.handlers + 1 : 0);

/** Counts a turn that ended with its third invalid reply or refused decision. */
export const withDecisionFailure = (draft: Draft): Draft =>
  withFailureCount(draft, "decisions", draft.state.failures.decisions + 1);

export const withDecisionHealth = (draft: Draft): Draft => withFailureCount(draft, "decisions", 0);
