// What every stop of a turn is given: the runtime, the request and the thread as it was loaded.
import type { Thread } from "../schema/record.ts";
import type { Settings } from "../schema/settings.ts";
import type { Runtime, TurnRequest } from "./runtime.ts";

export type TurnContext = {
  readonly rt: Runtime;
  readonly request: TurnRequest;
  /** The thread that the next record goes on top of. */
  readonly thread: Thread;
  /** The tenant's settings as the turn found them at its start; left out for a record that no turn makes. */
  readonly settings?: Settings;
  /** Aborted, with the problem as its reason, once another record makes the result of this turn impossible to store. */
  readonly superseded?: AbortSignal | undefined;
};
