// The full story of a call that told its progress, line by line. Beside the thread's log: losing it loses no state.
import type { OperationId, ThreadAt } from "../schema/ids.ts";
import type { OperationLine } from "../schema/operation-line.ts";
import type { Result } from "../schema/problem.ts";

export type OperationPage = {
  readonly lines: readonly OperationLine[];
  /** Where the next page begins; null: this was the last. */
  readonly after: number | null;
};

export interface OperationLog {
  /** Lines of one operation come one after the other. */
  append(at: ThreadAt, operation: OperationId, line: OperationLine): Promise<Result<void>>;
  /** In the order in which they were appended, `n` above `after`. Another thread's operation is `operation_not_found`. */
  read(
    at: ThreadAt,
    operation: OperationId,
    range: { readonly after: number; readonly limit: number },
  ): Promise<Result<OperationPage>>;
  /** All logs of a thread. Removing what is not there is no problem. */
  remove(at: ThreadAt): Promise<Result<void>>;
}
