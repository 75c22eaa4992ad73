// The runtime on Lambda: threads, settings and calendars in DynamoDB, the configured models or the demo model.
import type { Hono } from "hono";
import { systemClock } from "../../adapters/clock-system.ts";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createIds } from "../../adapters/ids-random.ts";
import { createDemoModel } from "../../adapters/model-demo/model-demo.ts";
import { createDynamoClient, createDynamoStore, type DynamoStore } from "../../adapters/store-dynamodb/create-store.ts";
import { createApp, type Route } from "../../http/app.ts";
import { createRateLimit } from "../../http/edge/rate-limit.ts";
import type { Env, Log } from "../../http/env.ts";
import { createHub } from "../../http/live/hub.ts";
import { aboutRoutes } from "../../http/routes/about.ts";
import { consoleFileRoutes } from "../../http/routes/console-page.ts";
import { webhookRoutes } from "../../http/routes/webhooks.ts";
import { createSchedules, createTriggers } from "../../jobs/tool-ports.ts";
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import type { Model, PickModel } from "../../ports/model.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { jobTools } from "../../toolkits/automation/job-tools.ts";
import { callLogHooks } from "../../tools/call-log.ts";
import type { Tool } from "../../tools/define-tool.ts";
import type { Hook } from "../../tools/hooks.ts";
import { createRedactor, redactionHooks } from "../../tools/redaction/redact.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createRuntimeCache } from "../../turn/runtime-cache.ts";
import { VERSION } from "../../version.ts";
import { consoleFiles } from "../node/console-files.ts";
import { createLog } from "../node/log.ts";
import { DEMO_MODEL } from "../node/startup-message.ts";
import { createAccess } from "../shared/access.ts";
import { collectSecrets } from "../shared/collect-secrets.ts";
import { createPickModel, type Environment, type LoadedConfig, loadConfig, runtimeConfig } from "../shared/config.ts";
import { createScheduling } from "../shared/create-scheduling.ts";
import { faultsFromEnvironment } from "../shared/faults.ts";
import { lazyFetcher } from "../shared/lazy-adapters.ts";
import { createLambdaLinks, type LambdaLinks } from "./links.ts";
import { bundledProblemPage } from "./pages.ts";
import { createTableTickets } from "./tickets.ts";
import { LAMBDA_PARTS, lambdaTools } from "./tools.ts";

export type LambdaOptions = {
  /** Besides those that a function brings along. */
  readonly tools?: readonly Tool[];
  /** Before the bundled ones. */
  readonly hooks?: readonly Hook[];
  /** Instead of the configured ones. */
  readonly model?: Model | PickModel;
};

export type LambdaHost = {
  readonly app: Hono<Env>;
  readonly rt: Runtime;
  readonly jobs: LoadedConfig["jobs"];
  readonly fetcher: Fetcher;
  readonly links: LambdaLinks["linkSettings"];
  readonly log: Log;
};

/** Whoever has the URL reaches a function: without keys it would serve everybody, so it serves nobody. */
const PUBLIC_HOST = "0.0.0.0";
/** Of the time of an invocation: for the commit after a turn's time is over, and for the answer. */
const RESERVE_MS = 15_000;
const TURN_DEADLINE_MS_MIN = 1_000;
const STORE_RETRY_MS_MAX = 5_000;

const turnDeadline = ({ limits }: LoadedConfig, remaining_ms: number): number =>
  Math.max(TURN_DEADLINE_MS_MIN, Math.min(limits.turn_deadline_ms, remaining_ms - RESERVE_MS));

