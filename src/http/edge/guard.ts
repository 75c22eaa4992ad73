// The first middleware of every request: request id, security headers, CORS, refusals, and one log line at the end.
import type { MiddlewareHandler } from "hono";
import { type Problem, problem } from "../../schema/problem.ts";
import type { AppOptions, Ctx, Env } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { createCors, isPreflight } from "./cors.ts";

const HEADER_CHARS_MAX = 4096;
const COOKIE_CHARS_MAX = 16_384;
/** The Host header of a request to this machine. */
export const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/**
 * Responses are data for programs: not cached, not framed, not sniffed. The headers are set before the handler, so that a page can
 * replace its own policy; Hono's secure headers are set afterwards and would overwrite it.
 */
const SECURITY_HEADERS = Object.entries({
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
});

export function guard(options: AppOptions): MiddlewareHandler<Env> {
  const cors = createCors(options.cors_origins);
  return async (c, next) => {
    const started = options.rt.clock.now();
    c.set("options", options);
    // The id is always generated here: Hono's request id accepts an id of the client, which could forge log lines.
    c.set("request_id", options.rt.ids.make("req"));
    c.header("x-request-id", c.get("request_id"));
    for (const [name, value] of SECURITY_HEADERS) c.header(name, value);
    const rejection = rejectionOf(c, options);
    const respond = async (): Promise<void> => {
      if (rejection) c.res = respondProblem(c, rejection);
      else await next();
    };
    // A refused preflight is answered with the problem; the browser then does not send the actual request.
    const response = rejection && isPreflight(c) ? await respond() : await cors(c, respond);
    if (response) c.res = response;
    logRequest(c, options, started);
  };
}

/** Paths that contain a token grant access, so the log shows only the token's prefix. */
const redactTokens = (path: string): string =>
  // Almost no path contains a token, and a search for plain text is faster than the expression.
  path.includes("/hkt_") || path.includes("/cft_") ? path.replace(/\/(hkt|cft)_[^/]*/g, "/$1_…") : path;

/** The path without its query, which may contain a ticket. */
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

function rejectionOf(c: Ctx, options: AppOptions): Problem | null {
  if (options.stopping.aborted) return problem("stopping", "The server is shutting down.", { retry_after_s: 1 });
  for (const [name, value] of c.req.raw.headers) {
    // A browser also sends the cookies of every other server on this host; they are not read here.
    const limit = name === "cookie" ? COOKIE_CHARS_MAX : HEADER_CHARS_MAX;
    if (value.length > limit) return problem("header_invalid", `${name}: longer than ${limit} characters.`);
  }
  if (!options.local_only) return null;
  const host = c.req.header("host");
  if (host === undefined) return problem("header_invalid", "Host: is missing.");
  if (!LOOPBACK.test(host)) return problem("origin_refused", `Host ${host.slice(0, 100)} is not a loopback address.`);
  const origin = c.req.header("origin");
  // The browser requests images and scripts of a page without an origin, and some streams advance a run. Only links from other pages are allowed.
  const site = c.req.header("sec-fetch-site") ?? "none";
  if (origin === undefined && /^(?:cross|same)-site$/.test(site) && c.req.header("sec-fetch-mode") !== "navigate")
    return problem("origin_refused", "A page of another origin asks for this.");
  // A server without keys could be used by a page of another origin through its reader's browser. "*" does not allow that.
  if (origin !== undefined && origin !== `http://${host}` && !options.cors_origins.includes(origin)) {
    return problem("origin_refused", `Origin ${origin.slice(0, 100)} is not allowed.`);
  }
  return null;
}
