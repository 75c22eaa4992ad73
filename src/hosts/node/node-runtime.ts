// Creates the runtime of the Node host, with a SQLite store in the data folder and all toolkits.
import { join } from "node:path";
import { systemClock } from "../../adapters/clock-system.ts";
import { createDemoModel } from "../../adapters/model-demo/model-demo.ts";
import { createLocalOperationLog } from "../../adapters/operation-log-local/operation-log.ts";
import { createSqliteStore } from "../../adapters/store-sqlite/create-store.ts";
import { createSqliteDocuments } from "../../adapters/store-sqlite/documents.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DataAttempt } from "../../ports/data/data-source.ts";
import type { ImageSettings } from "../../ports/data/image-settings.ts";
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import type { PickModel } from "../../ports/model.ts";
import { LOCAL_TENANT } from "../../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { TOOLKITS } from "../../toolkits/index.ts";
import type { CallLine } from "../../tools/call-log.ts";
import type { ToolkitRoute } from "../../tools/route.ts";
import type { AbsentToolkit } from "../../tools/toolkit.ts";
import { createInFlightTurns } from "../../turn/think/in-flight.ts";
import { collectSecrets } from "../shared/collect-secrets.ts";
import { createPickModel, type Environment, type LoadedConfig, runtimeConfig } from "../shared/config.ts";
import { checkToolNames, DEMO_MODEL } from "../shared/config-names.ts";
import { createHost, type Host } from "../shared/create-host.ts";
import { faultsFromEnvironment } from "../shared/faults.ts";
import { lazyFetcher } from "../shared/lazy-adapters.ts";
import { davAccounts } from "./caldav/dav-accounts.ts";
import { openChannels } from "./channels/open-channels.ts";
import { lazyLanguageServer } from "./code/lazy-language-server.ts";
import { storeFile } from "./data-folder.ts";
import { openDataSources } from "./data-sources.ts";
import { openMcpServers } from "./mcp/open-mcp-servers.ts";
import { openSkills } from "./open-skills.ts";
import { loadServerSecret } from "./server-secret.ts";
import { type Commands, openWorkspace } from "./workspace.ts";

/** Under load many turns end within the delay. An SDK keeps spans for seconds anyway before it exports them. */
const REPORT_DELAY_MS = 100;

export type NodeRuntime = {
  readonly rt: Host["rt"];
  readonly file: string;
  readonly model: string;
  /** Null if the host cannot run commands. */
  readonly commands: Commands | null;
  readonly routes: readonly ToolkitRoute[];
  readonly absent: readonly AbsentToolkit[];
  readonly fetcher: Fetcher & AddressGuard;
  /** Warnings for the operator about configured tools that are not available. */
  readonly warnings: readonly string[];
  /** Signs the links that answer gates. */
  readonly secret: string;
  readonly close: () => Promise<void>;
};

export type NodeRuntimeOptions = {
  /** Called for every tool call, whatever its result. */
  readonly onCall?: (line: CallLine) => void;
  /** Called for every attempt to read a data source, even a refused one. */
  readonly onDataAttempt?: (attempt: DataAttempt) => void;
  readonly clock?: Clock;
  /** Replaces the configured models. */
  readonly pickModel?: PickModel;
};

