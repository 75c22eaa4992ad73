// Defines the routes of other protocols, and reads the configuration of a protocol.
import type { Ctx } from "../../http/env.ts";
import type { Handler, Route } from "../../http/route.ts";
import { fail } from "../../schema/problem.ts";
import { type Surface, SurfaceConfig } from "../../schema/protocols/protocols-config.ts";
import type { ApiScope, HttpMethod, RouteDescription } from "../../tools/route.ts";

const DEFAULTS = SurfaceConfig.parse({});

export const surfaceConfig = (c: Ctx, surface: Surface): SurfaceConfig =>
  c.get("options").rt.config.protocols?.[surface] ?? DEFAULTS;

/** The handler reads the body itself, because clients send fields that Pawl does not know. */
export const protocolRoute = (
  surface: Surface,
  [method, path, scope]: readonly [method: HttpMethod, path: string, scope: ApiScope | null],
  handler: Handler,
  openapi: RouteDescription,
): Route => ({
  method,
  path,
  scope,
  openapi,
  handler: (c) =>
    surfaceConfig(c, surface).enabled
      ? handler(c)
      : fail("route_not_found", `There is no route ${c.req.path}: protocols.${surface} is disabled.`),
});
