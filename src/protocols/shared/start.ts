// Defines the routes of other protocols, and checks whether a request may start a run before anything is stored for it.
import type { Ctx } from "../../http/env.ts";
import type { Handler, Route } from "../../http/route.ts";
import type { CreateInput } from "../../schema/input.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { type Surface, SurfaceConfig } from "../../schema/protocols/protocols-config.ts";
import { validateCreate } from "../../threads/create.ts";
import type { ApiScope, HttpMethod, RouteDescription } from "../../tools/route.ts";
import { validateClientTools } from "../../turn/client-tools.ts";
import { type DeclaredTools, withRequestField } from "./declared-tools.ts";
import type { FoundThread } from "./thread-of.ts";

const DEFAULTS = SurfaceConfig.parse({});

export const surfaceConfig = (c: Ctx, surface: Surface): SurfaceConfig =>
  c.get("options").rt.config.protocols?.[surface] ?? DEFAULTS;

/**
 * Defines a route of another protocol. The handler reads the body itself, because clients send fields that Pawl does
 * not know. If the protocol is disabled, the route responds with `route_not_found`.
 */
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

/** Returns the input that creates a thread. `agent` is the name that the client sent, if it sent one. */
export const newThreadInput = (config: SurfaceConfig, agent?: string | undefined): CreateInput => ({
  ...(agent || config.agent ? { agent: agent || config.agent } : {}),
  ...(config.mode && { mode: config.mode }),
  ...(config.plan_approval && { plan_approval: config.plan_approval }),
});

export function checkStart(
  c: Ctx,
  { thread }: FoundThread,
  create: CreateInput,
  declared: DeclaredTools | undefined,
): Result<void> {
  const { rt } = c.get("options");
  const refused = thread ? null : validateCreate(rt, create);
  if (refused) return refused;
  const undeclared = validateClientTools(rt, declared?.tools);
  return undeclared && declared ? withRequestField(undeclared, declared.schema_field) : ok(undefined);
}
