// Creates the Cloudflare host, which runs the app in a worker and keeps each thread in a Durable Object of its own.
import type { Hono } from "hono";
import { createApp } from "../../http/app.ts";
import type { Env } from "../../http/env.ts";
import { problemResponse } from "../../http/respond.ts";
import { aboutRoutes } from "../../http/routes/about.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { VERSION } from "../../version.ts";
import type { Access } from "../shared/access.ts";
import { DEMO_MODEL } from "../shared/config-names.ts";
import type { Extension } from "../shared/extension.ts";
import { consoleRoutes } from "./console.ts";
import { PawlDirectory } from "./directory-object.ts";
import { type CloudflareEnv, stringVariables } from "./env.ts";
import { createCloudflareHost } from "./host.ts";
import { keepAliveAfterDisconnect } from "./keep-alive.ts";
import { type CloudflareHub, createCloudflareHub } from "./live-hub.ts";
import { createConsoleLog } from "./log.ts";
import { problemPages } from "./problem-pages.ts";
import { rearmAlarms } from "./rearm-alarms.ts";
import { PawlThread } from "./thread-object.ts";
import { createObjectTickets } from "./tickets.ts";
import { upgradeInThreadObject } from "./upgrade.ts";

export type { Extension };

type CloudflareApp = {
  readonly app: Hono<Env>;
  readonly access: Access;
  readonly hub: CloudflareHub;
  readonly prepare: () => Promise<void>;
};
type Context = { readonly waitUntil: (work: Promise<unknown>) => void };

export type CloudflareOptions = {
  /** Your own toolkits, tools, hooks and agents. */
  readonly extend?: Extension | readonly Extension[];
};

export type Cloudflare = {
  /** The default export of the worker. */
  readonly handler: {
    readonly fetch: (request: Request, env: CloudflareEnv, ctx: Context) => Promise<Response>;
    readonly scheduled: (event: { readonly scheduledTime: number }, env: CloudflareEnv) => Promise<void>;
  };
  /** The class of the binding THREADS. Export it under this name. */
  readonly PawlThread: typeof PawlThread;
  /** The class of the binding DIRECTORY. Export it under this name. */
  readonly PawlDirectory: typeof PawlDirectory;
};

export function createCloudflare(options: CloudflareOptions = {}): Cloudflare {
  const extensions = [options.extend ?? []].flat();
  /** Created by the first request, because the platform provides no random numbers and no current time while the code is loaded. */
  let cachedApp: Result<CloudflareApp> | null = null;
  return {
    handler: {
      fetch: (request, env, ctx) => {
        cachedApp ??= createCloudflareApp(env, extensions);
        return respond(cachedApp, request, env, ctx);
      },
      // Uses the time for which the trigger was scheduled, not the time when the platform runs it.
      scheduled: async ({ scheduledTime }, env) => void (await rearmAlarms(env, scheduledTime)),
    },
    PawlThread: class extends PawlThread {
      protected override extensions(): readonly Extension[] {
        return extensions;
      }
    },
    PawlDirectory,
  };
}

function createCloudflareApp(env: CloudflareEnv, extensions: readonly Extension[]): Result<CloudflareApp> {
  const hub = createCloudflareHub(env.THREADS);
  const objects = { threads: env.THREADS, directory: env.DIRECTORY };
  const host = createCloudflareHost({ objects, env: stringVariables(env), hub, extensions });
  if (!host.ok) return host;
  const { rt, settings, routes, toolkit_routes, access, model, prepare } = host.value;
  const tickets = createObjectTickets(rt, env.DIRECTORY, access);
  const about = aboutRoutes({ model, demo: model === DEMO_MODEL, data: "Durable Objects" });
  const extra = [...consoleRoutes(env), ...about, ...routes];
  const upgrade = upgradeInThreadObject(env);
  const app = createApp({ ...settings, tickets, upgrade, problem_page: problemPages(env) }, extra, toolkit_routes);
  return ok({ app, access, hub, prepare });
}

/** Anyone can read this response, so it does not repeat the actual message, which names parts of the configuration. */
const NOT_STARTED = fail("config_invalid", "The worker could not start; see its log for the reason.");

const healthResponse = (): Response => Response.json({ ok: true, release: VERSION });

async function respond(
  cachedApp: Result<CloudflareApp>,
  request: Request,
  env: CloudflareEnv,
  ctx: Context,
): Promise<Response> {
  if (!cachedApp.ok) {
    createConsoleLog("error", []).error({ msg: cachedApp.problem.message });
    return problemResponse(NOT_STARTED.problem);
  }
  const { app, access, hub, prepare } = cachedApp.value;
  const url = new URL(request.url);
  const allowed = checkKeysConfigured(access, url);
  if (!allowed.ok) return url.pathname === "/healthz" ? healthResponse() : problemResponse(allowed.problem);
  await prepare();
  const response = Promise.resolve(hub.runWithSender(() => app.fetch(request, env, ctx as never)));
  // A client that disconnects does not cancel the turn.
  ctx.waitUntil(response.catch(() => undefined));
  return keepAliveAfterDisconnect(request, await response, ctx);
}

const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/** Anyone can reach a worker, so one without keys serves only requests to this machine, which is where a developer runs it. */
function checkKeysConfigured({ local_only }: Access, url: URL): Result<void> {
  if (!local_only || LOOPBACK.includes(url.hostname)) return ok(undefined);
  return fail(
    "unauthorized",
    "This worker has no keys, so it serves nobody. Set some: npx wrangler secret put PAWL_API_KEYS",
  );
}
