// Creates the runtime in a Cloudflare worker or in one of its objects, with Durable Objects as the store.
import { systemClock } from "../../adapters/clock-system.ts";
import { createPlatformFetcher } from "../../adapters/fetch-guarded/platform-fetcher.ts";
import { createDemoModel } from "../../adapters/model-demo/model-demo.ts";
import { createDurableObjectStore, type ObjectNamespaces } from "../../adapters/store-durable-object/create-store.ts";
import { createDurableObjectDocuments } from "../../adapters/store-durable-object/documents.ts";
import type { Route } from "../../http/app.ts";
import type { AppSettings, Log } from "../../http/env.ts";
import type { Hub } from "../../http/live/hub.ts";
import { confirmRoutes } from "../../http/routes/confirm-link.ts";
import { webhookRoutes } from "../../http/routes/webhooks.ts";
import type { LinkSettings } from "../../jobs/webhooks/confirm-links.ts";
import { sendWebhook } from "../../jobs/webhooks/send-webhook.ts";
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import type { JobsConfig } from "../../schema/jobs/jobs-config.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { TOOLKITS } from "../../toolkits/index.ts";
import type { ToolkitRoute } from "../../tools/route.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { type Access, createAccess } from "../shared/access.ts";
import { appSettings } from "../shared/app-settings.ts";
import { collectSecrets } from "../shared/collect-secrets.ts";
import { configFromEnvironment, createPickModel, type Environment, runtimeConfig } from "../shared/config.ts";
import type { ResolvedConfig } from "../shared/config-names.ts";
import { createHost, type Host } from "../shared/create-host.ts";
import type { Extension } from "../shared/extension.ts";
import { createMcpServers, lazyMcpSdk, type McpServers } from "../shared/mcp-servers.ts";
import { readLinkSecret } from "../shared/secret-variables.ts";
import { virtualFiles } from "../shared/virtual-files.ts";
import { createWorkOn, type WorkOn } from "../shared/work.ts";
import { createConsoleLog } from "./log.ts";

export type CloudflareHost = {
  readonly rt: Runtime;
  readonly jobs: JobsConfig;
  readonly model: string;
  readonly access: Access;
  readonly settings: AppSettings;
  readonly routes: readonly Route[];
  readonly toolkit_routes: readonly ToolkitRoute[];
  readonly workOn: WorkOn;
  /** Lists the tools of the MCP servers again if the last list is old. Must be called before turns run. */
  readonly prepare: () => Promise<void>;
};

export type CloudflareHostOptions = {
  readonly objects: ObjectNamespaces;
  readonly env: Environment;
  readonly hub: Hub;
  readonly extensions: readonly Extension[];
};

const OWNER = "alarm";

export function createCloudflareHost({ objects, env, hub, extensions }: CloudflareHostOptions): Result<CloudflareHost> {
  const config = configFromEnvironment(env, extensions);
  if (!config.ok) return config;
  // Access is checked per request instead: without keys, the worker serves only URLs of this machine.
  const access = createAccess({ keys_file: null, host: null }, env);
  if (!access.ok) return access;
  const { default_agent, jobs } = config.value;
  const log = createConsoleLog(config.value.log.level, collectSecrets(config.value, env));
  const links = readLinkSettings(config.value.public_url, env);
  if (!links.ok) return links;
  const fetcher = createPlatformFetcher({ allow: config.value.fetch.allow });
  const mcp = createMcpServers(config.value, env, {
    sdk: lazyMcpSdk,
    fetcher: (ports, allow) => createPlatformFetcher({ allow, ports }),
  });
  if (!mcp.ok) return mcp;
  const host = assemble({ objects, env, hub, extensions }, { config: config.value, mcp: mcp.value, log, fetcher });
  if (!host.ok) return host;
  const { rt } = host.value;
  // The alarms of the thread objects advance background runs.
  rt.worker.running = true;
  const settings = { ...appSettings(rt, config.value, access.value, log), hub };
  const workOn = createWorkOn(rt, {
    owner: OWNER,
    jobs,
    log,
    emit: hub.publish,
    sendWebhook: (due) => sendWebhook(rt, due, { fetcher, links: links.value, owner: OWNER }),
  });
  const model = rt.pickModel(default_agent, "execute").name;
  const routes = [...webhookRoutes(fetcher), ...linkRoutes(links.value)];
  const prepare = () => mcp.value.refreshIfOld(systemClock.now());
  const { routes: toolkit_routes } = host.value;
  return ok({ rt, jobs, model, access: access.value, settings, routes, toolkit_routes, workOn, prepare });
}

type AssemblyParts = {
  readonly config: ResolvedConfig;
  readonly mcp: McpServers;
  readonly log: Log;
  readonly fetcher: Fetcher & AddressGuard;
};

function assemble(
  { objects, env, extensions }: CloudflareHostOptions,
  { config, mcp, log, fetcher }: AssemblyParts,
): Result<Host> {
  const pickModel = createPickModel(config, env, createDemoModel(), { clock: systemClock });
  if (!pickModel.ok) return pickModel;
  const { threads, settings, claims } = createDurableObjectStore(objects);
  return createHost({
    store: threads,
    settings,
    pickModel: pickModel.value,
    config: runtimeConfig(config),
    toolkits: [...TOOLKITS, ...mcp.toolkits],
    extensions,
    // The platform has no disk, so files are stored in the thread, and it has no processes, so there are no commands.
    parts: { files: virtualFiles, documents: createDurableObjectDocuments(objects.directory) },
    fetcher,
    onCall: (line) => log.info({ msg: "call", ...line }),
    secrets: collectSecrets(config, env),
    // A claim is two small writes per turn. The second model call that it prevents costs about a thousand times as much.
    ...(env.PAWL_CLAIMS === "off" ? {} : { claims }),
  });
}

/** Both settings are needed, because an object that an alarm wakes has no request that shows the URL. With null, webhooks contain no links. */
function readLinkSettings(public_url: string | null, env: Environment): Result<LinkSettings | null> {
  const secret = readLinkSecret(env);
  if (!secret.ok) return secret;
  if (secret.value === null || public_url === null) return ok(null);
  return ok({ secret: secret.value, base: public_url.replace(/\/$/, "") });
}

const LINKS_DISABLED = fail("link_invalid", "This server sends no links: it has no PAWL_SECRET or no public_url.");

const linkRoutes = (links: LinkSettings | null): readonly Route[] =>
  links ? confirmRoutes(links) : disabledLinkRoutes();

const disabledLinkRoutes = (): readonly Route[] =>
  confirmRoutes({ secret: "", base: "" }).map((route): Route => ({ ...route, handler: () => LINKS_DISABLED }));
