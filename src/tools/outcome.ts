// A result with more than its value: what it changes in the thread, and how far it can be trusted.
import type { OutputTrust } from "../schema/receipt.ts";
import type { TodoItem } from "../schema/thread.ts";
import type { Delegation } from "../schema/workflow/child.ts";

/** Registered globally: a tool may come from another copy of this package. */
const MARK: unique symbol = Symbol.for("pawl.outcome");

/** `state` is what the tool needs to go on; it is stored with the thread and returned unchanged. */
export type CallQuestion = { readonly text: string; readonly choices?: readonly string[]; readonly state: string };

export type OutcomeMore = {
  /** The thread's list from now on. Stored in the record of the receipt, so it exists exactly when the receipt does. */
  readonly todo?: readonly TodoItem[];
  /** The call is not finished: it waits for these child threads. */
  readonly delegation?: Delegation;
  /** The call is not finished: it runs again with the answer to this question, maybe in another process. */
  readonly question?: CallQuestion;
  /** Can only lower what the manifest declares: a tool cannot vouch for more than it declared. */
  readonly output_trust?: OutputTrust;
  /** With a failure: the output shows something all the same, as a test run that fails does. It proves an observation. */
  readonly observed?: true;
};

export type Outcome<O> = { readonly [MARK]: true; readonly value: O; readonly more: OutcomeMore };

export const outcome = <O>(value: O, more: OutcomeMore): Outcome<O> => ({ [MARK]: true, value, more });

export const isOutcome = (value: unknown): value is Outcome<unknown> =>
  typeof value === "object" && value !== null && MARK in value;
