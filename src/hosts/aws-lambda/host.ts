// Creates the runtime on Lambda, which stores threads, settings and documents in DynamoDB.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hono } from "hono";
import { systemClock } from "../../adapters/clock-system.ts";
import { createDemoModel } from "../../adapters/model-demo/model-demo.ts";
import { createSignedCalls } from "../../adapters/store-dynamodb/calls/signed-calls.ts";
import { type DynamoStore, openDynamoStore } from "../../adapters/store-dynamodb/open-store.ts";
import { createApp } from "../../http/app.ts";
import type { Env, Log } from "../../http/env.ts";
import { createHub } from "../../http/live/hub.ts";
import { aboutRoutes } from "../../http/routes/about.ts";
import { consoleFileRoutes } from "../../http/routes/console-page.ts";
import { webhookRoutes } from "../../http/routes/webhooks.ts";
import { sendWebhook } from "../../jobs/webhooks/send-webhook.ts";
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import type { Model, PickModel } from "../../ports/model.ts";
import { fail, ok, type ProblemCode, type Result } from "../../schema/problem.ts";
import { TOOLKITS } from "../../toolkits/index.ts";
import type { Toolkit } from "../../tools/toolkit.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { consoleFiles } from "../node/console-files.ts";
import { createLog } from "../node/log.ts";
import { openMcpServers } from "../node/mcp/open-mcp-servers.ts";
import { readProblemPage } from "../node/problem-pages.ts";
import { createAccess } from "../shared/access.ts";
import { appSettings } from "../shared/app-settings.ts";
import { collectSecrets } from "../shared/collect-secrets.ts";
import { createPickModel, type Environment, type LoadedConfig, loadConfig, runtimeConfig } from "../shared/config.ts";
import { DEMO_MODEL } from "../shared/config-names.ts";
import { createHost, type Host } from "../shared/create-host.ts";
import type { Extension } from "../shared/extension.ts";
import { faultsFromEnvironment } from "../shared/faults.ts";
import { lazyFetcher } from "../shared/lazy-adapters.ts";
import { createStoredTickets } from "../shared/stored-tickets.ts";
import { virtualFiles } from "../shared/virtual-files.ts";
import { createWorkOn, type WorkOn, type WorkOptions } from "../shared/work.ts";
import { createLambdaLinks, type LambdaLinks } from "./links.ts";

/** The owner of claimed deliveries, which identifies this instance of the function. */
const OWNER = `lambda:${randomUUID()}`;

export type LambdaOptions = Extension & {
  /** Further extensions, such as the exports of several modules. */
  readonly extend?: Extension | readonly Extension[];
  /** Replaces the configured models. */
  readonly model?: Model | PickModel;
};

export type LambdaHost = {
  readonly app: Hono<Env>;
  readonly rt: Runtime;
  readonly jobs: LoadedConfig["jobs"];
  readonly workOn: WorkOn;
  readonly log: Log;
};

/** Anyone who has the URL can reach a function, so the access check refuses a function without keys. */
const PUBLIC_HOST = "0.0.0.0";
/** Reserved for what follows the deadline of a turn: the commit and the response. */
const RESERVE_MS = 15_000;
const TURN_DEADLINE_MS_MIN = 1_000;
const STORE_RETRY_MS_MAX = 5_000;
/** The maximum time until other instances notice a disabled tool or a new webhook. */
const SETTINGS_MAX_AGE_MS = 5_000;
/** A later tick counts as missed. The timer that polls for due deliveries fires only once a minute and may itself be late. */
const MISSED_AFTER_MS = 5 * 60_000;

const turnDeadline = ({ limits }: LoadedConfig, remaining_ms: number): number =>
  Math.max(TURN_DEADLINE_MS_MIN, Math.min(limits.turn_deadline_ms, remaining_ms - RESERVE_MS));

const extensionsOf = ({ model: _, extend = [], ...own }: LambdaOptions): readonly Extension[] => [
  own,
  ...[extend].flat(),
];

