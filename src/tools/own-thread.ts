// Defines the parts of the calling thread that a tool may see: earlier observations, the todo list and the virtual files.
import type { VirtualFiles } from "../ports/virtual-files.ts";
import type { Result } from "../schema/problem.ts";
import type { OutputTrust } from "../schema/receipt.ts";
import type { TodoItem } from "../schema/thread.ts";

export type RecalledObservation = {
  readonly name: string;
  readonly turn: number;
  /** The whole text of the observation, as it was stored. */
  readonly text: string;
  readonly output_trust: OutputTrust;
};

export type OwnThread = {
  /** Returns an observation of this thread by its receipt, however old it is. Observations of other threads are not found. */
  readonly recall: (receipt_id: string) => Promise<Result<RecalledObservation>>;
  /** Returns the complete todo list, including items that the prompt does not show. */
  readonly todo: () => Promise<Result<readonly TodoItem[]>>;
  /** Files stored in the thread itself. Changes by a call become permanent only when its receipt is committed. */
  readonly files: VirtualFiles;
};
