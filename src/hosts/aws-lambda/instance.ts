// Caches the host of one Lambda instance. The first event creates the host, and a changed secret replaces it.

import * as z from "zod";
import { hasPassed } from "../../schema/jobs/time-limit.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment } from "../shared/config.ts";
import { parseKeys } from "../shared/keys-file.ts";
import { createLambdaHost, type LambdaHost, type LambdaOptions } from "./host.ts";

/** A key that was removed from the secret is refused after this time plus the cache time of AWS's extension, without a deployment. */
const SECRET_REFRESH_MS = 60_000;

type CachedHost = { readonly env: Environment; readonly host: LambdaHost };

export type HostProvider = (remaining_ms: number) => Promise<LambdaHost>;

/** True if the keys have changed and the new ones can be parsed. An empty list can be parsed, too. */
function hasOtherKeys({ PAWL_API_KEYS: now = "" }: Environment, { PAWL_API_KEYS: before = "" }: Environment): boolean {
  return now !== before && parseKeys(now).ok;
}

export function createHostProvider(baseEnv: Environment, options: LambdaOptions, now = Date.now): HostProvider {
  let pending: Promise<CachedHost> | null = null;
  let checkedAt = 0;

  async function createCached(remaining_ms: number): Promise<CachedHost> {
    const env = await withSecrets(baseEnv);
    if (!env.ok) throw new Error(`${env.problem.code}: ${env.problem.message} ${env.problem.hint}`);
    const host = await createLambdaHost(env.value, remaining_ms, options);
    if (!host.ok) throw new Error(`${host.problem.code}: ${host.problem.message} ${host.problem.hint}`);
    return { env: env.value, host: host.value };
  }

  /**
   * If the secret cannot be read, the old host stays in use with the old keys. If the keys have changed, it does not: a
   * removed key must not work for longer, even if something else in the secret is wrong.
   */
  async function refresh(cached: CachedHost, remaining_ms: number): Promise<CachedHost> {
    const env = await withSecrets(baseEnv);
    if (env.ok && JSON.stringify(env.value) === JSON.stringify(cached.env)) return cached;
    try {
      if (!env.ok) throw new Error(env.problem.message);
      return await createCached(remaining_ms);
    } catch (error) {
      if (env.ok && hasOtherKeys(env.value, cached.env)) throw error;
      cached.host.log.error({ msg: "the secret could not be read again", error: String(error) });
      return cached;
    }
  }

  return async (remaining_ms) => {
    const isStale = hasPassed(checkedAt, SECRET_REFRESH_MS, now());
    if (pending === null) {
      checkedAt = now();
      pending = createCached(remaining_ms);
    } else if (isStale && baseEnv.PAWL_SECRET_ID) {
      checkedAt = now();
      pending = pending.then((cached) => refresh(cached, remaining_ms));
    }
    const current = pending;
    try {
      return (await current).host;
    } catch (error) {
      // A failure is not cached, so the next event retries.
      if (pending === current) pending = null;
      throw error;
    }
  };
}

const DEFAULT_PORT = "2773";
const TIMEOUT_MS = 5_000;

/** A secret is a JSON object whose fields are environment variables. */
const Secret = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string());
const SecretResponse = z.object({ SecretString: z.string() });

/** Adds the fields of the secret that PAWL_SECRET_ID names to the environment. */
async function withSecrets(env: Environment): Promise<Result<Environment>> {
  const id = env.PAWL_SECRET_ID;
  if (!id) return ok(env);
  const port = env.PARAMETERS_SECRETS_EXTENSION_HTTP_PORT ?? DEFAULT_PORT;
  try {
    const response = await fetch(`http://localhost:${port}/secretsmanager/get?secretId=${encodeURIComponent(id)}`, {
      headers: { "X-Aws-Parameters-Secrets-Token": env.AWS_SESSION_TOKEN ?? "" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return secretUnreadable(`Secrets Manager answered ${response.status}`);
    const secret = Secret.safeParse(JSON.parse(SecretResponse.parse(await response.json()).SecretString));
    // The message must not contain any part of the secret.
    if (!secret.success)
      return secretUnreadable("the secret is not a JSON object of strings named like environment variables");
    return ok({ ...env, ...secret.data });
  } catch (error) {
    return secretUnreadable(error instanceof Error ? error.name : "it cannot be read");
  }
}

const secretUnreadable = (why: string) => fail("config_invalid", `PAWL_SECRET_ID: ${why}.`);
