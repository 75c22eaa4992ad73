// The runtime in a worker or one of its objects: threads, settings and calendars in objects, models by its variables.
import { systemClock } from "../../adapters/clock-system.ts";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createIds } from "../../adapters/ids-random.ts";
import { createDemoModel } from "../../adapters/model-demo/model-demo.ts";
import { createDurableObjectCalendars } from "../../adapters/store-durable-object/calendars.ts";
import { createDurableObjectStore, type Objects } from "../../adapters/store-durable-object/create-store.ts";
import type { Route } from "../../http/app.ts";
import type { AppSettings, Log } from "../../http/env.ts";
import type { Hub } from "../../http/hub.ts";
import { createRateLimit } from "../../http/rate-limit.ts";
import { noFaults } from "../../ports/faults.ts";
import type { JobsConfig } from "../../schema/config.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { callLogHooks } from "../../tools/call-log.ts";
import { createRedactor, redactionHooks } from "../../tools/redact.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { configFromEnvironment, createPickModel, type Environment, runtimeConfig } from "../config.ts";
import type { SettledConfig } from "../config-names.ts";
import { schedulingOn } from "../scheduling-on.ts";
import { secretsOf } from "../secrets.ts";
import { createWorkerAccess, type WorkerAccess } from "./access.ts";
import { createConsoleLog } from "./log.ts";
import { WORKER_PARTS, workerTools } from "./tools.ts";

export type WorkerHost = {
  readonly rt: Runtime;
  readonly jobs: JobsConfig;
  readonly model: string;
  readonly access: WorkerAccess;
  readonly settings: AppSettings;
  readonly routes: readonly Route[];
};

export const RELEASE = "0.1.0";

/** A request must not wake what belongs to another one here; streams ask the log, sockets are the object's own. */
const NO_HUB: Hub = { publish: () => undefined, listen: () => () => undefined, listeners: () => 0 };

export function createWorkerHost(objects: Objects, env: Environment): Result<WorkerHost> {
  const config = configFromEnvironment(env);
  if (!config.ok) return config;
  const access = createWorkerAccess(env);
  if (!access.ok) return access;
  const { limits, cors, default_agent, jobs } = config.value;
  const log = createConsoleLog(config.value.log.level, secretsOf(config.value, env));
  const made = createRuntime(objects, config.value, env, log);
  if (!made.ok) return made;
  const { rt, routes } = made.value;
  const { authenticate, local_only } = access.value;
  const settings: AppSettings = {
    rt,
    hub: NO_HUB,
    authenticate,
    local_only,
    cors_origins: cors.origins,
    limits,
    rate_limit: createRateLimit(limits.requests_per_minute),
    log,
    release: RELEASE,
  };
  const model = rt.pickModel(default_agent, "execute").name;
  return ok({ rt, jobs, model, access: access.value, settings, routes });
}

type Made = { readonly rt: Runtime; readonly routes: readonly Route[] };

function createRuntime(objects: Objects, config: SettledConfig, env: Environment, log: Log): Result<Made> {
  const pickModel = createPickModel(config, env, createDemoModel(), { clock: systemClock });
  if (!pickModel.ok) return pickModel;
  const { threads, settings } = createDurableObjectStore(objects);
  const scheduling = schedulingOn(createDurableObjectCalendars(objects.directory));
  const rt: Runtime = {
    store: threads,
    settings,
    companions: scheduling.companions,
    pickModel: pickModel.value,
    toolbox: createToolbox([...workerTools(), ...scheduling.tools]),
    // The log first, so that it hears of every call; secrets last, so that no other hook brings one back.
    hooks: [
      ...callLogHooks((line) => log.info({ msg: "call", ...line })),
      ...redactionHooks(createRedactor(secretsOf(config, env))),
    ],
    clock: systemClock,
    ids: createIds(systemClock),
    hash: nodeHash,
    faults: noFaults,
    config: { ...runtimeConfig(config), parts: WORKER_PARTS },
    running: new Set(),
  };
  return ok({ rt, routes: scheduling.routes });
}
