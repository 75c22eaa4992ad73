// A route of this server: data about it, and a handler that answers in terms of the HTTP framework.
import type { HttpMethod, RouteDescription, RouteInfo, Scope } from "../tools/route.ts";
import type { Ctx } from "./env.ts";

export type Handler = (c: Ctx) => Response | Promise<Response>;

/** Hosts can add routes of their own in this form; the same guard protects them. */
export type Route = RouteInfo & { readonly handler: Handler };

/** A page or a file: served, but not part of the documented interface. */
export const pageRoute = (path: string, handler: Handler, method: HttpMethod = "get"): Route => ({
  method,
  path,
  scope: null,
  openapi: null,
  handler,
});

/** A shorthand for most routes, with the arguments in reading order. */
export const route = (
  [method, path, scope]: readonly [method: HttpMethod, path: string, scope: Scope | null],
  handler: Handler,
  openapi: RouteDescription,
): Route => ({ method, path, scope, openapi, handler });
