// Finds the environment variables that hold secrets: keys, passwords, and URLs with a password.
import type { Config } from "../../schema/config.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

type Variables = Readonly<Record<string, string | undefined>>;
type Providers = Pick<Config, "providers"> &
  Partial<Pick<Config, "calendar" | "channels" | "data_sources" | "images" | "mcp">>;

const OWN = ["PAWL_API_KEYS", "PAWL_SECRET", "PAWL_KEY", "OPENAI_API_KEY"];

export const keyVariables = (config: Providers): ReadonlySet<string> =>
  new Set([
    ...OWN,
    ...passwordVariables(config),
    ...addressVariables(config),
    ...Object.values(config.providers).flatMap(({ api_key_env }) => api_key_env ?? []),
    ...(config.images?.api_key_env ? [config.images.api_key_env] : []),
  ]);

/** Variables that are set and hold at least one usable key. The hash of a key is not usable. */
export function readableKeys(config: Providers, env: Variables): readonly string[] {
  const isSet = (name: string): boolean => (env[name]?.trim() ?? "") !== "";
  const holdsOnlyHashes = (name: string): boolean =>
    name === "PAWL_API_KEYS" &&
    (env[name] ?? "").split(",").every((entry) => entry.trim() === "" || /:sha256:[0-9a-f]{64}$/.test(entry.trim()));
  return [...keyVariables(config)].filter((name) => isSet(name) && !holdsOnlyHashes(name));
}

/** Any command could read these variables. */
export const keysGivenToCommands = (config: Providers & Pick<Config, "bash">): readonly string[] =>
  config.bash.env
    .filter((name) => keyVariables(config).has(name))
    .map((name) => `bash.env: ${name} holds a key, and commands get no keys`);

/** Variables that hold URLs with a password. */
export const addressVariables = ({
  channels,
  data_sources,
}: Partial<Pick<Config, "channels" | "data_sources">>): readonly string[] => [
  ...Object.values(data_sources ?? {}).map(({ url_env }) => url_env),
  ...Object.values(channels ?? {}).flatMap((channel) => (channel.kind === "email" ? channel.url_env : [])),
];

/** Passwords of calendar accounts, and variables that are passed to MCP servers. */
export const passwordVariables = ({ calendar, mcp }: Partial<Pick<Config, "calendar" | "mcp">>): readonly string[] => [
  ...Object.values(calendar?.accounts ?? {}).map(({ password_env }) => password_env),
  ...Object.values(mcp ?? {}).flatMap(({ headers_env, env, oauth }) => [
    ...Object.values(headers_env),
    ...env,
    ...(oauth?.client_secret_env ? [oauth.client_secret_env] : []),
  ]),
];

const LINK_SECRET_CHARS_MIN = 32;
export const isLinkSecret = (text: string): boolean => text.length >= LINK_SECRET_CHARS_MIN;

/** The configured secret that signs links, or null if there is none. */
export function readLinkSecret({ PAWL_SECRET: secret }: Variables): Result<string | null> {
  if (!secret) return ok(null);
  if (isLinkSecret(secret)) return ok(secret);
  return fail("config_invalid", `PAWL_SECRET: must have at least ${LINK_SECRET_CHARS_MIN} characters.`);
}
