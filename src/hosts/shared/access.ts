// Decides who may call a host: holders of named keys if any are configured, otherwise only callers on the same machine.
import * as z from "zod";
import { systemClock } from "../../adapters/clock-system.ts";
import { nodeHash } from "../../adapters/hash-node.ts";
import { type ApiKeyRecord, createKeyAuthenticator, findCallerByHash, keysOf } from "../../http/edge/api-keys.ts";
import { type Authenticate, type Caller, SCOPES } from "../../http/edge/caller.ts";
import { LOCAL_NAME, LOCAL_TENANT, TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "./config.ts";
import { parseKeys, watchKeysFile } from "./keys-file.ts";

/** An authenticated caller in a form that can be stored. `key` is a hash, or null if no keys are configured. */
export const CallerReference = z.object({
  tenant: TenantId,
  name: z.string(),
  key: z.string().nullable().default(null),
});
export type CallerReference = z.infer<typeof CallerReference>;

export const referenceOf = ({ tenant, name, key }: Caller): CallerReference => ({ tenant, name, key: key ?? null });

export type Access = {
  readonly authenticate: Authenticate;
  readonly local_only: boolean;
  /** Null if no keys are configured. */
  readonly keys: ((tenant: TenantId) => readonly ApiKeyRecord[]) | null;
  /** The caller has the current scopes of its key. */
  readonly findCaller: (reference: CallerReference) => Result<Caller>;
  /**
   * For a host whose variables change while it runs. What was created from this access before, such as a stream, uses the
   * keys of these variables from now on.
   */
  readonly replaceKeys: (env: Environment) => void;
};

export type AccessOptions = {
  readonly keys_file: string | null;
  /** The address on which the host listens, or null if the host itself checks the URL of every request. */
  readonly host: string | null;
};

const LOCAL_CALLER = { tenant: LOCAL_TENANT, name: LOCAL_NAME, scopes: new Set(SCOPES) };
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

export function createAccess(
  config: AccessOptions,
  env: Environment,
  warn: (message: string) => void = () => undefined,
): Result<Access> {
  const parsedKeys = keysOfVariables(env);
  if (!parsedKeys.ok) return parsedKeys;
  let variableKeys = parsedKeys.value;
  const fileKeys = config.keys_file ? watchKeysFile(config.keys_file, warn) : ok(() => []);
  if (!fileKeys.ok) return fileKeys;
  if (variableKeys.length === 0 && !config.keys_file) return localAccess(config.host);
  const rows = () => [...variableKeys, ...fileKeys.value()];
  const source = { rows, now: () => systemClock.now(), hash: nodeHash };
  return ok({
    authenticate: createKeyAuthenticator(source),
    local_only: false,
    keys: (tenant) => keysOf(rows(), tenant),
    findCaller: ({ tenant, name, key }) => {
      const found = findCallerByHash(source, key ?? "");
      if (found.ok && found.value.tenant === tenant && found.value.name === name) return found;
      return fail("unauthorized", `The key ${name} no longer exists.`);
    },
    replaceKeys: (changed) => {
      const keys = keysOfVariables(changed);
      variableKeys = keys.ok ? keys.value : [];
    },
  });
}

const keysOfVariables = ({ PAWL_API_KEYS }: Environment): Result<readonly ApiKeyRecord[]> =>
  PAWL_API_KEYS ? parseKeys(PAWL_API_KEYS) : ok([]);

/** Without keys every caller may do everything, so the host must listen only on this machine. */
function localAccess(host: string | null): Result<Access> {
  if (host !== null && !LOOPBACK.includes(host)) {
    return fail(
      "config_invalid",
      `host: ${host} can be reached from outside, and there are no keys. Set PAWL_API_KEYS or keys_file, or listen on 127.0.0.1.`,
    );
  }
  return ok({
    authenticate: () => ok(LOCAL_CALLER),
    local_only: true,
    keys: null,
    findCaller: () => ok(LOCAL_CALLER),
    replaceKeys: () => undefined,
  });
}
