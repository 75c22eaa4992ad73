// Who may call a worker: those with a key of PAWL_API_KEYS. Without keys nobody, but for the machine it is tried on.
import { systemClock } from "../../adapters/clock-system.ts";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createKeyAuthenticator, toCaller } from "../../http/edge/api-keys.ts";
import { type Authenticate, type Caller, SCOPES } from "../../http/edge/caller.ts";
import { LOCAL_TENANT, type TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";
import { parseKeys } from "../shared/keys-file.ts";

/** Who sits at a socket, as an object can write it down. */
export type CallerReference = { readonly tenant: TenantId; readonly name: string };

export type CloudflareAccess = {
  readonly authenticate: Authenticate;
  readonly local_only: boolean;
  /** The same caller again, after the object was out of memory. */
  readonly callerByName: (name: CallerReference) => Result<Caller>;
};

const LOCAL_CALLER: Caller = { tenant: LOCAL_TENANT, name: "local", scopes: new Set(SCOPES) };
const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

export function createCloudflareAccess(env: Environment): Result<CloudflareAccess> {
  const keys = parseKeys(env.PAWL_API_KEYS ?? "");
  if (!keys.ok) return keys;
  const rows = () => keys.value;
  if (rows().length === 0)
    return ok({ authenticate: () => ok(LOCAL_CALLER), local_only: true, callerByName: () => ok(LOCAL_CALLER) });
  return ok({
    authenticate: createKeyAuthenticator({ rows, now: () => systemClock.now(), hash: nodeHash }),
    local_only: false,
    callerByName: ({ tenant, name }) => {
      const row = rows().find((one) => one.tenant === tenant && one.name === name);
      return row ? ok(toCaller(row)) : fail("unauthorized", `The key ${name} is gone.`);
    },
  });
}

/** A worker is reached by everybody who knows its address: without keys it would serve them all, so it serves none. */
export function checkKeysConfigured({ local_only }: CloudflareAccess, url: URL): Result<void> {
  if (!local_only || LOOPBACK.includes(url.hostname)) return ok(undefined);
  return fail(
    "unauthorized",
    "This worker has no keys, so it serves nobody. Set some: npx wrangler secret put PAWL_API_KEYS",
  );
}
