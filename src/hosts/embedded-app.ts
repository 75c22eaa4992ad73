// Builds the HTTP API for `createFetch`: the routes that every host has, without API keys, a port or files.
import { createApp } from "../http/app.ts";
import { SCOPES } from "../http/edge/caller.ts";
import type { Log } from "../http/env.ts";
import { createHub } from "../http/live/hub.ts";
import { confirmRoutes } from "../http/routes/confirm-link.ts";
import { webhookRoutes } from "../http/routes/webhooks.ts";
import type { LinkSettings } from "../jobs/webhooks/confirm-links.ts";
import type { AddressGuard, Fetcher } from "../ports/fetcher.ts";
import type { TenantId } from "../schema/ids.ts";
import { ok } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";
import { VERSION } from "../version.ts";
import { lazyFetcher } from "./shared/lazy-adapters.ts";

export type EmbeddedCaller = {
  readonly tenant?: string;
  /** The name of the caller in records and receipts. */
  readonly name?: string;
  /** Checks the URLs of webhooks. By default only public addresses are accepted. */
  readonly fetcher?: Fetcher & AddressGuard;
  /** The URL under which clients reach this function, including its mount path. The default is `links.base`. */
  readonly public_url?: string;
  /** The secret of your confirmation links, and the public URL under which you serve this function. */
  readonly links?: LinkSettings;
};

const TURNS_PER_REQUEST_MAX = 20;

export function createEmbeddedApp(
  rt: Runtime,
  tenant: TenantId,
  caller: EmbeddedCaller,
  log: Log,
): ReturnType<typeof createApp> {
  const identity = { tenant, name: caller.name ?? "embedded", scopes: new Set(SCOPES) };
  const settings = {
    rt,
    hub: createHub(),
    authenticate: () => ok(identity),
    local_only: false,
    cors_origins: [],
    public_url: caller.public_url ?? caller.links?.base ?? null,
    limits: { max_turns: TURNS_PER_REQUEST_MAX },
    rate_limit: () => ok(undefined),
    log,
    release: VERSION,
  };
  const webhooks = webhookRoutes(caller.fetcher ?? lazyFetcher([]));
  const hostRoutes = caller.links ? [...webhooks, ...confirmRoutes(caller.links)] : webhooks;
  return createApp(settings, hostRoutes, rt.toolkit_routes);
}
