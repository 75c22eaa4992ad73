// What a tool may see of the thread that calls it: earlier observations, the list, the virtual files. Nothing else.
import type { VirtualFiles } from "../ports/virtual-files.ts";
import type { Result } from "../schema/problem.ts";
import type { OutputTrust } from "../schema/receipt.ts";
import type { TodoItem } from "../schema/thread.ts";

export type RecalledObservation = {
  readonly name: string;
  readonly turn: number;
  /** Everything that was stored of the observation. */
  readonly text: string;
  readonly output_trust: OutputTrust;
};

export type OwnThread = {
  /** An observation of this thread by its receipt, of any age; another thread's is not found. */
  readonly recall: (receipt_id: string) => Promise<Result<RecalledObservation>>;
  /** The complete list, including what the prompt does not show. */
  readonly todo: () => Promise<Result<readonly TodoItem[]>>;
  /** Files stored in the thread itself. Changes of a call are permanent once its receipt is committed, not before. */
  readonly files: VirtualFiles;
};
