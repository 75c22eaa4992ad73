// The full story of a call that told its progress, line by line. Beside the thread's log: losing it loses no state.
import type { OperationId, ThreadRef } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";
import type { ProgressLine } from "../schema/progress-line.ts";

export type ProgressPage = {
  readonly lines: readonly ProgressLine[];
  /** Where the next page begins; null: this was the last. */
  readonly after: number | null;
};

export interface ProgressLog {
  /** Lines of one operation come one after the other. */
  append(at: ThreadRef, operation: OperationId, line: ProgressLine): Promise<Result<void>>;
  /** In the order in which they were appended, `n` above `after`. Another thread's operation is `operation_not_found`. */
  read(
    at: ThreadRef,
    operation: OperationId,
    range: { readonly after: number; readonly limit: number },
  ): Promise<Result<ProgressPage>>;
  /** All logs of a thread. Removing what is not there is no problem. */
  remove(at: ThreadRef): Promise<Result<void>>;
}
