// Defines the caller of a request: a named key of a tenant with scopes, or a local user if no keys are configured.
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import { type ApiScope, SCOPES } from "../../tools/route.ts";
import type { TraceParent } from "../../turn/runtime.ts";

export { type ApiScope, SCOPES };

export type Caller = {
  readonly tenant: TenantId;
  readonly name: string;
  readonly scopes: ReadonlySet<ApiScope>;
  /** The hash of the caller's key, because several keys may have the same name. Absent if no keys are configured. */
  readonly key?: string;
  /** Streams and sockets call it repeatedly to get the current scopes of the key. They end when the key is revoked. */
  readonly revalidate?: () => Result<Caller>;
  /** The problem to return for a missing scope, if the caller could obtain the scope. The default is `forbidden`. */
  readonly denied?: Problem;
  /** The remote span that the request names. It becomes the parent of the spans of this request's turns. */
  readonly trace?: TraceParent;
};

export type Authenticate = (headers: Headers) => Result<Caller> | Promise<Result<Caller>>;

/** A problem if the key was revoked; otherwise the caller has the current scopes of its key. */
export const revalidateCaller = (caller: Caller): Result<Caller> => caller.revalidate?.() ?? ok(caller);

export function requireScope(caller: Caller, scope: ApiScope): Result<Caller> {
  if (caller.scopes.has(scope)) return ok(caller);
  if (caller.denied) return { ok: false, problem: caller.denied };
  const scopes = [...caller.scopes].join(", ") || "none";
  return fail("forbidden", `This needs the scope ${scope}; the key ${caller.name} has ${scopes}.`);
}
