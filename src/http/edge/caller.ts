// Who calls: a named key of one tenant with scopes, or somebody on this machine where no keys are configured.
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import { SCOPES, type Scope } from "../../tools/route.ts";

export { SCOPES, type Scope };

export type Caller = {
  readonly tenant: TenantId;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Asked again by whatever outlives the request: a key taken away ends its streams and sockets too. */
  readonly revalidate?: () => Result<Caller>;
  /** Told instead of `forbidden` where a scope is missing that the same caller could get. */
  readonly denied?: Problem;
};

/** Says who calls, or why nobody is let in. Looks at headers only. */
export type Authenticate = (headers: Headers) => Result<Caller> | Promise<Result<Caller>>;

/** The caller as the key ring knows it now. */
export const revalidateCaller = (caller: Caller): Result<Caller> => caller.revalidate?.() ?? ok(caller);

export function requireScope(caller: Caller, scope: Scope): Result<Caller> {
  if (caller.scopes.has(scope)) return ok(caller);
  if (caller.denied) return { ok: false, problem: caller.denied };
  const scopes = [...caller.scopes].join(", ") || "none";
  return fail("forbidden", `This needs the scope ${scope}; the key ${caller.name} has ${scopes}.`);
}
