// Creates a race target for any store, with real turns, a model that waits for all callers, and a tool that counts its
// effects.
import * as z from "zod";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createIds } from "../../adapters/ids-random.ts";
import { createMemorySettings } from "../../adapters/settings-memory.ts";
import { noCompanions } from "../../ports/companions.ts";
import { noFaults } from "../../ports/faults.ts";
import type { Model } from "../../ports/model.ts";
import type { ThreadStore } from "../../ports/thread-store.ts";
import { LOCAL_TENANT } from "../../schema/ids.ts";
import { ok } from "../../schema/problem.ts";
import { createThread } from "../../threads/create.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import { advance } from "../../turn/advance.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { callDigest } from "../../turn/gates/digest.ts";
import { readRecords } from "../../turn/load.ts";
import { DEFAULT_CONFIG, type Runtime } from "../../turn/runtime.ts";
import { succeeded } from "../expect.ts";
import { createManualClock } from "../manual-clock.ts";
import type { RaceProcess, RaceTarget } from "./target.ts";

/** `open` is called once per process; all processes must see the same data. */
export async function createRaceTarget(open: () => Promise<ThreadStore>, processes: number): Promise<RaceTarget> {
  const model = createBarrierModel();
  const counter = { effects: 0 };
  const stores: ThreadStore[] = [];
  for (let n = 0; n < processes; n += 1) stores.push(await open());
  return {
    tenant: LOCAL_TENANT,
    processes: stores.map((store) => createRaceProcess(createRaceRuntime(store, model.model, raceTools(counter)))),
    decide: model.decide,
    effects: () => counter.effects,
    digest: (call) => callDigest(nodeHash, call),
  };
}

export const raceTools = (counter: { effects: number }): readonly Tool[] => [
  defineTool(
    { name: "look", description: "Looks.", input: z.object({ line: z.string() }), output: z.string() },
    ({ line }) => `seen ${line}`,
  ),
  defineTool(
    {
      name: "write",
      description: "Writes.",
      permission: "WRITE",
      effect: "unkeyed",
      input: z.object({ line: z.string(), extra: z.string().optional() }),
      output: z.string(),
    },
    async ({ line }) => {
      // Yields, so that other callers can run in the meantime.
      await new Promise((resolve) => setTimeout(resolve, 0));
      counter.effects += 1;
      return `wrote ${line}`;
    },
  ),
];

/** The model replies only after as many callers have asked as `decide` expects. */
function createBarrierModel(): { model: Model; decide: RaceTarget["decide"] } {
  let decision: (n: number) => unknown = () => ({ action: "continue" });
  let expectedCount = 1;
  let asked = 0;
  let waiting: (() => void)[] = [];
  const waitForAll = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < expectedCount) return;
      const ready = waiting;
      waiting = [];
      for (const release of ready) release();
    });
  const model: Model = {
    name: "patient",
    window: 32_768,
    max_output_tokens: 512,
    prices: null,
    async reply() {
      const text = JSON.stringify(decision(asked++));
      await waitForAll();
      return ok({ text, model: "patient", usage: { input_tokens: 10, output_tokens: 10 } });
    },
  };
  const decide: RaceTarget["decide"] = (next, count) => {
    decision = next;
    expectedCount = count;
  };
  return { model, decide };
}

export function createRaceRuntime(store: ThreadStore, model: Model, tools: readonly Tool[]): Runtime {
  const clock = createManualClock();
  return {
    store,
    settings: createMemorySettings(),
    companions: noCompanions,
    pickModel: () => model,
    toolbox: createToolbox(tools),
    hooks: [],
    clock,
    ids: createIds(clock),
    hash: nodeHash,
    faults: noFaults,
    config: DEFAULT_CONFIG,
    running: new Set(),
  };
}

export function createRaceProcess(rt: Runtime): RaceProcess {
  return {
    create: async (input) => {
      const created = await createThread(rt, { tenant: LOCAL_TENANT, actor: "racer", input, key: null });
      return succeeded(created).outcome.thread.id;
    },
    turn: async ({ tenant, thread, input, key, if_match }) => {
      const at = { tenant: tenant ?? LOCAL_TENANT, thread };
      const body = bodyHash(rt.hash, {
        route: `turns/${thread}`,
        query: {},
        body: { input, if_match: if_match ?? null },
      });
      const answer = await advance(rt, {
        at,
        actor: "racer",
        input,
        budget: null,
        if_match: if_match ?? null,
        key: key === undefined ? null : { hash: keyHash(rt.hash, key), body },
        last_turn: true,
        deadline: rt.clock.now() + rt.config.turn_deadline_ms,
        emit: () => undefined,
      });
      if (!answer.ok) return answer;
      const { outcome, replayed } = answer.value;
      const { thread: view, turn, next } = outcome;
      return { ok: true, outcome, replayed, body: JSON.stringify({ thread: view, turn, next }) };
    },
    records: async (thread) => succeeded(await readRecords(rt, { tenant: LOCAL_TENANT, thread }, 0, 1_000_000)),
  };
}
