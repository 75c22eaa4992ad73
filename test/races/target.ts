// A runtime to race on: real turns on the given store, a model that can wait for all callers, a tool that counts.
import { z } from "zod";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { bodyOf } from "../../src/http/respond.ts";
import type { Model } from "../../src/ports/model.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import { succeeded } from "../../src/testing/expect.ts";
import type { RaceProcess, RaceTarget } from "../../src/testing/race-suite.ts";
import { defineTool, type Tool } from "../../src/tools/define-tool.ts";
import { advance } from "../../src/turn/advance.ts";
import { createThread } from "../../src/turn/create.ts";
import { callDigest } from "../../src/turn/digest.ts";
import { bodyHash, keyHash } from "../../src/turn/key-ring.ts";
import { readRecords } from "../../src/turn/load.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { aRuntime } from "../support/runtime.ts";

export async function createRaceTarget(open: () => Promise<ThreadStore>, processes: number): Promise<RaceTarget> {
  const model = aPatientModel();
  const counter = { effects: 0 };
  const stores: ThreadStore[] = [];
  for (let n = 0; n < processes; n += 1) stores.push(await open());
  return {
    tenant: LOCAL_TENANT,
    processes: stores.map((store) => processOn(runtimeOn(store, model.model, raceTools(counter)))),
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
      // Room for the others while it is at work.
      await new Promise((resolve) => setImmediate(resolve));
      counter.effects += 1;
      return `wrote ${line}`;
    },
  ),
];

/** Answers nobody before so many have asked. */
function aPatientModel(): { model: Model; decide: RaceTarget["decide"] } {
  let decision: (n: number) => unknown = () => ({ action: "continue" });
  let together = 1;
  let asked = 0;
  let waiting: (() => void)[] = [];
  const gathered = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < together) return;
      const ready = waiting;
      waiting = [];
      for (const go of ready) go();
    });
  const model: Model = {
    name: "patient",
    window: 32_768,
    max_output_tokens: 512,
    prices: null,
    async reply() {
      const text = JSON.stringify(decision(asked++));
      await gathered();
      return ok({ text, model: "patient", usage: { input_tokens: 10, output_tokens: 10 } });
    },
  };
  const decide: RaceTarget["decide"] = (next, count) => {
    decision = next;
    together = count;
  };
  return { model, decide };
}

export const runtimeOn = (store: ThreadStore, model: Model, tools: readonly Tool[]): Runtime => ({
  ...aRuntime([], tools, { store }),
  pickModel: () => model,
});

export function processOn(rt: Runtime): RaceProcess {
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
        signal: new AbortController().signal,
        emit: () => undefined,
      });
      if (!answer.ok) return answer;
      const { outcome, replayed } = answer.value;
      return { ok: true, outcome, replayed, body: JSON.stringify(bodyOf(outcome)) };
    },
    records: async (thread) => succeeded(await readRecords(rt, { tenant: LOCAL_TENANT, thread }, 0, 1_000_000)),
  };
}
