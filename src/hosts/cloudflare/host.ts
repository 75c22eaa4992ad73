// The runtime in a worker or one of its objects: threads, settings and calendars in objects, models by its variables.
import { systemClock } from "../../adapters/clock-system.ts";
import { createPlatformFetcher } from "../../adapters/fetch-guarded/platform-fetcher.ts";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createIds } from "../../adapters/ids-random.ts";
import { createDemoModel } from "../../adapters/model-demo/model-demo.ts";
import { createDurableObjectCalendars } from "../../adapters/store-durable-object/calendars.ts";
import { createDurableObjectStore, type ObjectNamespaces } from "../../adapters/store-durable-object/create-store.ts";
import type { Route } from "../../http/app.ts";
import { createRateLimit } from "../../http/edge/rate-limit.ts";
import type { AppSettings, Log } from "../../http/env.ts";
import type { Hub } from "../../http/live/hub.ts";
import type { LinkSettings } from "../../jobs/webhooks/confirm-links.ts";
import { noFaults } from "../../ports/faults.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import type { JobsConfig } from "../../schema/config.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { callLogHooks } from "../../tools/call-log.ts";
import { createRedactor, redactionHooks } from "../../tools/redaction/redact.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createRuntimeCache } from "../../turn/runtime-cache.ts";
import { VERSION } from "../../version.ts";
import { collectSecrets } from "../shared/collect-secrets.ts";
import { configFromEnvironment, createPickModel, type Environment, runtimeConfig } from "../shared/config.ts";
import type { ResolvedConfig } from "../shared/config-names.ts";
import { createScheduling } from "../shared/create-scheduling.ts";
import { type CloudflareAccess, createCloudflareAccess } from "./access.ts";
import { createCloudflareJobs, readLinkSettings } from "./jobs.ts";
import { createConsoleLog } from "./log.ts";
import { CLOUDFLARE_PARTS, cloudflareTools } from "./tools.ts";

export type CloudflareHost = {
  readonly rt: Runtime;
  readonly jobs: JobsConfig;
  readonly model: string;
  readonly access: CloudflareAccess;
  readonly settings: AppSettings;
  readonly routes: readonly Route[];
  readonly fetcher: Fetcher;
  /** null: what is sent holds no links. */
  readonly links: LinkSettings | null;
};

export function createCloudflareHost(objects: ObjectNamespaces, env: Environment, hub: Hub): Result<CloudflareHost> {
  const config = configFromEnvironment(env);
  if (!config.ok) return config;
  const access = createCloudflareAccess(env);
  if (!access.ok) return access;
  const { limits, cors, default_agent, jobs } = config.value;
  const log = createConsoleLog(config.value.log.level, collectSecrets(config.value, env));
  const links = readLinkSettings(config.value.public_url, env);
  if (!links.ok) return links;
  const fetcher = createPlatformFetcher({ allow: config.value.fetch.allow });
  const runtime = buildRuntime(objects, config.value, env, log, fetcher);
  if (!runtime.ok) return runtime;
  const { rt } = runtime.value;
  const jobRoutes = createCloudflareJobs(rt, fetcher, links.value);
  if (!jobRoutes.ok) return jobRoutes;
  const { authenticate, local_only } = access.value;
  const settings: AppSettings = {
    rt,
    hub,
    authenticate,
    local_only,
    cors_origins: cors.origins,
    limits,
    rate_limit: createRateLimit(limits.requests_per_minute),
    log,
    release: VERSION,
  };
  const model = rt.pickModel(default_agent, "execute").name;
  const routes = [...runtime.value.routes, ...jobRoutes.value];
  return ok({ rt, jobs, model, access: access.value, settings, routes, fetcher, links: links.value });
}

type RuntimeWithRoutes = { readonly rt: Runtime; readonly routes: readonly Route[] };

function buildRuntime(
  objects: ObjectNamespaces,
  config: ResolvedConfig,
  env: Environment,
  log: Log,
  fetcher: Fetcher,
): Result<RuntimeWithRoutes> {
  const pickModel = createPickModel(config, env, createDemoModel(), { clock: systemClock });
  if (!pickModel.ok) return pickModel;
  const { threads, settings, claims } = createDurableObjectStore(objects);
  const scheduling = createScheduling(createDurableObjectCalendars(objects.directory));
  const rt: Runtime = {
    store: threads,
    settings,
    companions: scheduling.companions,
    pickModel: pickModel.value,
    toolbox: createToolbox([...cloudflareTools(fetcher), ...scheduling.tools]),
    // The log first, so that it hears of every call; secrets last, so that no other hook brings one back.
    hooks: [
      ...callLogHooks((line) => log.info({ msg: "call", ...line })),
      ...redactionHooks(createRedactor(collectSecrets(config, env))),
    ],
    clock: systemClock,
    ids: createIds(systemClock),
    hash: nodeHash,
    faults: noFaults,
    config: { ...runtimeConfig(config), parts: CLOUDFLARE_PARTS },
    running: new Set(),
    cache: createRuntimeCache(),
    // Two more rows a turn; a model call that was paid for in vain costs a thousand times as much.
    ...(env.PAWL_CLAIMS === "off" ? {} : { claims }),
  };
  return ok({ rt, routes: scheduling.routes });
}
