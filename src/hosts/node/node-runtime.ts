// The embedded runtime: SQLite in the data folder, the configured models or the demo model, the bundled tools.
import { join } from "node:path";
import { systemClock } from "../../adapters/clock-system.ts";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createIds } from "../../adapters/ids-random.ts";
import { createDemoModel } from "../../adapters/model-demo/model-demo.ts";
import { createLocalOperationLog } from "../../adapters/operation-log-local/operation-log.ts";
import { createSqliteStore } from "../../adapters/store-sqlite/create-store.ts";
import type { Route } from "../../http/app.ts";
import { type Failed, fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { CallLine } from "../../tools/call-log.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createRuntimeCache } from "../../turn/runtime-cache.ts";
import { createInFlightTurns } from "../../turn/think/in-flight.ts";
import { createBundledTools } from "../shared/bundled-tools.ts";
import { collectSecrets } from "../shared/collect-secrets.ts";
import { createPickModel, type Environment, type LoadedConfig, runtimeConfig } from "../shared/config.ts";
import { faultsFromEnvironment } from "../shared/faults.ts";
import { storeFile } from "./data-folder.ts";
import { loadServerSecret } from "./server-secret.ts";
import type { Commands } from "./workspace.ts";

export type NodeRuntime = {
  readonly rt: Runtime;
  readonly file: string;
  readonly model: string;
  /** null: none can be run. */
  readonly commands: Commands | null;
  readonly routes: readonly Route[];
  /** What the operator should know about tools that do not start. */
  readonly warnings: readonly string[];
  /** Signs the links by which gates are answered. */
  readonly secret: string;
  readonly close: () => Promise<void>;
};

export type NodeRuntimeOptions = {
  /** Hears of every call of a tool, whatever became of it. */
  readonly onCall?: (line: CallLine) => void;
};

export async function createNodeRuntime(
  config: LoadedConfig,
  env: Environment,
  options: NodeRuntimeOptions = {},
): Promise<Result<NodeRuntime>> {
  const file = storeFile(config.data);
  const store = await createSqliteStore({ path: file });
  if (!store.ok) return store.problem.code === "store_unavailable" ? cannotOpen(file, store.problem) : store;
  const pickModel = createPickModel(config, env, createDemoModel(), { clock: systemClock });
  if (!pickModel.ok) return pickModel;
  const { onCall = () => undefined } = options;
  const secret = loadServerSecret(config.data, env);
  if (!secret.ok) return secret;
  const secrets = [...collectSecrets(config, env), secret.value];
  const tools = await createBundledTools(config, { file, env, secrets, onCall });
  if (!tools.ok) return tools;
  const rt: Runtime = {
    store: store.value.threads,
    settings: store.value.settings,
    companions: tools.value.companions,
    pickModel: pickModel.value,
    toolbox: createToolbox(tools.value.tools),
    hooks: tools.value.hooks,
    clock: systemClock,
    ids: createIds(systemClock),
    hash: nodeHash,
    faults: faultsFromEnvironment(env),
    operation_log: createLocalOperationLog(join(config.data, "operations")),
    config: { ...runtimeConfig(config), parts: tools.value.parts },
    running: new Set(),
    in_flight: createInFlightTurns(),
    cache: createRuntimeCache(),
  };
  const close = async (): Promise<void> => {
    await tools.value.close();
    await store.value.close();
  };
  const model = pickModel.value(config.default_agent, "execute").name;
  const { routes, warnings, commands } = tools.value;
  return ok({ rt, file, model, commands, routes, warnings, secret: secret.value, close });
}

/** Nobody waits for an answer yet: what a person can do about it is said instead of when to ask again. */
const cannotOpen = (file: string, { message }: Problem): Failed =>
  fail("config_invalid", `data: ${file} cannot be opened. ${message} Set PAWL_DATA to another folder.`);
