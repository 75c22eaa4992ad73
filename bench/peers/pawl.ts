// Runs Pawl itself: `advance` on the SQLite store, and its own HTTP app.
import { dirname } from "node:path";
import { createApp } from "../../src/http/app.ts";
import { SCOPES } from "../../src/http/edge/caller.ts";
import { createHub } from "../../src/http/live/hub.ts";
import type { Model } from "../../src/ports/model.ts";
import { LOCAL_TENANT, ThreadId } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { newThread, openBenchRuntime, takeTurn, takeTurns, tools } from "../support/bench-runtime.ts";
import type { OpenSession } from "./system.ts";

type Script = { next: "look" | "write" | "done" };

function createModel(script: Script): Model {
  let at = 0;
  return {
    name: "bench",
    window: 32_768,
    max_output_tokens: 1024,
    prices: null,
    async reply() {
      const decision =
        script.next === "done"
          ? { action: "done", goal_check: "it is written", delivery: "It is written." }
          : { action: "continue", speak: "Going on.", tool_call: { name: script.next, arguments: { at: at++ } } };
      return ok({ text: JSON.stringify(decision), model: "bench", usage: { input_tokens: 2000, output_tokens: 30 } });
    },
  };
}

const createFetch = (rt: Runtime) =>
  createApp({
    rt,
    hub: createHub(),
    authenticate: () => ok({ tenant: LOCAL_TENANT, name: "bench", scopes: new Set(SCOPES) }),
    local_only: true,
    cors_origins: [],
    limits: { max_turns: 20 },
    rate_limit: () => ok(undefined),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    release: "bench",
  }).fetch;

const at = (id: string) => ({ tenant: LOCAL_TENANT, thread: ThreadId.parse(id) });

export const open: OpenSession = async (path) => {
  const script: Script = { next: "look" };
  const { rt } = await openBenchRuntime(dirname(path), { model: createModel(script), tools });
  return {
    create: async () => (await newThread(rt)).thread,
    async turn(id) {
      await takeTurn(rt, at(id));
    },
    async pause(id) {
      script.next = "write";
      await takeTurn(rt, at(id));
    },
    async resume(id) {
      const loaded = await rt.store.load(at(id), 1);
      if (!loaded.ok) throw new Error(loaded.problem.message);
      const { gate } = JSON.parse(loaded.value.head.state);
      script.next = "done";
      const input = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" } as const;
      const { outcome } = await takeTurns(rt, at(id), input);
      if (outcome.kind !== "delivered") throw new Error(JSON.stringify(outcome).slice(0, 300));
    },
    fetch: createFetch(rt),
  };
};
