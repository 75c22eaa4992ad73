// Collects all values from the configuration and the environment that must never be written to a log.
import type { Environment } from "./config.ts";
import type { ResolvedConfig } from "./config-names.ts";
import { addressVariables, passwordVariables } from "./secret-variables.ts";

type SecretConfig = Pick<ResolvedConfig, "providers"> &
  Partial<Pick<ResolvedConfig, "calendar" | "channels" | "data_sources" | "images" | "mcp">>;

export function collectSecrets(config: SecretConfig, env: Environment): readonly string[] {
  const providers = Object.values(config.providers).flatMap(({ api_key, api_key_env }) => [
    api_key,
    api_key_env === undefined ? undefined : env[api_key_env],
  ]);
  const keys = (env.PAWL_API_KEYS ?? "").split(/[,:]/).filter((part) => part.startsWith("pawl_"));
  const addresses = addressVariables(config).flatMap((name) => addressSecrets(env[name]?.trim()));
  const imageKey = config.images?.api_key_env ? env[config.images.api_key_env] : undefined;
  // In a header value such as "Bearer abc", only the last word is the secret. Values are trimmed where they are used.
  const passwords = passwordVariables(config).flatMap((name) => [env[name], env[name]?.trim().split(" ").at(-1)]);
  return [...providers, ...keys, ...addresses, ...passwords, imageKey, env.PAWL_SECRET].flatMap(
    (secret) => secret?.trim() || [],
  );
}

/** Returns the URL and its password, the latter both percent-encoded and decoded. */
function addressSecrets(url: string | undefined): readonly string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { password } = new URL(url);
  return password === "" ? [url] : [url, password, decodeURIComponent(password.replace(/%(?![0-9a-f]{2})/gi, "%25"))];
}
