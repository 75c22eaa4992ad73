// Defines a route of this server: its description as data, and a handler that uses the HTTP framework.
import type { HttpMethod, RouteDescription, RouteInfo, Scope } from "../tools/route.ts";
import type { Ctx } from "./env.ts";
import type * as responses from "./openapi/response-schemas.ts";

export type Handler = (c: Ctx) => Response | Promise<Response>;

/**
 * The description of a route of this server. It refers to response schemas by name, so that only the OpenAPI document
 * loads them.
 */
export type Description = RouteDescription<Exclude<keyof typeof responses, "COMPONENTS">>;

/** A route with its handler. Hosts can add their own routes, which the same guard protects. */
export type Route = Omit<RouteInfo, "openapi"> & { readonly openapi: Description | null; readonly handler: Handler };

/** Defines a route for a page or a file that is served but not part of the documented API. */
export const pageRoute = (path: string, handler: Handler, method: HttpMethod = "get"): Route => ({
  method,
  path,
  scope: null,
  openapi: null,
  handler,
});

/** A shorthand for most routes that takes its arguments in reading order. */
export const route = (
  [method, path, scope]: readonly [method: HttpMethod, path: string, scope: Scope | null],
  handler: Handler,
  openapi: Description,
): Route => ({ method, path, scope, openapi, handler });
