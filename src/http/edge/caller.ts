// Who calls: a named key of one tenant with scopes, or somebody on this machine where no keys are configured.
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

export const SCOPES = ["read", "advance", "confirm", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export type Caller = {
  readonly tenant: TenantId;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Asked again by whatever outlives the request: a key taken away ends its streams and sockets too. */
  readonly revalidate?: () => Result<Caller>;
};

/** Says who calls, or why nobody is let in. Looks at headers only. */
export type Authenticate = (headers: Headers) => Result<Caller> | Promise<Result<Caller>>;

/** The caller as the key ring knows it now. */
export const revalidateCaller = (caller: Caller): Result<Caller> => caller.revalidate?.() ?? ok(caller);

export const requireScope = (caller: Caller, scope: Scope): Result<Caller> =>
  caller.scopes.has(scope)
    ? ok(caller)
    : fail(
        "forbidden",
        `This needs the scope ${scope}; the key ${caller.name} has ${[...caller.scopes].join(", ") || "none"}.`,
      );