export async function createNodeRuntime(
  config: LoadedConfig,
  env: Environment,
  options: NodeRuntimeOptions = {},
): Promise<Result<NodeRuntime>> {
  const file = storeFile(config.data);
  const store = await createSqliteStore({ path: file });
  if (!store.ok) return cannotOpen(file, store);
  const { clock = systemClock } = options;
  const pickModel = options.pickModel
    ? ok(options.pickModel)
    : createPickModel(config, env, createDemoModel(), { clock });
  if (!pickModel.ok) return pickModel;
  const secret = loadServerSecret(config.data, env);
  if (!secret.ok) return secret;
  const workspace = openWorkspace(config, env);
  if (!workspace.ok) return workspace;
  const { commands, ...operations } = workspace.value;
  const skills = await openSkills(config);
  if (!skills.ok) return skills;
  const warnings = [...workspace.value.warnings, ...skills.value.warnings];
  const data = openDataSources(config, env, options.onDataAttempt ?? (() => undefined));
  if (!data.ok) return data;
  const channels = openChannels(config, env);
  if (!channels.ok) return channels;
  const documents = createSqliteDocuments(file);
  const dav = await davAccounts(config, env);
  if (!dav.ok) return dav;
  const mcp = await openMcpServers(config, env, { commands, data: config.data });
  if (!mcp.ok) return mcp;
  warnings.push(...mcp.value.warnings);
  const fetcher = lazyFetcher(config.fetch.allow);
  const language = config.code.lsp && operations.process ? lazyLanguageServer(config.code.lsp) : null;
  const host = createHost({
    store: store.value.threads,
    settings: store.value.settings,
    pickModel: pickModel.value,
    config: runtimeConfig(config),
    toolkits: [...TOOLKITS, ...mcp.value.toolkits],
    extensions: config.extensions,
    parts: {
      ...operations,
      documents,
      code: config.code,
      ...(language ? { language } : {}),
      ...(config.images ? { images: imageSettings(config.images, env) } : {}),
      ...(config.search.url === null ? {} : { search: { url: config.search.url } }),
      ...(Object.keys(config.channels).length > 0 ? { channels: channels.value } : {}),
      ...(dav.value ? { dav: dav.value } : {}),
      ...(data.value ? { data: data.value } : {}),
      ...(skills.value.folder ? { skills: skills.value.folder } : {}),
    },
    fetcher,
    clock,
    faults: faultsFromEnvironment(env),
    operation_log: createLocalOperationLog(join(config.data, "operations")),
    in_flight: createInFlightTurns(),
    secrets: [...collectSecrets(config, env), secret.value],
    onCall: options.onCall ?? (() => undefined),
    scheduleReport: (flush, when) =>
      void (when === "soon" ? setImmediate(flush) : setTimeout(flush, REPORT_DELAY_MS).unref()),
  });
  if (!host.ok) return host;
  const { rt, absent, routes, sample } = host.value;
  const named = checkToolNames(config, {
    tools: rt.toolbox.manifests().map(({ name }) => name),
    toolkits: rt.toolbox.toolkits().map(({ name }) => name),
    absent,
  });
  if (!named.ok) return named;
  const close = async (): Promise<void> => {
    rt.metrics?.flush?.();
    await mcp.value.close();
    await language?.close();
    await documents.close();
    await store.value.close();
  };
  const model = pickModel.value(config.default_agent, "execute").name;
  if (model === DEMO_MODEL) {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const made = await sample({ tenant: LOCAL_TENANT, now: clock.now(), time_zone: timeZone });
    // Damaged sample data does not prevent startup, so that everything else can be served.
    if (!made.ok && made.problem.code !== "state_corrupt") return made;
    if (!made.ok) warnings.push(`The sample data was not added: ${made.problem.message}`);
  }
  return ok({ rt, file, model, commands, routes, absent, fetcher, warnings, secret: secret.value, close });
}

function imageSettings({ api_key_env, ...rest }: NonNullable<LoadedConfig["images"]>, env: Environment): ImageSettings {
  return { ...rest, api_key: (api_key_env === null ? "" : env[api_key_env]?.trim()) || null };
}

/** The operator reads this when the server starts, so it says what to do instead of when to retry. */
function cannotOpen(file: string, failed: Failed): Failed {
  const { code, message } = failed.problem;
  if (code !== "store_unavailable" && code !== "newer_version") return failed;
  const remedy = code === "newer_version" ? "Start the release that wrote it, or set" : "Set";
  return fail("config_invalid", `data: ${file} cannot be opened. ${message} ${remedy} PAWL_DATA to another folder.`);
}
