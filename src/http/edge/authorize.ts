// Who may use a route: a caller with its scope, within the rate limit. Open routes need no caller.
import type { MiddlewareHandler } from "hono";
import { problem, type Result } from "../../schema/problem.ts";
import type { AppOptions, Ctx, Env } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { type Caller, requireScope, type Scope } from "./caller.ts";

export type RouteRules = {
  /** A ticket in the query authorizes the request, too. */
  readonly ticketed: boolean;
  /** An Idempotency-Key is refused. Ignoring it would let its sender believe that a repetition is safe. */
  readonly unkeyed: boolean;
};

export const authorize =
  (scope: Scope | null, { ticketed, unkeyed }: RouteRules): MiddlewareHandler<Env> =>
  async (c, next) => {
    if (scope === null) return void (await next());
    const caller = await resolveCaller(c, scope, ticketed);
    if (!caller.ok) return respondProblem(c, caller.problem);
    if (unkeyed && c.req.header("idempotency-key") !== undefined)
      return respondProblem(c, problem("header_invalid", "Idempotency-Key: is not supported on this route."));
    c.set("caller", caller.value);
    await next();
  };

async function resolveCaller(c: Ctx, scope: Scope, ticketed: boolean): Promise<Result<Caller>> {
  const { authenticate, tickets } = c.get("options");
  const ticket = ticketed ? c.req.query("ticket") : undefined;
  const caller = ticket === undefined ? await authenticate(c.req.raw.headers) : await tickets.redeem(ticket);
  if (!caller.ok) return caller;
  const rateCheck = checkRate(c.get("options"), caller.value);
  return rateCheck.ok ? requireScope(caller.value, scope) : rateCheck;
}

export const checkRate = ({ rate_limit, rt }: AppOptions, caller: Caller): Result<void> =>
  rate_limit(`${caller.tenant}/${caller.name}`, rt.clock.now());
