// Poison work stops: five failed turns in a row, of one kind or the other, and the thread waits for a person.
import { amend, type Draft } from "./draft.ts";

export const FAILURES_MAX = 5;

/** After a tool ran: a handler that throws or breaks its schema counts, any other run clears the count. */
export function withHandlerHealth(draft: Draft, broken: boolean): Draft {
  const handlers = broken ? draft.state.failures.handlers + 1 : 0;
  const counted = amend(draft, { state: { failures: { ...draft.state.failures, handlers } } });
  return handlers >= FAILURES_MAX ? amend(counted, { signals: [{ type: "thread.poisoned" }] }) : counted;
}

/** After the third bad reply or refused decision of a turn. */
export function withDecisionFailure(draft: Draft): Draft {
  const decisions = draft.state.failures.decisions + 1;
  const counted = amend(draft, { state: { failures: { ...draft.state.failures, decisions } } });
  return decisions >= FAILURES_MAX ? amend(counted, { signals: [{ type: "thread.poisoned" }] }) : counted;
}

export const withDecisionHealth = (draft: Draft): Draft =>
  amend(draft, { state: { failures: { ...draft.state.failures, decisions: 0 } } });
