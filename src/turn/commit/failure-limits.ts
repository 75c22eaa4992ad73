// Fails the thread after five consecutive failed turns of one kind. The thread then waits for a person to reset it.
import { amend, type Draft } from "./draft.ts";

export const FAILURES_MAX = 5;

/** Counts handler failures. A handler that throws or violates its schema has failed; any other run resets the count. */
export function withHandlerHealth(draft: Draft, broken: boolean): Draft {
  const handlers = broken ? draft.state.failures.handlers + 1 : 0;
  const counted = amend(draft, { state: { failures: { ...draft.state.failures, handlers } } });
  return handlers >= FAILURES_MAX ? amend(counted, { signals: [{ type: "thread.poisoned" }] }) : counted;
}

/** Counts a turn that ended with its third invalid reply or refused decision. The fifth such turn in a row fails the thread. */
export function withDecisionFailure(draft: Draft): Draft {
  const decisions = draft.state.failures.decisions + 1;
  const counted = amend(draft, { state: { failures: { ...draft.state.failures, decisions } } });
  return decisions >= FAILURES_MAX ? amend(counted, { signals: [{ type: "thread.poisoned" }] }) : counted;
}

export const withDecisionHealth = (draft: Draft): Draft =>
  amend(draft, { state: { failures: { ...draft.state.failures, decisions: 0 } } });
