// Starts a server to be killed, with real HTTP, a real SQLite file, and the given tools and model.
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { serveNode } from "../../src/hosts/node/serve-node.ts";
import { faultsFromEnvironment } from "../../src/hosts/shared/faults.ts";
import { createApp } from "../../src/http/app.ts";
import { SCOPES } from "../../src/http/edge/caller.ts";
import { createHub } from "../../src/http/live/hub.ts";
import { noCompanions } from "../../src/ports/companions.ts";
import type { Faults } from "../../src/ports/faults.ts";
import type { Model } from "../../src/ports/model.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { DEFAULT_CONFIG, type Runtime } from "../../src/turn/runtime.ts";

/** Starts the server and prints its port. */
export async function serveTarget(folder: string, model: Model, tools: readonly Tool[]): Promise<void> {
  const store = await createSqliteStore({ path: join(folder, "kill.db") });
  if (!store.ok) throw new Error(store.problem.message);
  const rt: Runtime = {
    store: store.value.threads,
    settings: store.value.settings,
    companions: noCompanions,
    pickModel: () => model,
    toolbox: createToolbox(tools),
    hooks: [],
    clock: systemClock,
    ids: createIds(systemClock),
    hash: nodeHash,
    faults: armedFaults(),
    config: {
      ...DEFAULT_CONFIG,
      budget: { turns: 10_000, tokens: null, usd: null, seconds: null },
      settle_grace_ms: 50,
    },
    running: new Set(),
  };
  const stopping = new AbortController();
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (line: object) => console.error(JSON.stringify(line)),
  };
  const app = createApp({
    rt,
    hub: createHub(),
    authenticate: () => ok({ tenant: LOCAL_TENANT, name: "killer", scopes: new Set(SCOPES) }),
    local_only: true,
    cors_origins: [],
    limits: { max_turns: 20 },
    rate_limit: () => ok(undefined),
    log,
    release: "kill",
    stopping: stopping.signal,
  });
  const serving = await serveNode(app, { host: "127.0.0.1", port: 0, request_timeout_ms: 10_000, log, stopping });
  if (!serving.ok) throw new Error(serving.problem.message);
  console.log(`port ${serving.value.port}`);
  // A killed process cannot save its compile cache at exit, so it is saved now for later processes.
  flushCompileCache();
}

/** Arms faults from the environment at first, and from messages later. */
function armedFaults(): Faults {
  let faults = faultsFromEnvironment(process.env);
  process.on("message", (fault) => {
    faults = faultsFromEnvironment({ FAULT_AT: String(fault) });
    process.send?.("armed");
  });
  return { at: (point) => faults.at(point) };
}
