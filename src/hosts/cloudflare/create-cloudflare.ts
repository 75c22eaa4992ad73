// Creates the Cloudflare host, which runs the app in a worker and keeps each thread in a Durable Object of its own.
import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { threadName } from "../../adapters/store-durable-object/create-store.ts";
import { createApp } from "../../http/app.ts";
import { readEventsAfter } from "../../http/edge/headers.ts";
import { threadAt } from "../../http/edge/params.ts";
import type { AppOptions, Env, Upgrade } from "../../http/env.ts";
import { readDialect } from "../../http/live/legacy-dialect.ts";
import { problemResponse } from "../../http/respond.ts";
import { pageRoute, type Route } from "../../http/route.ts";
import { aboutRoutes } from "../../http/routes/about.ts";
import { consoleFileRoutes, setConsoleHeaders } from "../../http/routes/console-page.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { VERSION } from "../../version.ts";
import { type Access, referenceOf } from "../shared/access.ts";
import { DEMO_MODEL } from "../shared/config-names.ts";
import type { Extension } from "../shared/extension.ts";
import { createStoredTickets } from "../shared/stored-tickets.ts";
import { PawlDirectory } from "./directory-object.ts";
import { type CloudflareEnv, createPerVariables, stringVariables } from "./env.ts";
import { ATTACHMENT_HEADER, type SocketAttachment } from "./hibernating-sockets.ts";
import { createCloudflareHost } from "./host.ts";
import { keepAliveAfterDisconnect } from "./keep-alive.ts";
import { type CloudflareHub, createCloudflareHub } from "./live-hub.ts";
import { createConsoleLog } from "./log.ts";
import { rearmAlarms } from "./rearm-alarms.ts";
import { PawlThread } from "./thread-object.ts";
import { createTicketObjects } from "./tickets.ts";

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
  const appOf = createPerVariables(
    (env) => createCloudflareApp(env, extensions),
    // Streams of the earlier app end if their key was removed.
    (before, env) => before.ok && before.value.access.replaceKeys(stringVariables(env)),
  );
  return {
    handler: {
      fetch: (request, env, ctx) => respond(appOf(env), request, env, ctx),
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
  const tickets = createStoredTickets(rt, createTicketObjects(env.DIRECTORY, rt.clock), access);
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
  created: Result<CloudflareApp>,
  request: Request,
  env: CloudflareEnv,
  ctx: Context,
): Promise<Response> {
  if (!created.ok) {
    createConsoleLog("error", []).error({ msg: created.problem.message });
    return problemResponse(NOT_STARTED.problem);
  }
  const { app, access, hub, prepare } = created.value;
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

/**
 * Reads the problem pages from the worker's static assets. If they were not built, the app shows a short page instead.
 */
const problemPages =
  ({ ASSETS }: CloudflareEnv): AppOptions["problem_page"] =>
  async (code) => {
    const file = await ASSETS?.fetch(new Request(`https://files/problems/${code}.md`));
    return file?.ok ? file.text() : null;
  };

const PATHS = ["/", "/console.js", "/console-zh.js", "/console.css", "/console.svg"];

/**
 * Serves the console from the worker's static assets, with the same access check and headers as on every other host.
 */
function consoleRoutes({ ASSETS }: CloudflareEnv): readonly Route[] {
  if (!ASSETS) return consoleFileRoutes([]);
  return PATHS.map((path) =>
    pageRoute(path, async (c) => {
      const file = await ASSETS.fetch(c.req.raw);
      setConsoleHeaders(c, file.headers.get("etag") ?? "");
      if (file.status === 304) return c.body(null, 304);
      const type = file.headers.get("content-type") ?? "application/octet-stream";
      return c.body(file.body ?? "", file.status as ContentfulStatusCode, { "content-type": type });
    }),
  );
}

/** Forwards an authorized request for a socket to the thread's object, which owns the socket. */
const upgradeInThreadObject =
  ({ THREADS }: CloudflareEnv): Upgrade =>
  async (c) => {
    const at = threadAt(c);
    const after = readEventsAfter(c);
    const dialect = readDialect(c.req.query("dialect"));
    if (!at.ok || !after.ok || !dialect.ok) throw new Error("the route checks its parameters before the upgrade");
    const attachment: SocketAttachment = {
      at: at.value,
      caller: referenceOf(c.get("caller")),
      request_id: c.get("request_id"),
      after: after.value,
      version: null,
      dialect: dialect.value,
    };
    const object = THREADS.get(THREADS.idFromName(threadName(at.value)));
    const headers = { upgrade: "websocket", [ATTACHMENT_HEADER]: JSON.stringify(attachment) };
    return object.fetch("https://thread/live", { headers });
  };
