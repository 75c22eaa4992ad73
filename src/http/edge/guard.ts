// Before any route: a name for the request, the checks that keep a web page from driving a local server, headers out.
// An x-request-id that comes in is not taken over: a caller must not choose what the log calls its request.
import type { MiddlewareHandler } from "hono";
import { problem } from "../../schema/problem.ts";
import type { AppOptions, Ctx, Env } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { isPreflight, respondPreflight, setCorsHeaders } from "./cors.ts";

const HEADER_CHARS_MAX = 4096;
const COOKIE_CHARS_MAX = 16_384;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** Answers are data for programs: never cached, never framed, never guessed to be a page. */
const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

export function guard(options: AppOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    const started = options.rt.clock.now();
    c.set("options", options);
    c.set("request_id", options.rt.ids.make("req"));
    c.header("x-request-id", c.get("request_id"));
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value);
    setCorsHeaders(c, options);
    const earlyResponse = respondEarly(c, options);
    if (earlyResponse) c.res = earlyResponse;
    else await next();
    logRequest(c, options, started);
    return earlyResponse ?? undefined;
  };
}

function respondEarly(c: Ctx, options: AppOptions): Response | null {
  const rejection = requestRejection(c, options);
  if (rejection) return respondProblem(c, rejection);
  return isPreflight(c) ? respondPreflight(c) : null;
}

/** Addresses that open something by themselves are nobody's to read in a log. */
const redactTokens = (path: string): string => path.replace(/\/(hkt|cft)_[^/]*/g, "/$1_…");

/** The path without its query: a ticket may be in there. */
function logRequest(c: Ctx, options: AppOptions, started: number): void {
  const caller = c.get("caller");
  const code = c.get("problem_code");
  options.log.info({
    msg: "request",
    request_id: c.get("request_id"),
    method: c.req.method,
    path: redactTokens(c.req.path),
    status: c.res.status,
    ...(code ? { code } : {}),
    ...(caller ? { tenant: caller.tenant, key: caller.name } : {}),
    ms: options.rt.clock.now() - started,
  });
}

function requestRejection(c: Ctx, options: AppOptions) {
  if (options.stopping.aborted) return problem("stopping", "The server stops.", { retry_after_s: 1 });
  for (const [name, value] of c.req.raw.headers) {
    // A browser sends the cookies of every other server on this host along; nobody reads them here.
    const limit = name === "cookie" ? COOKIE_CHARS_MAX : HEADER_CHARS_MAX;
    if (value.length > limit) return problem("header_invalid", `${name}: longer than ${limit} characters.`);
  }
  if (!options.local_only) return null;
  const host = c.req.header("host");
  if (host === undefined) return problem("header_invalid", "Host: is missing.");
  if (!LOOPBACK.test(host)) return problem("origin_refused", `Host ${host.slice(0, 100)} is not this machine.`);
  const origin = c.req.header("origin");
  // Without keys a page of another origin could drive the server with the reader's own browser. "*" names nobody.
  if (origin !== undefined && origin !== `http://${host}` && !options.cors_origins.includes(origin)) {
    return problem("origin_refused", `Origin ${origin.slice(0, 100)} is not this server.`);
  }
  return null;
}