/** `ends_in_ms`: how long an invocation may take. No turn is given more. */
export async function createLambdaHost(
  env: Environment,
  remaining_ms: number,
  options: LambdaOptions = {},
): Promise<Result<LambdaHost>> {
  const config = await loadConfig(env.LAMBDA_TASK_ROOT ?? process.cwd(), env);
  if (!config.ok) return config;
  if (!env.TABLE_NAME) return fail("config_invalid", "TABLE_NAME: is not set");
  const access = createAccess({ ...config.value, host: PUBLIC_HOST }, env);
  if (!access.ok) return access;
  const log = createLog(config.value.log.level, collectSecrets(config.value, env));
  const turn_ms = turnDeadline(config.value, remaining_ms);
  const store = createDynamoStore({
    client: createDynamoClient(),
    table: env.TABLE_NAME,
    clock: systemClock,
    // A turn reads and writes a few times; all of that together stays below its deadline.
    patience_ms: Math.min(STORE_RETRY_MS_MAX, turn_ms / 4),
  });
  const links = createLambdaLinks(config.value, env, store.secret);
  if (!links.ok) return links;
  const fetcher = lazyFetcher(config.value.fetch.allow);
  const runtime = buildRuntime({ config: config.value, env, log, store, fetcher, turn_ms, options });
  if (!runtime.ok) return runtime;
  const { rt, routes } = runtime.value;
  const { limits, cors, jobs, default_agent } = config.value;
  const { callerByName: recall, ...accessOptions } = access.value;
  const settings = {
    rt,
    hub: createHub(),
    ...accessOptions,
    cors_origins: cors.origins,
    limits,
    rate_limit: createRateLimit(limits.requests_per_minute),
    log,
    release: VERSION,
    tickets: createTableTickets(rt, store.once, { callerByName: recall }),
    problem_page: bundledProblemPage,
  };
  const model = rt.pickModel(default_agent, "execute").name;
  const app = createApp(settings, [
    ...consoleFileRoutes(consoleFiles()),
    ...aboutRoutes({ model, demo: model === DEMO_MODEL, data: null }),
    ...routes,
    ...webhookRoutes(fetcher),
    ...links.value.routes,
  ]);
  return ok({ app, rt, jobs, fetcher, links: links.value.linkSettings, log });
}

type RuntimeParts = {
  readonly config: LoadedConfig;
  readonly env: Environment;
  readonly log: Log;
  readonly store: DynamoStore;
  readonly fetcher: Fetcher & AddressGuard;
  readonly turn_ms: number;
  readonly options: LambdaOptions;
};
type RuntimeWithRoutes = { readonly rt: Runtime; readonly routes: readonly Route[] };

function buildRuntime({ config, env, log, store, fetcher, turn_ms, options }: RuntimeParts): Result<RuntimeWithRoutes> {
  const pickModel = createModelPicker(config, env, options);
  if (!pickModel.ok) return pickModel;
  const { threads, settings, calendars, claims } = store;
  const scheduling = createScheduling(calendars);
  const rt: Runtime = {
    store: threads,
    settings,
    companions: scheduling.companions,
    pickModel: pickModel.value,
    toolbox: createToolbox([...lambdaTools(fetcher), ...scheduling.tools]),
    // The log first, so that it hears of every call; secrets last, so that no other hook brings one back.
    hooks: [
      ...callLogHooks((line) => log.info({ msg: "call", ...line })),
      ...(options.hooks ?? []),
      ...redactionHooks(createRedactor(collectSecrets(config, env))),
    ],
    clock: systemClock,
    ids: createIds(systemClock),
    hash: nodeHash,
    faults: faultsFromEnvironment(env),
    config: { ...runtimeConfig(config), turn_deadline_ms: turn_ms, parts: LAMBDA_PARTS },
    running: new Set(),
    cache: createRuntimeCache(),
    // Two more small writes a turn; a model call that was paid for in vain costs a thousand times as much.
    ...(env.PAWL_CLAIMS === "off" ? {} : { claims }),
  };
  const jobs = jobTools({ schedules: createSchedules(rt), triggers: createTriggers(rt, fetcher), clock: rt.clock });
  const added = rt.toolbox.register(...jobs, ...(options.tools ?? []));
  return added.ok ? ok({ rt, routes: scheduling.routes }) : added;
}

function createModelPicker(config: LoadedConfig, env: Environment, { model }: LambdaOptions): Result<PickModel> {
  if (model === undefined) return createPickModel(config, env, createDemoModel(), { clock: systemClock });
  return ok(typeof model === "function" ? model : () => model);
}
