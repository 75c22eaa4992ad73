// Builds the app, in which every route runs behind the same guard and authorization.
import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { A2A_ERRORS } from "../protocols/a2a/errors.ts";
import { a2aRoutes } from "../protocols/a2a/routes.ts";
import { aguiRoutes } from "../protocols/agui/routes.ts";
import { aiRoutes } from "../protocols/ai/routes.ts";
import { MCP_ERRORS } from "../protocols/mcp/errors.ts";
import { mcpRoutes } from "../protocols/mcp/routes.ts";
import { metricsRoutes } from "../protocols/metrics/routes.ts";
import { OPENAI_ERRORS } from "../protocols/openai/errors.ts";
import { openaiRoutes } from "../protocols/openai/routes.ts";
import type { ToolkitRoute } from "../tools/route.ts";
import { authorized, type RouteRules } from "./edge/authorize.ts";
import { guard } from "./edge/guard.ts";
import { respondUnmatched } from "./edge/method-not-allowed.ts";
import { type AppSettings, type Env, withDefaults } from "./env.ts";
import type { Route } from "./route.ts";
import { agentRoutes } from "./routes/about.ts";
import { backgroundRoutes } from "./routes/background-runs.ts";
import { eventRoutes } from "./routes/events.ts";
import { exportRoutes } from "./routes/export.ts";
import { gateRoutes } from "./routes/gates.ts";
import { inboundEventRoutes } from "./routes/inbound-events.ts";
import { inboundWebhookRoutes } from "./routes/inbound-webhooks.ts";
import { operationRoutes } from "./routes/operations.ts";
import { scheduleRoutes } from "./routes/schedules.ts";
import { serverRoutes } from "./routes/server.ts";
import { threadRoutes } from "./routes/threads.ts";
import { ticketRoutes } from "./routes/tickets.ts";
import { toolRoutes } from "./routes/tools.ts";
import { turnLogRoutes } from "./routes/turn-log.ts";
import { turnRoutes } from "./routes/turns.ts";
import { workflowStepRoutes } from "./routes/workflow-steps.ts";
import { workflowRoutes } from "./routes/workflows.ts";
import { toolkitRoutes } from "./toolkit-route.ts";

export type { Route } from "./route.ts";

/** The routes that every host serves. */
export const ROUTES: readonly Route[] = [
  ...threadRoutes,
  ...turnRoutes,
  ...turnLogRoutes,
  ...eventRoutes,
  ...exportRoutes,
  ...backgroundRoutes,
  ...operationRoutes,
  ...gateRoutes,
  ...toolRoutes,
  ...agentRoutes,
  ...workflowRoutes,
  ...workflowStepRoutes,
  ...scheduleRoutes,
  ...inboundWebhookRoutes,
  ...inboundEventRoutes,
  ...ticketRoutes,
  ...serverRoutes,
  ...aguiRoutes,
  ...aiRoutes,
  ...openaiRoutes,
  ...mcpRoutes,
  ...a2aRoutes,
  ...metricsRoutes,
];

export function createApp(
  settings: AppSettings,
  hostRoutes: readonly Route[] = [],
  toolkits: readonly ToolkitRoute[] = [],
): Hono<Env> {
  const routes = [...ROUTES, ...hostRoutes, ...toolkitRoutes(toolkits)];
  const options = withDefaults(settings, routes, [OPENAI_ERRORS, MCP_ERRORS, A2A_ERRORS]);
  // Hono's default would try its RegExpRouter, which does not support these paths, and only then fall back to this one.
  const app = new Hono<Env>({ router: new TrieRouter() });
  const guarded = guard(options);
  for (const route of routes)
    app.on(route.method.toUpperCase(), route.path, guarded(authorized(route.scope, rulesOf(route), route.handler)));
  app.notFound(guarded(respondUnmatched(routes)));
  return app;
}

/** A POST route whose description does not list the Idempotency-Key header refuses the header. */
const rulesOf = ({ method, openapi }: Route): RouteRules => ({
  ticketed: openapi?.accepts_ticket ?? false,
  unkeyed: method === "post" && !openapi?.headers?.includes("Idempotency-Key"),
});
