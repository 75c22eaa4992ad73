// Provides a whole runtime in memory with a manual clock, and helpers to run a thread on it.
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { createScriptedModel, type ScriptEntry, type ScriptedModel } from "../../src/adapters/model-scripted.ts";
import { createMemorySettings } from "../../src/adapters/settings-memory.ts";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { noCompanions } from "../../src/ports/companions.ts";
import { noFaults } from "../../src/ports/faults.ts";
import type { LiveEvent } from "../../src/schema/event.ts";
import { LOCAL_TENANT, type ThreadId, type ThreadRef } from "../../src/schema/ids.ts";
import type { CreateInput, TurnInput } from "../../src/schema/input.ts";
import type { Result } from "../../src/schema/problem.ts";
import { createManualClock } from "../../src/testing/manual-clock.ts";
import { createThread } from "../../src/threads/create.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { type Advanced, advance } from "../../src/turn/advance.ts";
import { DEFAULT_CONFIG, type Runtime, type TurnRequest } from "../../src/turn/runtime.ts";
import { createRuntimeCache } from "../../src/turn/runtime-cache.ts";
import { createInFlightTurns } from "../../src/turn/think/in-flight.ts";

/** Creates a clock that starts at a fixed time. A sleep ends when the test moves the clock past it. */
export const createTestClock = (start = Date.parse("2026-03-02T08:00:00.000Z")) => createManualClock(start);

export type TestRuntime = Runtime & {
  readonly clock: ReturnType<typeof createTestClock>;
  readonly model: ScriptedModel;
};

export function createTestRuntime(
  script: Iterable<ScriptEntry>,
  tools: readonly Tool[] = [],
  change: Partial<Runtime> = {},
): TestRuntime {
  const clock = createTestClock();
  const model = createScriptedModel(script);
  return {
    store: createMemoryStore(),
    settings: createMemorySettings(),
    companions: noCompanions,
    pickModel: () => model,
    toolbox: createToolbox(tools),
    hooks: [],
    ids: createIds(clock),
    hash: nodeHash,
    faults: noFaults,
    config: DEFAULT_CONFIG,
    running: new Set(),
    in_flight: createInFlightTurns(),
    cache: createRuntimeCache({ trust_own_rows: false }),
    ...change,
    clock,
    model,
  };
}

export type TestThread = {
  readonly at: ThreadRef;
  readonly events: LiveEvent[];
  readonly turn: (input?: TurnInput | null, more?: Partial<TurnRequest>) => Promise<Result<Advanced>>;
};

export async function createTestThread(rt: Runtime, input: CreateInput): Promise<TestThread> {
  const created = await createThread(rt, { tenant: LOCAL_TENANT, actor: "tester", input, key: null });
  if (!created.ok) throw new Error(created.problem.message);
  return attachTestThread(rt, created.value.outcome.thread.id);
}

export function attachTestThread(rt: Runtime, thread: ThreadId): TestThread {
  const at = { tenant: LOCAL_TENANT, thread };
  const events: LiveEvent[] = [];
  const turn = (input: TurnInput | null = null, more: Partial<TurnRequest> = {}) =>
    advance(rt, {
      at,
      actor: "tester",
      input,
      budget: null,
      if_match: null,
      key: null,
      last_turn: true,
      deadline: rt.clock.now() + rt.config.turn_deadline_ms,
      emit: (event) => events.push(event),
      ...more,
    });
  return { at, events, turn };
}

/** Returns the value of a successful result; throws otherwise. */
export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
}

export const problemCode = (result: Result<unknown>): string => (result.ok ? "ok" : result.problem.code);
