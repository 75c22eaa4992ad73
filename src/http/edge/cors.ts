// Allows only the origins that are configured, and never cookies, so "*" exposes nothing that a key does not protect.
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { Ctx, Env } from "../env.ts";

/** Clients of other protocols send headers with these prefixes, and more of them with every release. */
const CLIENT_PREFIXES = ["mcp-", "a2a-", "openai-", "x-stainless-"];
const HEADERS = [
  ...["authorization", "content-type", "idempotency-key", "if-match", "last-event-id"],
  // The AI SDK sends its name as user-agent, and trace headers are passed through.
  ...["user-agent", "traceparent", "tracestate", "x-pawl-chat-id"],
];

const MIDDLEWARE_OPTIONS = {
  allowMethods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
  exposeHeaders: [
    ...["etag", "location", "idempotency-replayed", "retry-after", "x-request-id", "allow"],
    ...["x-should-retry", "x-vercel-ai-ui-message-stream"],
  ],
  maxAge: 600,
};

/** The requested headers that clients of other protocols send. */
const clientHeaders = (c: Ctx): readonly string[] =>
  (c.req.header("access-control-request-headers") ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[a-z0-9-]+$/.test(name) && CLIENT_PREFIXES.some((prefix) => name.startsWith(prefix)));

export const isPreflight = (c: Ctx): boolean =>
  c.req.method === "OPTIONS" &&
  c.req.header("origin") !== undefined &&
  c.req.header("access-control-request-method") !== undefined;

/** Adds the headers to every response, including problems: a page that may send requests must be able to read why one failed. */
export function createCors(origins: readonly string[]): MiddlewareHandler<Env> {
  const anyOrigin = origins.includes("*");
  const options = { ...MIDDLEWARE_OPTIONS, origin: anyOrigin ? "*" : [...origins] };
  const middleware = cors(options);
  const preflight = (c: Ctx) => cors({ ...options, allowHeaders: [...HEADERS, ...clientHeaders(c)] });
  const isAllowed = (c: Ctx): boolean => anyOrigin || origins.includes(c.req.header("origin") ?? "");
  return async (c, next) => {
    // Hono's middleware would list methods and headers even for a refused origin, and would treat every OPTIONS request as a
    // preflight.
    if (isPreflight(c)) return isAllowed(c) ? preflight(c)(c, next) : c.body(null, 204);
    // A WebSocket is not subject to CORS, and its response must not be copied.
    const skipped = origins.length === 0 || c.req.method === "OPTIONS" || c.req.header("upgrade") !== undefined;
    return skipped ? next() : middleware(c, next);
  };
}
