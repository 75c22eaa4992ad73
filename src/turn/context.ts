// Defines what every stage of a turn receives: the runtime, the request and the thread as it was loaded.
import type { Thread, ThreadRecord } from "../schema/record.ts";
import type { Settings } from "../schema/settings.ts";
import type { ObservedModelCall, Runtime, TurnRequest, TurnTrace } from "./runtime.ts";

export type TurnContext = {
  readonly rt: Runtime;
  readonly request: TurnRequest;
  /** The thread that the next record is appended to. */
  readonly thread: Thread;
  /** The tenant's settings, read at the start of the turn. Absent for a record that is not part of a turn. */
  readonly settings?: Settings;
  /** Aborted when another record makes it impossible to store the result of this turn. The abort reason is the problem. */
  readonly superseded?: AbortSignal | undefined;
  /** Absent if the runtime has no metrics. */
  readonly observation?: TurnObservation | undefined;
};

/** The facts that a running turn collects for the metrics. */
export type TurnObservation = {
  readonly started: number;
  /** One entry per request to a model. */
  readonly model_calls: ObservedModelCall[];
  /** The records that this attempt committed. A response may also contain records of another attempt, which reports them itself. */
  readonly records: ThreadRecord[];
  readonly trace: TurnTrace | undefined;
};
