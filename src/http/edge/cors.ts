// Other origins: none until configured. Never with cookies, so "*" gives away nothing that a key does not open.
import type { AppOptions, Ctx } from "../env.ts";

const METHODS = "GET, HEAD, POST, PATCH, DELETE";
const SENT = "authorization, content-type, idempotency-key, if-match, last-event-id";
const SHOWN = "etag, location, idempotency-replayed, retry-after, x-request-id, allow";
const PREFLIGHT_S = "600";

/** Marks every answer, problems too: a page that may call must be able to read why it failed. */
export function allowOrigin(c: Ctx, { cors_origins }: AppOptions): void {
  if (cors_origins.length === 0) return;
  const origin = c.req.header("origin");
  const anyone = cors_origins.includes("*");
  if (!anyone) c.header("vary", "Origin");
  if (origin === undefined || !(anyone || cors_origins.includes(origin))) return;
  c.header("access-control-allow-origin", anyone ? "*" : origin);
  c.header("access-control-expose-headers", SHOWN);
}

export const isPreflight = (c: Ctx): boolean =>
  c.req.method === "OPTIONS" &&
  c.req.header("origin") !== undefined &&
  c.req.header("access-control-request-method") !== undefined;

export function respondPreflight(c: Ctx): Response {
  const { cors_origins } = c.get("options");
  const origin = c.req.header("origin") ?? "";
  if (cors_origins.includes("*") || cors_origins.includes(origin)) {
    c.header("access-control-allow-methods", METHODS);
    c.header("access-control-allow-headers", SENT);
    c.header("access-control-max-age", PREFLIGHT_S);
  }
  return c.body(null, 204);
}
