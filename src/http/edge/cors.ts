// Allows cross-origin requests only from configured origins and without cookies, so "*" exposes nothing behind a key.
import { cors } from "hono/cors";
import type { Ctx } from "../env.ts";

/** Request headers of clients of other protocols. Prefixes are allowed, because new releases add headers. */
const CLIENT_PREFIXES = ["mcp-", "a2a-", "openai-", "x-stainless-"];
const HEADERS = [
  ...["authorization", "content-type", "idempotency-key", "if-match", "last-event-id"],
  // The AI SDK sets user-agent to its own name. Trace headers connect the spans of a turn to those of the client.
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

/** Problems get the headers too, so that a page can read why its request failed. */
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
    // Hono's middleware would list methods even for a refused origin, and treat every OPTIONS request as a preflight.
    if (isPreflight(c)) return isAllowed(c) ? respondToPreflight(c) : c.body(null, 204);
    // A WebSocket is not subject to CORS, and its response must not be copied.
    const skipped = origins.length === 0 || c.req.method === "OPTIONS" || c.get("headers").upgrade !== undefined;
    return skipped ? respond() : withHeaders(c, respond);
  };
}
