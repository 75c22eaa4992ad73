// Provides default worker options and turn requests for the tests of background runs.
import type { SliceOptions } from "../../src/jobs/slice.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import type { Runtime, TurnRequest } from "../../src/turn/runtime.ts";

export const driveOptions = (change: Partial<SliceOptions> = {}): SliceOptions => ({
  owner: "worker",
  lease_ms: 90_000,
  slice_turns: 20,
  until: Number.POSITIVE_INFINITY,
  attempts_max: 3,
  emit: () => undefined,
  stopping: () => false,
  ...change,
});

export const turnRequestOn = (rt: Runtime, at: ThreadRef, change: Partial<TurnRequest> = {}): TurnRequest => ({
  at,
  actor: "tester",
  input: null,
  budget: null,
  if_match: null,
  key: null,
  last_turn: true,
  deadline: rt.clock.now() + 60_000,
  emit: () => undefined,
  ...change,
});
