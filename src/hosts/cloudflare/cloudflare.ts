// The Cloudflare host: the same app in a worker, every thread in an object of its own.
import type { Hono } from "hono";
import { createApp } from "../../http/app.ts";
import type { Env } from "../../http/env.ts";
import { problemBody } from "../../http/respond.ts";
import { aboutRoutes } from "../../http/routes/about.ts";
import { ok, type Problem, type Result } from "../../schema/problem.ts";
import { VERSION } from "../../version.ts";
import { type CloudflareAccess, checkKeysConfigured } from "./access.ts";
import { consoleRoutes } from "./console.ts";
import { type CloudflareEnv, stringVariables } from "./env.ts";
import { createCloudflareHost } from "./host.ts";
import { keepAliveAfterDisconnect } from "./keep-alive.ts";
import { type CloudflareHub, createCloudflareHub } from "./live-hub.ts";
import { problemPages } from "./problem-pages.ts";
import { rearmOverdueAlarms } from "./rearm-alarms.ts";
import { createObjectTickets } from "./tickets.ts";
import { upgradeInThreadObject } from "./upgrade.ts";

export { PawlDirectory } from "./directory-object.ts";
export { PawlThread } from "./thread-object.ts";

type CloudflareApp = { readonly app: Hono<Env>; readonly access: CloudflareAccess; readonly hub: CloudflareHub };
type Context = { readonly waitUntil: (work: Promise<unknown>) => void };

const DEMO_MODEL = "demo";

/** Made by the first request: the platform allows neither randomness nor time while the code is loaded. */
let cachedApp: Result<CloudflareApp> | null = null;

function createCloudflareApp(env: CloudflareEnv): Result<CloudflareApp> {
  const hub = createCloudflareHub(env.THREADS);
  const host = createCloudflareHost({ threads: env.THREADS, directory: env.DIRECTORY }, stringVariables(env), hub);
  if (!host.ok) return host;
  const { rt, settings, routes, access, model } = host.value;
  const tickets = createObjectTickets(rt, env.DIRECTORY, access);
  const about = aboutRoutes({ model, demo: model === DEMO_MODEL, data: "Durable Objects" });
  const extra = [...consoleRoutes(env), ...about, ...routes];
  const upgrade = upgradeInThreadObject(env);
  const app = createApp({ ...settings, tickets, upgrade, problem_page: problemPages(env) }, extra);
  return ok({ app, access, hub });
}

const problemResponse = (problem: Problem): Response =>
  new Response(JSON.stringify(problemBody(problem, null)), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" },
  });

const healthResponse = (): Response => Response.json({ ok: true, release: VERSION });

async function fetch(request: Request, env: CloudflareEnv, ctx: Context): Promise<Response> {
  cachedApp ??= createCloudflareApp(env);
  if (!cachedApp.ok) {
    console.error(JSON.stringify({ level: "error", msg: cachedApp.problem.message }));
    return problemResponse(cachedApp.problem);
  }
  const { app, access, hub } = cachedApp.value;
  const url = new URL(request.url);
  const allowed = checkKeysConfigured(access, url);
  if (!allowed.ok) return url.pathname === "/healthz" ? healthResponse() : problemResponse(allowed.problem);
  const response = Promise.resolve(hub.runWithSender(() => app.fetch(request, env, ctx as never)));
  // A caller who goes away does not take the turn along.
  ctx.waitUntil(response.catch(() => undefined));
  return keepAliveAfterDisconnect(request, await response, ctx);
}

/** The cron trigger: its own time counts, not the time at which the platform got round to it. */
async function scheduled({ scheduledTime }: { readonly scheduledTime: number }, env: CloudflareEnv): Promise<void> {
  await rearmOverdueAlarms(env, scheduledTime);
}

export default { fetch, scheduled };
