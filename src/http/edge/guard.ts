// Around every handler: request id, refusals, CORS, the headers of every response, exceptions, and one log line at the end.
import { type Problem, problem } from "../../schema/problem.ts";
import type { AppOptions, Ctx } from "../env.ts";
import { logBug } from "../log-bug.ts";
import { respondProblem, withBaseHeaders } from "../respond.ts";
import type { Handler } from "../route.ts";
import { createCors, isPreflight } from "./cors.ts";
import { requestHeaders } from "./headers.ts";

const HEADER_CHARS_MAX = 4096;
const COOKIE_CHARS_MAX = 16_384;
/** The Host header of a request to this machine. */
export const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** Around the handler, not a middleware before it: Hono then calls one function per request instead of composing several. */
export function guard(options: AppOptions): (handler: Handler) => (c: Ctx) => Promise<Response> {
  const withCors = createCors(options.cors_origins);
  return (handler) => async (c) => {
    const started = options.rt.clock.now();
    c.set("options", options);
    // The id is always generated here: Hono's request id accepts an id of the client, which could forge log lines.
    c.set("request_id", options.rt.ids.make("req"));
    c.set("headers", requestHeaders(c));
    const rejection = rejectionOf(c, options);
    const respond = () => (rejection ? respondProblem(c, rejection) : answer(c, options, handler));
    // A refused preflight is answered with the problem; the browser then does not send the actual request.
    const responded = rejection && isPreflight(c) ? respond() : withCors(c, respond);
    const response = withBaseHeaders(c, await responded);
    logRequest(c, options, started, response.status);
    return response;
  };
}

async function answer(c: Ctx, options: AppOptions, handler: Handler): Promise<Response> {
  try {
    return await handler(c);
  } catch (error) {
    logBug(options, c.get("request_id"), error);
    return respondProblem(c, problem("internal", "Internal error. The request may be retried."));
  }
}

/** Paths that contain a token grant access, so the log shows only the token's prefix. */
const redactTokens = (path: string): string =>
  // Almost no path contains a token, and a search for plain text is faster than the expression.
  path.includes("/hkt_") || path.includes("/cft_") ? path.replace(/\/(hkt|cft)_[^/]*/g, "/$1_…") : path;

/** The path without its query, which may contain a ticket. */
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
    // A browser also sends the cookies of every other server on this host; they are not read here.
    const limit = name === "cookie" ? COOKIE_CHARS_MAX : HEADER_CHARS_MAX;
    if ((headers[name] ?? "").length > limit)
      return problem("header_invalid", `${name}: longer than ${limit} characters.`);
  }
  if (!options.local_only) return null;
  const { host, origin } = headers;
  if (host === undefined) return problem("header_invalid", "Host: is missing.");
  if (!LOOPBACK.test(host)) return problem("origin_refused", `Host ${host.slice(0, 100)} is not a loopback address.`);
  // The browser requests images and scripts of a page without an origin, and some streams advance a run. Only links from other pages are allowed.
  const site = headers["sec-fetch-site"] ?? "none";
  if (origin === undefined && /^(?:cross|same)-site$/.test(site) && headers["sec-fetch-mode"] !== "navigate")
    return problem("origin_refused", "A page of another origin asks for this.");
  // A server without keys could be used by a page of another origin through its reader's browser. "*" does not allow that.
  if (origin !== undefined && origin !== `http://${host}` && !options.cors_origins.includes(origin)) {
    return problem("origin_refused", `Origin ${origin.slice(0, 100)} is not allowed.`);
  }
  return null;
}
