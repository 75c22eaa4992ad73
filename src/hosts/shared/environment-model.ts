// The model that three environment variables describe. It is added to those of the configuration file as the default.
import { Config, PARSED_ONCE } from "../../schema/config.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const OPENAI_URL = "https://api.openai.com/v1";
/** Nearly every current model has at least this context window. A larger one must be set in a configuration file. */
const UNKNOWN_WINDOW = 32_768;
const NEEDS = "needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without a key";

/** An empty variable counts as not set, because in some shells and containers a variable can only be emptied. */
export const readVariable = (env: Environment, name: string): string | null => env[name]?.trim() || null;

/** PAWL_MODEL names a model of the configuration, or one at OpenAI or OPENAI_BASE_URL, which is then added. */
export function withEnvironmentModel(config: Config, env: Environment): Result<Config> {
  const name = readVariable(env, "PAWL_MODEL");
  if (name === null) return ok(config);
  if (Object.hasOwn(config.models, name)) return ok({ ...config, default_model: name });
  const key = readVariable(env, "OPENAI_API_KEY");
  const base_url = readVariable(env, "OPENAI_BASE_URL");
  if (key === null && base_url === null) {
    const known = Object.keys(config.models);
    return fail("config_invalid", `PAWL_MODEL: ${NEEDS}${known.length === 0 ? "" : `, or one of ${known.join(", ")}`}`);
  }
  const provider = freeName("openai", config.providers);
  const model = freeName("main", config.models);
  const added_key = key === null ? {} : { api_key_env: "OPENAI_API_KEY" };
  const input = {
    providers: { [provider]: { base_url: base_url ?? OPENAI_URL, ...added_key } },
    models: { [model]: { provider, name, window: UNKNOWN_WINDOW } },
  };
  const read = Config.safeParse(input, PARSED_ONCE);
  if (!read.success) {
    const isUrl = read.error.issues.some(({ path }) => path.includes("base_url"));
    const mistake = isUrl
      ? `OPENAI_BASE_URL: must be a URL such as ${OPENAI_URL}`
      : "PAWL_MODEL: is not the name of a model";
    return fail("config_invalid", mistake);
  }
  const added = read.data;
  return ok({
    ...config,
    providers: { ...config.providers, ...added.providers },
    models: { ...config.models, ...added.models },
    default_model: model,
  });
}

/** Returns the usual name, or another one if the file already uses it for something else. */
function freeName(usual: string, taken: Readonly<Record<string, unknown>>): string {
  const names = [usual, "environment", ...Object.keys(taken).map((_, n) => `environment_${n + 2}`)];
  return names.find((name) => !Object.hasOwn(taken, name)) ?? usual;
}
