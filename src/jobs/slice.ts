// Defines the options and results of a slice of a background run, and the requests that it makes.
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadRef } from "../schema/ids.ts";
import type { Problem } from "../schema/problem.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";
import { createWorkerRequest } from "./worker-request.ts";

export type SliceOptions = {
  readonly owner: string;
  /** How long a worker may be silent before another one takes over. Must be longer than a turn. */
  readonly lease_ms: number;
  /** Number of turns before the thread is requeued. */
  readonly slice_turns: number;
  /** No turn starts after this time, because the invocation ends. */
  readonly until: number;
  readonly attempts_max: number;
  readonly emit: (at: ThreadRef, event: LiveEvent) => void;
  readonly stopping: () => boolean;
};

export type SliceResult =
  /** Another worker has the wake-up. */
  | { readonly kind: "not_acquired" }
  | { readonly kind: "parked" | "requeued"; readonly turns: number }
  | { readonly kind: "retry"; readonly problem: Problem; readonly due_at: number }
  | { readonly kind: "dead"; readonly problem: Problem };

/** A newer version stored the thread. This worker can neither continue the run nor record why it stops, so it waits and counts no attempt. */
export const NEWER_VERSION_DELAY_MS = 5_000;

export const sliceRequest = (
  rt: Runtime,
  at: ThreadRef,
  options: SliceOptions,
  overrides: Partial<TurnRequest>,
): TurnRequest => ({
  ...createWorkerRequest(rt, at, options),
  options: { by_worker: true },
  ...overrides,
});
