// Who may use a route: a caller with its scope, at a bearable rate. Open routes need nobody.
import type { MiddlewareHandler } from "hono";
import type { Result } from "../../schema/problem.ts";
import type { AppOptions, Ctx, Env } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { type Caller, requireScope, type Scope } from "./caller.ts";

/** `ticketed`: the route is also opened by a ticket in its address. */
export const authorize =
  (scope: Scope | null, acceptsTicket: boolean): MiddlewareHandler<Env> =>
  async (c, next) => {
    if (scope === null) return void (await next());
    const caller = await resolveCaller(c, scope, acceptsTicket);
    if (!caller.ok) return respondProblem(c, caller.problem);
    c.set("caller", caller.value);
    await next();
  };

async function resolveCaller(c: Ctx, scope: Scope, acceptsTicket: boolean): Promise<Result<Caller>> {
  const { authenticate, tickets } = c.get("options");
  const ticket = acceptsTicket ? c.req.query("ticket") : undefined;
  const caller = ticket === undefined ? await authenticate(c.req.raw.headers) : await tickets.redeem(ticket);
  if (!caller.ok) return caller;
  const rateCheck = checkRate(c.get("options"), caller.value);
  return rateCheck.ok ? requireScope(caller.value, scope) : rateCheck;
}

export const checkRate = ({ rate_limit, rt }: AppOptions, caller: Caller): Result<void> =>
  rate_limit(`${caller.tenant}/${caller.name}`, rt.clock.now());
