// Every value of the configuration and the environment that must never be written down.
import type { Environment } from "./config.ts";
import type { ResolvedConfig } from "./config-names.ts";

export function collectSecrets(config: Pick<ResolvedConfig, "providers">, env: Environment): readonly string[] {
  const providers = Object.values(config.providers).flatMap(({ api_key, api_key_env }) => [
    api_key,
    api_key_env === undefined ? undefined : env[api_key_env],
  ]);
  const keys = (env.PAWL_API_KEYS ?? "").split(/[,:]/).filter((part) => part.startsWith("pawl_"));
  // As they are used: a line break at the end of a variable is no part of the key.
  return [...providers, ...keys, env.PAWL_SECRET].flatMap((secret) => secret?.trim() || []);
}
