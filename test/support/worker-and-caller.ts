// A worker's options and a caller's call, as the tests of background runs use them: nothing special about either.
import type { DriveOptions } from "../../src/jobs/drive.ts";
import type { ThreadAt } from "../../src/schema/ids.ts";
import type { Runtime, TurnRequest } from "../../src/turn/runtime.ts";

export const driving = (change: Partial<DriveOptions> = {}): DriveOptions => ({
  owner: "worker",
  lease_ms: 90_000,
  slice_turns: 20,
  until: Number.POSITIVE_INFINITY,
  attempts_max: 3,
  emit: () => undefined,
  stopping: () => false,
  ...change,
});

export const callOn = (rt: Runtime, at: ThreadAt, change: Partial<TurnRequest> = {}): TurnRequest => ({
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
