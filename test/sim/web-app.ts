// Provides the real app of a simulated process. Apps are built once and reused between processes and histories.
import type { Hono } from "hono";
import { createApp } from "../../src/http/app.ts";
import { SCOPES } from "../../src/http/edge/caller.ts";
import type { Env } from "../../src/http/env.ts";
import { createHub } from "../../src/http/live/hub.ts";
import { confirmRoutes } from "../../src/http/routes/confirm-link.ts";
import { webhookRoutes } from "../../src/http/routes/webhooks.ts";
import type { LiveEvent } from "../../src/schema/event.ts";
import { TenantId, type ThreadRef } from "../../src/schema/ids.ts";
import { fail, ok } from "../../src/schema/problem.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { allowAllGuard } from "./jobs/endpoints.ts";
import { LINKS } from "./jobs/jobs-state.ts";

/** The current user of an app. */
type AppOwner = {
  readonly rt: Runtime;
  readonly emit: (at: ThreadRef, event: LiveEvent) => void;
  readonly onBug: (error: unknown) => void;
};
export type WebApp = { readonly app: Hono<Env>; owner: AppOwner; free: boolean };

/** Apps that are kept between histories, because building an app with its routes takes longer than a history. */
const appPool: WebApp[] = [];

export function borrowApp(owner: AppOwner): WebApp {
  const web = appPool.find(({ free }) => free) ?? buildApp(owner);
  web.free = false;
  web.owner = owner;
  return web;
}

export function returnApps(): void {
  for (const web of appPool) web.free = true;
}

/** All keys of a runtime. The compiler reports a missing one. */
const RUNTIME_KEYS: Readonly<Record<keyof Runtime, true>> = {
  store: true,
  settings: true,
  companions: true,
  documents: true,
  pickModel: true,
  toolbox: true,
  hooks: true,
  clock: true,
  ids: true,
  hash: true,
  faults: true,
  claims: true,
  config: true,
  running: true,
  in_flight: true,
  operation_log: true,
  cache: true,
  worker: true,
  toolkit_routes: true,
  metrics: true,
};

function buildApp(first: AppOwner): WebApp {
  const lease = { owner: first, free: true };
  const rt = {} as Runtime;
  for (const part of Object.keys(RUNTIME_KEYS))
    Object.defineProperty(rt, part, { enumerable: true, get: () => lease.owner.rt[part as keyof Runtime] });
  const hub = createHub();
  const log = { info: () => undefined, warn: () => undefined };
  const app = createApp(
    {
      rt,
      hub: {
        ...hub,
        publish: (at, event) => {
          lease.owner.emit(at, event);
          hub.publish(at, event);
        },
      },
      authenticate: (headers) => {
        const [tenant = "", name = ""] = (headers.get("authorization") ?? "").split("/");
        const known = TenantId.safeParse(tenant);
        if (!known.success) return fail("unauthorized", "Nobody.");
        return ok({ tenant: known.data, name, scopes: new Set(SCOPES) });
      },
      local_only: false,
      cors_origins: [],
      limits: { max_turns: 20 },
      rate_limit: () => ok(undefined),
      log: { ...log, error: ({ error }) => lease.owner.onBug(error) },
      release: "simulated",
    },
    [...webhookRoutes(allowAllGuard), ...confirmRoutes(LINKS)],
  );
  const web: WebApp = Object.assign(lease, { app });
  appPool.push(web);
  return web;
}
