// Who may call a worker: those with a key of PAWL_API_KEYS. Without keys nobody, but for the machine it is tried on.
import { systemClock } from "../../adapters/clock-system.ts";
import { nodeHash } from "../../adapters/hash-node.ts";
import { type Authenticate, type Caller, SCOPES } from "../../http/edge/caller.ts";
import { callerOf, keyAuthenticator } from "../../http/edge/keys.ts";
import { LOCAL_TENANT, type TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";
import { keysFromText } from "../shared/keys-file.ts";

/** Who sits at a socket, as an object can write it down. */
export type CallerName = { readonly tenant: TenantId; readonly name: string };

export type WorkerAccess = {
  readonly authenticate: Authenticate;
  readonly local_only: boolean;
  /** The same caller again, after the object was out of memory. */
  readonly recall: (name: CallerName) => Result<Caller>;
};

const LOCAL: Caller = { tenant: LOCAL_TENANT, name: "local", scopes: new Set(SCOPES) };
const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

export function createWorkerAccess(env: Environment): Result<WorkerAccess> {
  const keys = keysFromText(env.PAWL_API_KEYS ?? "");
  if (!keys.ok) return keys;
  const rows = () => keys.value;
  if (rows().length === 0) return ok({ authenticate: () => ok(LOCAL), local_only: true, recall: () => ok(LOCAL) });
  return ok({
    authenticate: keyAuthenticator({ rows, now: () => systemClock.now(), hash: nodeHash }),
    local_only: false,
    recall: ({ tenant, name }) => {
      const row = rows().find((one) => one.tenant === tenant && one.name === name);
      return row ? ok(callerOf(row)) : fail("unauthorized", `The key ${name} is gone.`);
    },
  });
}

/** A worker is reached by everybody who knows its address: without keys it would serve them all, so it serves none. */
export function mayServe({ local_only }: WorkerAccess, url: URL): Result<void> {
  if (!local_only || LOOPBACK.includes(url.hostname)) return ok(undefined);
  return fail(
    "unauthorized",
    "This worker has no keys, so it serves nobody. Set some: npx wrangler secret put PAWL_API_KEYS",
  );
}
