// Provides the real app of a simulated process. Apps are built once and reused between processes and histories.
import type { Hono } from "hono";
import { createApp } from "../../src/http/app.ts";
import { SCOPES } from "../../src/http/edge/caller.ts";
import type { Env } from "../../src/http/env.ts";
import { createHub, type Hub } from "../../src/http/live/hub.ts";
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
/** What streams listen with. Those of a crashed process never end, so each process has its own. */
type Signals = { readonly hub: Hub; readonly stopping: AbortSignal };
const createSignals = (): Signals => ({ hub: createHub(), stopping: new AbortController().signal });
export type WebApp = { readonly app: Hono<Env>; owner: AppOwner; free: boolean; signals: Signals };

/** The owner of a free app, which must not hold the history that it served. */
const NOBODY: AppOwner = { rt: {} as Runtime, emit: () => undefined, onBug: () => undefined };

/** Apps that are kept between histories, because building an app with its routes takes longer than a history. */
const appPool: WebApp[] = [];

export function borrowApp(owner: AppOwner): WebApp {
  const web = appPool.find(({ free }) => free) ?? buildApp(owner);
  web.free = false;
  web.owner = owner;
  web.signals = createSignals();
  return web;
}

export function returnApps(): void {
  for (const web of appPool) Object.assign(web, { free: true, owner: NOBODY, signals: createSignals() });
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
  const lease = { owner: first, free: true, signals: createSignals() };
  const rt = {} as Runtime;
  for (const part of Object.keys(RUNTIME_KEYS))
    Object.defineProperty(rt, part, { enumerable: true, get: () => lease.owner.rt[part as keyof Runtime] });
  const hub: Hub = {
    publish: (at, event) => {
      lease.owner.emit(at, event);
      lease.signals.hub.publish(at, event);
    },
    subscribe: (at, listener) => lease.signals.hub.subscribe(at, listener),
  };
  const stopping = {
    aborted: false,
    addEventListener: (type: string, listener: () => void) => lease.signals.stopping.addEventListener(type, listener),
    removeEventListener: (type: string, listener: () => void) =>
      lease.signals.stopping.removeEventListener(type, listener),
  } as AbortSignal;
  const log = { info: () => undefined, warn: () => undefined };
  const app = createApp(
    {
      rt,
      hub,
      stopping,
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
