// A turn request made by a worker: no input, and no caller waiting for the response. Callers override further fields.
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadRef } from "../schema/ids.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";

export type WorkerContext = {
  readonly owner: string;
  readonly emit: (at: ThreadRef, event: LiveEvent) => unknown;
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
  emit: (event) => emit(at, event),
});
