// Defines the full progress log of a call, line by line. It is separate from the thread's log, so losing it loses no state.
import type { OperationId, ThreadRef } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";
import type { ProgressLine } from "../schema/progress-line.ts";

export type ProgressPage = {
  readonly lines: readonly ProgressLine[];
  /** The `after` that reads the next page. Null if this is the last one. */
  readonly after: number | null;
};

export interface ProgressLog {
  /** Appends a line. Callers append lines of the same operation one after the other. */
  append(at: ThreadRef, operation: OperationId, line: ProgressLine): Promise<Result<void>>;
  /** The lines with `n` above `after`, in the order of appending. Fails with `operation_not_found` for an operation of another thread. */
  read(
    at: ThreadRef,
    operation: OperationId,
    range: { readonly after: number; readonly limit: number },
  ): Promise<Result<ProgressPage>>;
  /** Removes all logs of a thread. Succeeds if there are none. */
  remove(at: ThreadRef): Promise<Result<void>>;
}
