// Builds a turn request made by a worker: without input, and without a caller that waits for the response. Callers override other fields.
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadRef } from "../schema/ids.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";

export type WorkerContext = {
  readonly owner: string;
  readonly emit?: (at: ThreadRef, event: LiveEvent) => unknown;
};

export const createWorkerRequest = (rt: Runtime, at: ThreadRef, { owner, emit }: WorkerContext): TurnRequest => ({
  at,
  actor: owner,
  input: null,
  budget: null,
  if_match: null,
  key: null,
  last_turn: true,
  deadline: rt.clock.now() + rt.config.turn_deadline_ms,
  emit: (event) => emit?.(at, event),
});
