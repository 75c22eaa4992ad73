// Before any route: a name for the request, the checks that keep a web page from driving a local server, headers out.
import type { MiddlewareHandler } from "hono";
import { problem } from "../schema/problem.ts";
import type { AppOptions, Ctx, Env } from "./env.ts";
import { respondProblem } from "./respond.ts";

const HEADER_CHARS_MAX = 8192;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

export function guard(options: AppOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set("options", options);
    c.set("request_id", options.rt.ids.make("req"));
    c.header("x-request-id", c.get("request_id"));
    c.header("x-content-type-options", "nosniff");
    const refused = refusal(c, options);
    if (refused) return respondProblem(c, refused);
    const started = options.rt.clock.now();
    await next();
    options.log.info({
      msg: "request",
      request_id: c.get("request_id"),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: options.rt.clock.now() - started,
    });
  };
}

function refusal(c: Ctx, options: AppOptions) {
  for (const [name, value] of c.req.raw.headers) {
    if (value.length > HEADER_CHARS_MAX)
      return problem("header_invalid", `${name}: longer than ${HEADER_CHARS_MAX} characters.`);
  }
  if (!options.local_only) return null;
  const host = c.req.header("host") ?? "";
  if (!LOOPBACK.test(host)) return problem("origin_refused", `Host ${host.slice(0, 100)} is not this machine.`);
  const origin = c.req.header("origin");
  // Without keys a page of another origin could drive the server with the reader's own browser.
  if (origin !== undefined && origin !== `http://${host}` && !options.cors_origins.includes(origin)) {
    return problem("origin_refused", `Origin ${origin.slice(0, 100)} is not this server.`);
  }
  return null;
}
