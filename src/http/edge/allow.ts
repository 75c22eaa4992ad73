// Who may use a route: a caller with its scope, at a bearable rate. Open routes need nobody.
import type { MiddlewareHandler } from "hono";
import type { Result } from "../../schema/problem.ts";
import type { AppOptions, Ctx, Env } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { type Caller, requireScope, type Scope } from "./caller.ts";

/** `ticketed`: the route is also opened by a ticket in its address. */
export const allow =
  (scope: Scope | null, ticketed: boolean): MiddlewareHandler<Env> =>
  async (c, next) => {
    if (scope === null) return void (await next());
    const caller = await admitCaller(c, scope, ticketed);
    if (!caller.ok) return respondProblem(c, caller.problem);
    c.set("caller", caller.value);
    await next();
  };

async function admitCaller(c: Ctx, scope: Scope, ticketed: boolean): Promise<Result<Caller>> {
  const { authenticate, tickets } = c.get("options");
  const ticket = ticketed ? c.req.query("ticket") : undefined;
  const caller = ticket === undefined ? await authenticate(c.req.raw.headers) : await tickets.spend(ticket);
  if (!caller.ok) return caller;
  const bearable = withinRate(c.get("options"), caller.value);
  return bearable.ok ? requireScope(caller.value, scope) : bearable;
}

export const withinRate = ({ rate_limit, rt }: AppOptions, caller: Caller): Result<void> =>
  rate_limit(`${caller.tenant}/${caller.name}`, rt.clock.now());
