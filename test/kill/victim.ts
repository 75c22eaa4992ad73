// The server that gets killed: real HTTP, a real SQLite file, a model that never runs out, and a tool of each effect
// class that leaves its effect id in a file before it answers.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { faultsFromEnvironment } from "../../src/hosts/faults.ts";
import { serveNode } from "../../src/hosts/serve-node.ts";
import { createApp } from "../../src/http/app.ts";
import { SCOPES } from "../../src/http/caller.ts";
import { createHub } from "../../src/http/hub.ts";
import { noCompanions } from "../../src/ports/companions.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { DEFAULT_CONFIG, type Runtime } from "../../src/turn/runtime.ts";

const folder = process.argv[2];
if (!folder) throw new Error("which folder?");
const ledger = join(folder, "effects.txt");
const TOOL_TIMEOUT_MS = 250;

/** One line per effect, written in one piece: O_APPEND keeps lines of several processes apart. */
const writer = (effect: "keyed" | "unkeyed") =>
  defineTool(
    {
      name: `write_${effect}`,
      description: "Leaves its effect id in a file.",
      permission: "WRITE",
      effect,
      requires_confirmation: false,
      timeout_ms: TOOL_TIMEOUT_MS,
      input: z.object({ n: z.string() }),
      output: z.string(),
    },
    ({ n }, { idempotency_key }) => {
      appendFileSync(ledger, `${effect} ${idempotency_key} ${n}\n`);
      return `wrote ${n}`;
    },
  );
const look = defineTool(
  { name: "look", description: "Looks.", input: z.object({ n: z.string() }), output: z.string() },
  ({ n }) => `seen ${n} ${"x".repeat(2000)}`,
);

function* decisions() {
  const ids = createIds(systemClock);
  for (;;) {
    for (const name of ["look", "write_keyed", "write_unkeyed"]) {
      yield { action: "continue", speak: "On.", tool_call: { name, arguments: { n: ids.make("req") } } };
    }
  }
}

const store = await createSqliteStore({ path: join(folder, "kill.db") });
if (!store.ok) throw new Error(store.problem.message);
const model = createScriptedModel(decisions());
const rt: Runtime = {
  store: store.value.threads,
  settings: store.value.settings,
  companions: noCompanions,
  pickModel: () => model,
  toolbox: createToolbox([look, writer("keyed"), writer("unkeyed")]),
  hooks: [],
  clock: systemClock,
  ids: createIds(systemClock),
  hash: nodeHash,
  faults: faultsFromEnvironment(process.env),
  config: { ...DEFAULT_CONFIG, budget: { turns: 10_000, tokens: null, usd: null, seconds: null }, settle_grace_ms: 50 },
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
