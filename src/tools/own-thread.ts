// What a tool may see of the thread that calls it, and no more: an earlier observation, the list, the virtual files.
import type { VirtualFiles } from "../ports/virtual-files.ts";
import type { Result } from "../schema/problem.ts";
import type { OutputTrust } from "../schema/receipt.ts";
import type { TodoItem } from "../schema/thread.ts";

export type RecalledObservation = {
  readonly name: string;
  readonly turn: number;
  /** All that was kept of it. */
  readonly text: string;
  readonly output_trust: OutputTrust;
};

export type OwnThread = {
  /** An observation of this thread by its receipt, however long ago; another thread's is not found. */
  readonly recall: (receipt_id: string) => Promise<Result<RecalledObservation>>;
  /** The whole list, also what the prompt does not show. */
  readonly todo: () => Promise<Result<readonly TodoItem[]>>;
  /** Files kept in the thread itself. What a call changes is there for good once its receipt is committed, and not before. */
  readonly files: VirtualFiles;
};
