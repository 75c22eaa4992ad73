// Wraps every handler: request id, invalid requests, CORS, common headers, exceptions, and one log line.

import { cors } from "hono/cors";
import { type Problem, problem } from "../../schema/problem.ts";
import type { AppOptions, Ctx } from "../env.ts";
import { logBug } from "../log-bug.ts";
import { respondProblem, withBaseHeaders } from "../respond.ts";
import type { Handler } from "../route.ts";
import { requestHeaders } from "./headers.ts";

const HEADER_CHARS_MAX = 4096;
const COOKIE_CHARS_MAX = 16_384;
export const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** Not a middleware, so that Hono calls a single function per request instead of composing several. */
export function guard(options: AppOptions): (handler: Handler) => (c: Ctx) => Promise<Response> {
  const withCors = createCors(options.cors_origins);
  return (handler) => async (c) => {
    const started = options.rt.clock.now();
    c.set("options", options);
    // Hono's request-id middleware accepts an id from the client, which could forge log lines.
    c.set("request_id", options.rt.ids.make("req"));
    c.set("headers", requestHeaders(c));
    const rejection = rejectionOf(c, options);
    const respond = async (): Promise<Response> => {
      try {
        const answer = rejection ? { problem: rejection } : await handler(c);
        return "problem" in answer ? respondProblem(c, answer.problem) : answer;
      } catch (error) {
        logBug(options, c.get("request_id"), error);
        return respondProblem(c, problem("internal", "Internal error. The request may be retried."));
      }
    };
    // A refused preflight gets no CORS headers, so that the browser does not send the actual request.
    const responded = rejection && isPreflight(c) ? respond() : withCors(c, respond);
    const response = withBaseHeaders(c, await responded);
    logRequest(c, options, started, response.status);
    return response;
  };
}

/** Anyone who has such a token has access, so a logged path shows only its prefix. */
const redactTokens = (path: string): string =>
  // Almost no path contains a token, and plain substring searches are faster than the regular expression.
  path.includes("/hkt_") || path.includes("/cft_") ? path.replace(/\/(hkt|cft)_[^/]*/g, "/$1_…") : path;

/** The path has no query, because a query may contain a ticket. */
function logRequest(c: Ctx, options: AppOptions, started: number, status: number): void {
  const caller = c.get("caller");
  const code = c.get("problem_code");
  options.log.info({
    msg: "request",
    request_id: c.get("request_id"),
    method: c.req.method,
    path: redactTokens(c.req.path),
    status,
    ...(code ? { code } : {}),
    ...(caller ? { tenant: caller.tenant, key: caller.name } : {}),
    ms: options.rt.clock.now() - started,
  });
}

function rejectionOf(c: Ctx, options: AppOptions): Problem | null {
  if (options.stopping.aborted) return problem("stopping", "The server is shutting down.", { retry_after_s: 1 });
  const headers = c.get("headers");
  for (const name in headers) {
    // Browsers also send the cookies that other servers on this host have set, so the limit for cookies is higher.
    const limit = name === "cookie" ? COOKIE_CHARS_MAX : HEADER_CHARS_MAX;
    if ((headers[name] ?? "").length > limit)
      return problem("header_invalid", `${name}: longer than ${limit} characters.`);
  }
  if (!options.local_only) return null;
  const { host, origin } = headers;
  if (host === undefined) return problem("header_invalid", "Host: is missing.");
  if (!LOOPBACK.test(host)) return problem("origin_refused", `Host ${host.slice(0, 100)} is not a loopback address.`);
  // Browsers send no Origin header when they load images and scripts for a page, but on some streams even a GET
  // advances a run. A page of another origin may therefore only navigate to this server.
  const site = headers["sec-fetch-site"] ?? "none";
  if (origin === undefined && /^(?:cross|same)-site$/.test(site) && headers["sec-fetch-mode"] !== "navigate")
    return problem("origin_refused", "The request comes from a page of another origin.");
  // A server without keys is open to any page in the user's browser, so even "*" does not allow an unlisted origin.
  if (origin !== undefined && origin !== `http://${host}` && !options.cors_origins.includes(origin)) {
    return problem("origin_refused", `Origin ${origin.slice(0, 100)} is not allowed.`);
  }
  return null;
}

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

const isPreflight = (c: Ctx): boolean =>
  c.req.method === "OPTIONS" &&
  c.get("headers").origin !== undefined &&
  c.get("headers")["access-control-request-method"] !== undefined;

type Respond = () => Response | Promise<Response>;

/** Problems get the headers too, so that a page can read why its request failed. */
function createCors(origins: readonly string[]): (c: Ctx, respond: Respond) => Response | Promise<Response> {
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
