// Allows only configured origins and never cookies, so "*" exposes nothing that a key does not protect.
import { cors } from "hono/cors";
import type { Ctx } from "../env.ts";

/** Prefixes of headers that clients of other protocols send. Each release of these clients may add headers. */
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

/** Returns the requested headers that clients of other protocols send. */
const clientHeaders = (c: Ctx): readonly string[] =>
  (c.get("headers")["access-control-request-headers"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[a-z0-9-]+$/.test(name) && CLIENT_PREFIXES.some((prefix) => name.startsWith(prefix)));

export const isPreflight = (c: Ctx): boolean =>
  c.req.method === "OPTIONS" &&
  c.get("headers").origin !== undefined &&
  c.get("headers")["access-control-request-method"] !== undefined;

type Respond = () => Response | Promise<Response>;

/**
 * Adds the headers to every response, including problems, so that a page that may send requests can read why one
 * failed.
 */
export function createCors(origins: readonly string[]): (c: Ctx, respond: Respond) => Response | Promise<Response> {
  const anyOrigin = origins.includes("*");
  const options = { ...MIDDLEWARE_OPTIONS, origin: anyOrigin ? "*" : [...origins] };
  const middleware = cors(options);
  const isAllowed = (c: Ctx): boolean => anyOrigin || origins.includes(c.get("headers").origin ?? "");
  const respondToPreflight = async (c: Ctx): Promise<Response> => {
    const allowHeaders = [...HEADERS, ...clientHeaders(c)];
    return (await cors({ ...options, allowHeaders })(c, async () => undefined)) ?? c.res;
  };
  const withHeaders = async (c: Ctx, respond: Respond): Promise<Response> => {
    await middleware(c, async () => {
      c.res = await respond();
    });
    return c.res;
  };
  return (c, respond) => {
    // Hono's middleware would list methods and headers even for a refused origin, and would treat every OPTIONS request
    // as a preflight.
    if (isPreflight(c)) return isAllowed(c) ? respondToPreflight(c) : c.body(null, 204);
    // A WebSocket is not subject to CORS, and its response must not be copied.
    const skipped = origins.length === 0 || c.req.method === "OPTIONS" || c.get("headers").upgrade !== undefined;
    return skipped ? respond() : withHeaders(c, respond);
  };
}
