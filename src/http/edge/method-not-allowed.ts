// Answers a request that no route matches: the methods of the path for OPTIONS, 405 for another method, or 404.
import { TrieRouter } from "hono/router/trie-router";
import { fail, problem } from "../../schema/problem.ts";
import type { RouteInfo } from "../../tools/route.ts";
import { respondProblem } from "../respond.ts";
import type { Handler } from "../route.ts";

export function respondUnmatched(routes: readonly RouteInfo<string>[]): Handler {
  // This router is separate from the app's router, which would otherwise find two handlers for every request.
  const paths = new TrieRouter<readonly string[]>();
  for (const [path, named] of Map.groupBy(routes, ({ path }) => path)) paths.add("ALL", path, allowedMethods(named));
  return (c) => {
    const [[found] = []] = paths.match("ALL", c.req.path);
    if (!found) return fail("route_not_found", `There is no route ${c.req.path}.`);
    const headers = { allow: [...found[0], "OPTIONS"].join(", ") };
    if (c.req.method === "OPTIONS") return c.body(null, 204, headers);
    return respondProblem(c, problem("method_not_allowed", `This route does not support ${c.req.method}.`), headers);
  };
}

/** A path that supports GET also supports HEAD. */
const allowedMethods = (routes: readonly RouteInfo<string>[]): readonly string[] =>
  routes.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
