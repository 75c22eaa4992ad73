// The runtime on Lambda: threads, settings and calendars in DynamoDB, the configured models or the demo model.
import type { Hono } from "hono";
import { systemClock } from "../adapters/clock-system.ts";
import { nodeHash } from "../adapters/hash-node.ts";
import { createIds } from "../adapters/ids-random.ts";
import { createDemoModel } from "../adapters/model-demo/model-demo.ts";
import { createDynamoClient, createDynamoStore } from "../adapters/store-dynamodb/create-store.ts";
import { createApp, type Route } from "../http/app.ts";
import type { Env, Log } from "../http/env.ts";
import { createHub } from "../http/hub.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import type { Fetcher } from "../ports/fetcher.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { callLogHooks } from "../tools/call-log.ts";
import { createRedactor, redactionHooks } from "../tools/redact.ts";
import { createToolbox } from "../tools/toolbox.ts";
import type { Runtime } from "../turn/runtime.ts";
import { createAccess } from "./access.ts";
import { createPickModel, type Environment, type LoadedConfig, loadConfig, runtimeConfig } from "./config.ts";
import { faultsFromEnvironment } from "./faults.ts";
import { withSecrets } from "./lambda-secrets.ts";
import { LAMBDA_PARTS, lambdaTools } from "./lambda-tools.ts";
import { lazyFetcher } from "./lazy-parts.ts";
import { createLog } from "./log.ts";
import { schedulingOn } from "./scheduling.ts";
import { secretsOf } from "./secrets.ts";

export type LambdaHost = {
  readonly app: Hono<Env>;
  readonly rt: Runtime;
  readonly jobs: LoadedConfig["jobs"];
  readonly fetcher: Fetcher;
  readonly log: Log;
};

/** Whoever has the URL reaches a function: without keys it would serve everybody, so it serves nobody. */
const REACHABLE = "0.0.0.0";

export async function createLambdaHost(given: Environment): Promise<Result<LambdaHost>> {
  const told = await withSecrets(given);
  if (!told.ok) return told;
  const env = told.value;
  const config = await loadConfig(env.LAMBDA_TASK_ROOT ?? process.cwd(), env);
  if (!config.ok) return config;
  const access = createAccess({ ...config.value, host: REACHABLE }, env);
  if (!access.ok) return access;
  const log = createLog(config.value.log.level, secretsOf(config.value, env));
  const made = createRuntime(config.value, env, log);
  if (!made.ok) return made;
  const { rt, routes } = made.value;
  const { limits, cors, jobs } = config.value;
  const settings = {
    rt,
    hub: createHub(),
    ...access.value,
    cors_origins: cors.origins,
    limits,
    rate_limit: createRateLimit(limits.requests_per_minute),
    log,
    release: "0.1.0",
  };
  return ok({ app: createApp(settings, routes), rt, jobs, fetcher: lazyFetcher(config.value.fetch.allow), log });
}

type Made = { readonly rt: Runtime; readonly routes: readonly Route[] };

function createRuntime(config: LoadedConfig, env: Environment, log: Log): Result<Made> {
  if (!env.TABLE_NAME) return fail("config_invalid", "TABLE_NAME: is not set");
  const pickModel = createPickModel(config, env, createDemoModel(), { clock: systemClock });
  if (!pickModel.ok) return pickModel;
  const { threads, settings, calendars, claims } = createDynamoStore({
    client: createDynamoClient(),
    table: env.TABLE_NAME,
    clock: systemClock,
  });
  const scheduling = schedulingOn(calendars);
  const rt: Runtime = {
    store: threads,
    settings,
    companions: scheduling.companions,
    pickModel: pickModel.value,
    toolbox: createToolbox([...lambdaTools(config.fetch.allow), ...scheduling.tools]),
    // The log first, so that it hears of every call; secrets last, so that no other hook brings one back.
    hooks: [
      ...callLogHooks((line) => log.info({ msg: "call", ...line })),
      ...redactionHooks(createRedactor(secretsOf(config, env))),
    ],
    clock: systemClock,
    ids: createIds(systemClock),
    hash: nodeHash,
    faults: faultsFromEnvironment(env),
    config: { ...runtimeConfig(config), parts: LAMBDA_PARTS },
    running: new Set(),
    // Two more small writes a turn; a model call that was paid for in vain costs a thousand times as much.
    ...(env.PAWL_CLAIMS === "off" ? {} : { claims }),
  };
  return ok({ rt, routes: scheduling.routes });
}
