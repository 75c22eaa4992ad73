// The Cloudflare host: the same app in a worker, every thread in an object of its own.
import type { Hono } from "hono";
import { createApp } from "../../http/app.ts";
import type { Env } from "../../http/env.ts";
import { problemBody } from "../../http/respond.ts";
import { aboutRoutes } from "../../http/routes/about.ts";
import { ok, type Problem, type Result } from "../../schema/problem.ts";
import { mayServe, type WorkerAccess } from "./access.ts";
import { consoleRoutes } from "./console.ts";
import { ringOverdue } from "./cron.ts";
import { variablesOf, type WorkerEnv } from "./env.ts";
import { createWorkerHost, RELEASE } from "./host.ts";
import { createWorkerHub, type WorkerHub } from "./live.ts";
import { outliveReader } from "./outlive.ts";
import { problemPages } from "./problem-pages.ts";
import { createObjectTickets } from "./tickets.ts";
import { upgradeInObject } from "./upgrade.ts";

export { PawlDirectory } from "./directory-object.ts";
export { PawlThread } from "./thread-object.ts";

type Serving = { readonly app: Hono<Env>; readonly access: WorkerAccess; readonly hub: WorkerHub };
type Context = { readonly waitUntil: (work: Promise<unknown>) => void };

const DEMO = "demo";

/** Made by the first request: the platform allows neither randomness nor time while the code is loaded. */
let made: Result<Serving> | null = null;

function serving(env: WorkerEnv): Result<Serving> {
  const hub = createWorkerHub(env.THREADS);
  const host = createWorkerHost({ threads: env.THREADS, directory: env.DIRECTORY }, variablesOf(env), hub);
  if (!host.ok) return host;
  const { rt, settings, routes, access, model } = host.value;
  const tickets = createObjectTickets(rt, env.DIRECTORY, access);
  const about = aboutRoutes({ model, demo: model === DEMO, data: "Durable Objects" });
  const extra = [...consoleRoutes(env), ...about, ...routes];
  const upgrade = upgradeInObject(env);
  const app = createApp({ ...settings, tickets, upgrade, problem_page: problemPages(env) }, extra);
  return ok({ app, access, hub });
}

const refuse = (problem: Problem): Response =>
  new Response(JSON.stringify(problemBody(problem, null)), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" },
  });

const alive = (): Response => Response.json({ ok: true, release: RELEASE });

async function fetch(request: Request, env: WorkerEnv, ctx: Context): Promise<Response> {
  made ??= serving(env);
  if (!made.ok) {
    console.error(JSON.stringify({ level: "error", msg: made.problem.message }));
    return refuse(made.problem);
  }
  const { app, access, hub } = made.value;
  const url = new URL(request.url);
  const allowed = mayServe(access, url);
  if (!allowed.ok) return url.pathname === "/healthz" ? alive() : refuse(allowed.problem);
  const answer = Promise.resolve(hub.within(() => app.fetch(request, env, ctx as never)));
  // A caller who goes away does not take the turn along.
  ctx.waitUntil(answer.catch(() => undefined));
  return outliveReader(request, await answer, ctx);
}

/** The cron trigger: its own time counts, not the time at which the platform got round to it. */
async function scheduled({ scheduledTime }: { readonly scheduledTime: number }, env: WorkerEnv): Promise<void> {
  await ringOverdue(env, scheduledTime);
}

export default { fetch, scheduled };