/** `remaining_ms` is the time that the invocation has left, which limits every turn. `quiet` disables the log. */
export async function createLambdaHost(
  env: Environment,
  remaining_ms: number,
  options: LambdaOptions = {},
  quiet = false,
): Promise<Result<LambdaHost>> {
  const config = await loadConfig(env.LAMBDA_TASK_ROOT ?? process.cwd(), env, extensionsOf(options));
  if (!config.ok) return config;
  if (!env.TABLE_NAME) return fail("config_invalid", "TABLE_NAME: is not set");
  const access = createAccess({ keys_file: config.value.keys_file, host: PUBLIC_HOST }, env);
  if (!access.ok) return access;
  const log = createLog(quiet ? "silent" : config.value.log.level, collectSecrets(config.value, env));
  const turn_ms = turnDeadline(config.value, remaining_ms);
  const store = openDynamoStore({
    call: createSignedCalls(process.env),
    table: env.TABLE_NAME,
    clock: systemClock,
    settings_max_age_ms: SETTINGS_MAX_AGE_MS,
    // A turn accesses the store a few times, and the retries of all accesses together must end before its deadline.
    patience_ms: Math.min(STORE_RETRY_MS_MAX, turn_ms / 4),
  });
  const links = createLambdaLinks(config.value, env, store.secret);
  if (!links.ok) return links;
  const fetcher = lazyFetcher(config.value.fetch.allow);
  // A function cannot run programs, so only MCP servers with a URL are available.
  const mcp = await openMcpServers(config.value, env, { commands: null, data: null });
  if (!mcp.ok) return mcp;
  for (const msg of mcp.value.warnings) log.warn({ msg });
  const { toolkits } = mcp.value;
  const host = assemble({ config: config.value, env, log, store, fetcher, turn_ms, options, toolkits });
  if (!host.ok) return host;
  const { rt } = host.value;
  // The platform's queue and scheduler advance background runs.
  rt.worker.running = true;
  const { jobs, default_agent } = config.value;
  const settings = {
    ...appSettings(rt, config.value, access.value, log),
    hub: createHub(),
    tickets: createStoredTickets(rt, store.once, access.value),
    problem_page: bundledProblemPage,
  };
  const model = rt.pickModel(default_agent, "execute").name;
  const app = createApp(
    settings,
    [
      ...consoleFileRoutes(consoleFiles()),
      ...aboutRoutes({ model, demo: model === DEMO_MODEL, data: null }),
      ...webhookRoutes(fetcher),
      ...links.value.routes,
    ],
    host.value.routes,
  );
  const workOn = createLambdaWork(rt, { jobs, log, fetcher, links: links.value.linkSettings });
  return ok({ app, rt, jobs, workOn, log });
}

type AssemblyParts = {
  readonly config: LoadedConfig;
  readonly env: Environment;
  readonly log: Log;
  readonly store: DynamoStore;
  readonly fetcher: Fetcher & AddressGuard;
  readonly turn_ms: number;
  readonly options: LambdaOptions;
  readonly toolkits: readonly Toolkit[];
};

function assemble({ config, env, log, store, fetcher, turn_ms, options, toolkits }: AssemblyParts): Result<Host> {
  const pickModel = createModelPicker(config, env, options);
  if (!pickModel.ok) return pickModel;
  return createHost({
    store: store.threads,
    settings: store.settings,
    pickModel: pickModel.value,
    config: { ...runtimeConfig(config, env), turn_deadline_ms: turn_ms },
    toolkits: [...TOOLKITS, ...toolkits],
    extensions: config.extensions,
    // A function has no persistent disk, so files are stored in the thread. It cannot run commands.
    parts: { files: virtualFiles, documents: store.documents },
    fetcher,
    faults: faultsFromEnvironment(env),
    onCall: (line) => log.info({ msg: "call", ...line }),
    secrets: collectSecrets(config, env),
    // A claim is one small write per turn. The second model call that it prevents costs about a thousand times as much.
    ...(env.PAWL_CLAIMS === "off" ? {} : { claims: store.claims }),
  });
}

type LambdaWorkOptions = Pick<WorkOptions, "jobs" | "log"> & {
  readonly fetcher: Fetcher;
  readonly links: LambdaLinks["linkSettings"];
};

function createLambdaWork(rt: Runtime, { jobs, log, fetcher, links }: LambdaWorkOptions): WorkOn {
  return createWorkOn(rt, {
    owner: OWNER,
    jobs,
    log,
    missed_after_ms: MISSED_AFTER_MS,
    emit: () => undefined,
    async sendWebhook(due) {
      const settings = await links();
      if (!settings.ok) throw new Error(`${settings.problem.code}: ${settings.problem.message}`);
      return sendWebhook(rt, due, { fetcher, links: settings.value, owner: OWNER });
    },
  });
}

function createModelPicker(config: LoadedConfig, env: Environment, { model }: LambdaOptions): Result<PickModel> {
  if (model === undefined) return createPickModel(config, env, createDemoModel(), { clock: systemClock });
  return ok(typeof model === "function" ? model : () => model);
}

const FOLDER = join(import.meta.dirname, "console/problems");

/** A custom bundle may have no pages of its own; those of the package are read then. */
const bundledProblemPage = (code: ProblemCode): Promise<string | null> =>
  readFile(join(FOLDER, `${code}.md`), "utf8").catch(() => readProblemPage(code));
