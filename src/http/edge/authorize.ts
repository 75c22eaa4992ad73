// Decides who may use a route: a caller with the scope of the route, within the rate limit.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { AppOptions, Ctx } from "../env.ts";
import type { Handler } from "../route.ts";
import { type ApiScope, type Caller, requireScope } from "./caller.ts";
import { idempotencyKey } from "./headers.ts";

export type RouteRules = {
  /** True if a ticket in the query may replace the Authorization header. */
  readonly ticketed: boolean;
  /** True if the route refuses an Idempotency-Key. The sender of an ignored key would believe that a repetition is safe. */
  readonly unkeyed: boolean;
};

/** If the caller is known without waiting, the checks add no promise. */
export function authorized(scope: ApiScope | null, { ticketed, unkeyed }: RouteRules, handler: Handler): Handler {
  const proceed = (c: Ctx, caller: Result<Caller | null>): ReturnType<Handler> => {
    if (!caller.ok) return caller;
    const key = checkKey(c, unkeyed);
    if (!key.ok) return key;
    c.set("key", key.value);
    const trace = { from: "headers", carrier: c.req.raw.headers } as const;
    if (caller.value) c.set("caller", { ...caller.value, trace });
    return handler(c);
  };
  return (c) => {
    const caller = scope === null ? ok(null) : resolveCaller(c, scope, ticketed);
    return "then" in caller ? caller.then((found) => proceed(c, found)) : proceed(c, caller);
  };
}

/** Checked here for all routes, so that no toolkit can forget it. */
function checkKey(c: Ctx, unkeyed: boolean): Result<string | null> {
  if (unkeyed && c.get("headers")["idempotency-key"] !== undefined)
    return fail("header_invalid", "Idempotency-Key: is not supported on this route.");
  return idempotencyKey(c);
}

function resolveCaller(c: Ctx, scope: ApiScope, ticketed: boolean): Result<Caller> | Promise<Result<Caller>> {
  const { authenticate, tickets } = c.get("options");
  const ticket = ticketed ? c.req.query("ticket") : undefined;
  const caller = ticket === undefined ? authenticate(c.req.raw.headers) : tickets.redeem(ticket);
  const allow = (found: Result<Caller>): Result<Caller> => {
    if (!found.ok) return found;
    const rateCheck = checkRate(c.get("options"), found.value);
    return rateCheck.ok ? requireScope(found.value, scope) : rateCheck;
  };
  return "then" in caller ? caller.then(allow) : allow(caller);
}

export const checkRate = ({ rate_limit, rt }: AppOptions, caller: Caller): Result<void> =>
  rate_limit(`${caller.tenant}/${caller.name}`, rt.clock.now());
