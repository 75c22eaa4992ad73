// Other origins: none until configured. Never with cookies, so "*" exposes nothing that a key does not protect.
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { Ctx, Env } from "../env.ts";

/** What clients of other protocols send. */
const CLIENT_HEADERS = [
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "a2a-version",
  "openai-organization",
  "openai-project",
  ...["arch", "lang", "os", "package-version", "retry-count", "runtime", "runtime-version", "timeout"].map(
    (name) => `x-stainless-${name}`,
  ),
];

const MIDDLEWARE_OPTIONS = {
  allowMethods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
  allowHeaders: ["authorization", "content-type", "idempotency-key", "if-match", "last-event-id", ...CLIENT_HEADERS],
  exposeHeaders: ["etag", "location", "idempotency-replayed", "retry-after", "x-request-id", "allow"],
  maxAge: 600,
};

export const isPreflight = (c: Ctx): boolean =>
  c.req.method === "OPTIONS" &&
  c.req.header("origin") !== undefined &&
  c.req.header("access-control-request-method") !== undefined;

/** Marks every response, problems included: a page that may call must be able to read why a request failed. */
export function createCors(origins: readonly string[]): MiddlewareHandler<Env> {
  const anyOrigin = origins.includes("*");
  const middleware = cors({ ...MIDDLEWARE_OPTIONS, origin: anyOrigin ? "*" : [...origins] });
  const isAllowed = (c: Ctx): boolean => anyOrigin || origins.includes(c.req.header("origin") ?? "");
  return async (c, next) => {
    // Hono's middleware would list methods and headers even for a refused origin, and treat every OPTIONS as a preflight.
    if (isPreflight(c)) return isAllowed(c) ? middleware(c, next) : c.body(null, 204);
    // A WebSocket is not subject to CORS, and its response must not be copied.
    const skipped = origins.length === 0 || c.req.method === "OPTIONS" || c.req.header("upgrade") !== undefined;
    return skipped ? next() : middleware(c, next);
  };
}
