// Defines a tool result that has more than a value: changes to the thread, and how far the output can be trusted.
import type { OutputTrust } from "../schema/receipt.ts";
import type { TodoItem } from "../schema/thread.ts";
import type { Delegation } from "../schema/workflow/child.ts";

/** Registered globally, because a tool may come from another copy of this package. */
const MARK: unique symbol = Symbol.for("pawl.outcome");

/** A question that a call asks. `state` is the data that the tool needs to continue; it is stored with the thread and returned unchanged. */
export type CallQuestion = { readonly text: string; readonly choices?: readonly string[]; readonly state: string };

export type OutcomeMore = {
  /** The new todo list of the thread. It is stored in the record of the receipt, so that neither exists without the other. */
  readonly todo?: readonly TodoItem[];
  /** Set if the call is not finished because it waits for these child threads. */
  readonly delegation?: Delegation;
  /** Set if the call is not finished: it runs again with the answer to this question, possibly in another process. */
  readonly question?: CallQuestion;
  /** The trust of this result. It can only be lower than what the manifest declares. */
  readonly output_trust?: OutputTrust;
  /** Set for a failure with output that still proves an observation, such as a failing test run. */
  readonly observed?: true;
};

export type Outcome<O> = { readonly [MARK]: true; readonly value: O; readonly more: OutcomeMore };

export const outcome = <O>(value: O, more: OutcomeMore): Outcome<O> => ({ [MARK]: true, value, more });

export const isOutcome = (value: unknown): value is Outcome<unknown> =>
  typeof value === "object" && value !== null && MARK in value;
