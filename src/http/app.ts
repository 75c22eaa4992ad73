// The routes. One line each; what a route does is in its resource's file.
import { Hono } from "hono";
import { problem } from "../schema/problem.ts";
import { authorize } from "./edge/authorize.ts";
import type { Scope } from "./edge/caller.ts";
import { guard } from "./edge/guard.ts";
import { methodNotAllowed } from "./edge/method-not-allowed.ts";
import { postTicket } from "./edge/tickets.ts";
import { type AppSettings, type Ctx, type Env, withDefaults } from "./env.ts";
import { getLive } from "./live/live.ts";
import { respondProblem } from "./respond.ts";
import { postPause, postResume, postRun } from "./routes/background-runs.ts";
import { getDocs, getOpenApi, getProblem } from "./routes/docs.ts";
import { getEvents } from "./routes/events.ts";
import { getExport, postImport } from "./routes/export.ts";
import { listGates } from "./routes/gates.ts";
import { healthz, readyz } from "./routes/health.ts";
import {
  deleteInboundWebhook,
  getInboundWebhook,
  getInboundWebhooks,
  patchInboundWebhook,
  postInboundEvent,
  postInboundWebhook,
  postInboundWebhookRotate,
} from "./routes/inbound-webhooks.ts";
import { getOperation } from "./routes/operations.ts";
import { deleteSchedule, getSchedule, getSchedules, patchSchedule, postSchedule } from "./routes/schedules.ts";
import { deleteThread, getThread, listThreads, postFork, postThread } from "./routes/threads.ts";
import { listThreadTools, listTools, patchAgentTool, patchTool } from "./routes/tools.ts";
import { getPrompt, getTurn, listTurns, postTurn } from "./routes/turns.ts";

type Handler = (c: Ctx) => Response | Promise<Response>;
/** A host may bring routes of its own; they are guarded like all others. */
export type Route = readonly [
  method: "get" | "post" | "delete" | "patch",
  path: string,
  scope: Scope | null,
  handler: Handler,
];

export const ROUTES: readonly Route[] = [
  ["post", "/v1/threads", "advance", postThread],
  ["get", "/v1/threads", "read", listThreads],
  ["get", "/v1/threads/:id", "read", getThread],
  ["delete", "/v1/threads/:id", "advance", deleteThread],
  ["post", "/v1/threads/:id/turns", "advance", postTurn],
  ["get", "/v1/threads/:id/turns", "read", listTurns],
  ["get", "/v1/threads/:id/turns/:n", "read", getTurn],
  ["get", "/v1/threads/:id/turns/:n/prompt", "read", getPrompt],
  ["get", "/v1/threads/:id/events", "read", getEvents],
  ["get", "/v1/threads/:id/live", "read", getLive],
  ["post", "/v1/threads/:id/fork", "advance", postFork],
  ["get", "/v1/threads/:id/export", "admin", getExport],
  ["post", "/v1/import", "admin", postImport],
  ["post", "/v1/threads/:id/run", "advance", postRun],
  ["post", "/v1/threads/:id/pause", "advance", postPause],
  ["post", "/v1/threads/:id/resume", "advance", postResume],
  ["get", "/v1/threads/:id/tools", "read", listThreadTools],
  ["get", "/v1/threads/:id/operations/:op", "read", getOperation],
  ["get", "/v1/gates", "read", listGates],
  ["get", "/v1/tools", "read", listTools],
  ["patch", "/v1/tools/:name", "admin", patchTool],
  ["patch", "/v1/agents/:id/tools/:name", "admin", patchAgentTool],
  ["post", "/v1/schedules", "advance", postSchedule],
  ["get", "/v1/schedules", "read", getSchedules],
  ["get", "/v1/schedules/:schedule", "read", getSchedule],
  ["patch", "/v1/schedules/:schedule", "advance", patchSchedule],
  ["delete", "/v1/schedules/:schedule", "advance", deleteSchedule],
  ["post", "/v1/hooks", "admin", postInboundWebhook],
  ["get", "/v1/hooks", "admin", getInboundWebhooks],
  ["get", "/v1/hooks/:hook", "admin", getInboundWebhook],
  ["patch", "/v1/hooks/:hook", "admin", patchInboundWebhook],
  ["delete", "/v1/hooks/:hook", "admin", deleteInboundWebhook],
  ["post", "/v1/hooks/:hook/rotate", "admin", postInboundWebhookRotate],
  ["post", "/v1/hooks/:hook", null, postInboundEvent],
  ["post", "/v1/tickets", "read", postTicket],
  ["get", "/openapi.json", null, getOpenApi],
  ["get", "/docs", null, getDocs],
  ["get", "/problems/:code", null, getProblem],
  ["get", "/healthz", null, healthz],
  ["get", "/readyz", null, readyz],
];

/** A browser can send no header where it opens these, so a ticket in the address opens them too. */
const TICKET_PATHS: readonly string[] = ["/v1/threads/:id/events", "/v1/threads/:id/live"];

/** Where an Idempotency-Key counts. Every other route with a caller that takes a POST refuses it. */
const KEYED: readonly string[] = [
  "/v1/threads",
  "/v1/threads/:id/turns",
  "/v1/threads/:id/run",
  "/v1/threads/:id/pause",
  "/v1/threads/:id/resume",
  "/v1/schedules",
];
const refusesKey = (method: string, path: string): boolean => method === "post" && !KEYED.includes(path);

export function createApp(settings: AppSettings, hostRoutes: readonly Route[] = []): Hono<Env> {
  const routes = [...ROUTES, ...hostRoutes];
  const options = withDefaults(
    settings,
    routes.map(([method, path, scope]) => ({ method, path, scope })),
  );
  const app = new Hono<Env>();
  app.use("*", guard(options));
  for (const [method, path, scope, handler] of routes) {
    const rules = { ticketed: TICKET_PATHS.includes(path), unkeyed: refusesKey(method, path) };
    app.on(method.toUpperCase(), path, authorize(scope, rules), handler);
  }
  for (const path of new Set(routes.map((route) => route[1])))
    app.all(path, methodNotAllowed(allowedMethods(routes, path)));
  app.notFound((c) => respondProblem(c, problem("route_not_found", `There is no ${c.req.path}.`)));
  app.onError((error, c) => {
    options.log.error({ msg: "bug", request_id: c.get("request_id"), error: error.stack ?? String(error) });
    return respondProblem(c, problem("internal", "Something went wrong that is not your fault."));
  });
  return app;
}

/** As an Allow header names them: what answers GET answers HEAD. */
const allowedMethods = (routes: readonly Route[], path: string): readonly string[] =>
  routes
    .filter((route) => route[1] === path)
    .flatMap(([method]) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
