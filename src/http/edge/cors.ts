// Other origins: none until configured. Never with cookies, so "*" gives away nothing that a key does not open.
import type { AppOptions, Ctx } from "../env.ts";

const ALLOWED_METHODS = "GET, HEAD, POST, PATCH, DELETE";
const ALLOWED_HEADERS = "authorization, content-type, idempotency-key, if-match, last-event-id";
const EXPOSED_HEADERS = "etag, location, idempotency-replayed, retry-after, x-request-id, allow";
const PREFLIGHT_MAX_AGE_S = "600";

/** Marks every answer, problems too: a page that may call must be able to read why it failed. */
export function setCorsHeaders(c: Ctx, { cors_origins }: AppOptions): void {
  if (cors_origins.length === 0) return;
  const origin = c.req.header("origin");
  const anyOrigin = cors_origins.includes("*");
  if (!anyOrigin) c.header("vary", "Origin");
  if (origin === undefined || !(anyOrigin || cors_origins.includes(origin))) return;
  c.header("access-control-allow-origin", anyOrigin ? "*" : origin);
  c.header("access-control-expose-headers", EXPOSED_HEADERS);
}

export const isPreflight = (c: Ctx): boolean =>
  c.req.method === "OPTIONS" &&
  c.req.header("origin") !== undefined &&
  c.req.header("access-control-request-method") !== undefined;

export function respondPreflight(c: Ctx): Response {
  const { cors_origins } = c.get("options");
  const origin = c.req.header("origin") ?? "";
  if (cors_origins.includes("*") || cors_origins.includes(origin)) {
    c.header("access-control-allow-methods", ALLOWED_METHODS);
    c.header("access-control-allow-headers", ALLOWED_HEADERS);
    c.header("access-control-max-age", PREFLIGHT_MAX_AGE_S);
  }
  return c.body(null, 204);
}
