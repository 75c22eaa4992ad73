// Defines a route of this server: its description as data, and a handler that receives the id, header and body which
// the description declares, already validated.
import type { z } from "zod";
import type { ThreadRef } from "../schema/ids.ts";
import type { ScheduleId } from "../schema/jobs/schedule.ts";
import { type Failed, ok, type Result } from "../schema/problem.ts";
import type { ApiScope, HttpMethod, RouteDescription, RouteInfo } from "../tools/route.ts";
import { type BodyRules, readRouteBody } from "./edge/body.ts";
import { ifMatch } from "./edge/headers.ts";
import { readPathId } from "./edge/params.ts";
import type { Ctx } from "./env.ts";
import type * as responses from "./openapi/response-schemas.ts";

/** The result of a handler. A failed result is sent as its problem. */
export type Answer = Response | Failed;
export type Handler = (c: Ctx) => Answer | Promise<Answer>;

/** Refers to response schemas by name, so that only the OpenAPI document loads them. */
export type Description = RouteDescription<Exclude<keyof typeof responses, "COMPONENTS">>;

/** The values that a handler receives if its path names a thread, a schedule or a webhook. */
export type ReadThread = { readonly at: ThreadRef };
export type ReadSchedule = { readonly schedule: ScheduleId };
export type ReadWebhook = { readonly webhook: string };
export type ReadBody<S extends z.ZodType> = { readonly body: z.output<S> };
export type ReadMatch = { readonly if_match: number | null };

type PathId<P extends string> = P extends `/v1/threads/:id${string}`
  ? ReadThread
  : P extends `${string}/:schedule${string}`
    ? ReadSchedule
    : P extends `${string}/:webhook${string}`
      ? ReadWebhook
      : unknown;
type Body<D extends Description> = D extends { readonly body_type: string }
  ? { readonly body: string }
  : D extends { readonly body: infer S extends z.ZodType }
    ? ReadBody<S>
    : unknown;
type Match<D extends Description> = D extends { readonly headers: readonly (infer H)[] }
  ? "If-Match" extends H
    ? ReadMatch
    : unknown
  : unknown;
type Read<P extends string, D extends Description> = PathId<P> & Match<D> & Body<D>;

const NO_MATCH = ok(null);

/** Hosts can add their own routes, which the same guard protects. */
export type Route = Omit<RouteInfo, "openapi"> & { readonly openapi: Description | null; readonly handler: Handler };

/** For a page or a file that is not part of the documented API. */
export const pageRoute = (path: string, handler: Handler, method: HttpMethod = "get"): Route => ({
  method,
  path,
  scope: null,
  openapi: null,
  handler,
});

/** The path and the description determine what the handler receives. It is called only if all of that is valid. */
export const route = <const P extends string, const D extends Description>(
  [method, path, scope]: readonly [method: HttpMethod, path: P, scope: ApiScope | null],
  handler: (c: Ctx, read: Read<P, D>) => Answer | Promise<Answer>,
  openapi: D,
  rules?: BodyRules,
): Route => {
  const readId = readPathId(path);
  const isConditional = openapi.headers?.includes("If-Match");
  return {
    method,
    path,
    scope,
    openapi,
    handler: (c) => {
      const id = readId(c);
      if (!id.ok) return id;
      const match = isConditional ? ifMatch(c) : NO_MATCH;
      if (!match.ok) return match;
      const proceed = (body: Result<unknown>): ReturnType<Handler> =>
        body.ok ? handler(c, { ...id.value, if_match: match.value, body: body.value } as Read<P, D>) : body;
      const body = readRouteBody(c, openapi, rules);
      return "then" in body ? body.then(proceed) : proceed(body);
    },
  };
};
