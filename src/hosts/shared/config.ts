// Loads the configuration, applies the environment, and checks the result. All mistakes are reported together.

import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { z } from "zod";
import { createOpenAiModel } from "../../adapters/model-openai/openai-model.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Model, PickModel } from "../../ports/model.ts";
import { Config, PARSED_ONCE } from "../../schema/config.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { RuntimeConfig } from "../../turn/runtime.ts";
import { chooseDataFolder, DEFAULT_DATA, pathExists } from "../node/data-folder.ts";
import { CONFIG_FILES, importErrorMessage, readConfigFile } from "./config-file.ts";
import { configMistakes } from "./config-messages.ts";
import { modelsInUse, type ResolvedConfig, resolveNames } from "./config-names.ts";
import { readVariable, withEnvironmentModel } from "./environment-model.ts";
import { type Extension, mergeAgents, readExtension } from "./extension.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Relative paths in a file are resolved against the folder of the file, those in the environment against the working folder. */
export type LoadedConfig = ResolvedConfig & {
  readonly source: string | null;
  /** Files outside the data folder that belong to the server. No tool may read or write them. */
  readonly closed: readonly string[];
  /** The extensions that the modules of `extend` export, and those that the program passed in. */
  readonly extensions: readonly Extension[];
};

export async function loadConfig(
  cwd: string,
  env: Environment,
  given: readonly Extension[] = [],
): Promise<Result<LoadedConfig>> {
  const file = await readConfigFile(cwd, readVariable(env, "PAWL_CONFIG"));
  if (!file.ok) return file;
  const source = file.value?.path ?? null;
  const input = file.value === null ? {} : file.value.value;
  const parsed = Config.safeParse(input, PARSED_ONCE);
  if (!parsed.success) return configInvalid([...configMistakes(parsed.error), ...nameMistakes(input, parsed.error)]);
  const folder = source === null ? cwd : dirname(source);
  const overridden = withEnvironment(parsed.data, folder, cwd, env);
  if (!overridden.ok) return overridden;
  const loaded = await loadExtensions(overridden.value.extend);
  if (!loaded.ok) return loaded;
  const extensions = [...loaded.value, ...given];
  const config = resolveConfig(overridden.value, extensions);
  return config.ok
    ? ok({ ...config.value, source, extensions, closed: closedFiles(config.value, source, cwd) })
    : config;
}

/**
 * These files decide how the next start behaves. They include the names of configuration files that do not exist:
 * otherwise a tool could create one, and the server would run it.
 */
function closedFiles(config: Pick<Config, "keys_file" | "extend">, source: string | null, cwd: string): string[] {
  const own = [source, config.keys_file].filter((path) => path !== null);
  return [...own, ...config.extend, ...CONFIG_FILES.map((name) => resolve(cwd, name))];
}

function resolveConfig(parsed: Config, extensions: readonly Extension[]): Result<ResolvedConfig> {
  const agents = mergeAgents(parsed.agents, extensions);
  if (!agents.ok) return agents;
  const { config, mistakes } = resolveNames({ ...parsed, agents: agents.value });
  return mistakes.length > 0 ? configInvalid(mistakes) : ok(config);
}

/** For hosts without files: PAWL_CONFIG contains the configuration as JSON, and three variables may describe one model. */
export function configFromEnvironment(env: Environment, extensions: readonly Extension[] = []): Result<ResolvedConfig> {
  const text = readVariable(env, "PAWL_CONFIG");
  const input = text === null ? ok({}) : readJson(text);
  if (!input.ok) return input;
  const parsed = Config.safeParse(input.value, PARSED_ONCE);
  if (!parsed.success)
    return configInvalid([...configMistakes(parsed.error), ...nameMistakes(input.value, parsed.error)]);
  if (parsed.data.extend.length > 0)
    return fail("config_invalid", "extend: this host reads no files; pass the extension to the host in your program");
  const completed = withEnvironmentModel(parsed.data, env);
  return completed.ok ? resolveConfig(completed.value, extensions) : completed;
}

function readJson(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text));
  } catch {
    // The error is not shown because it would quote the text, which may contain a key.
    return fail("config_invalid", "PAWL_CONFIG: is not JSON");
  }
}

/** Names are checked even if other fields are invalid. Those fields are removed first. */
function nameMistakes(written: unknown, error: z.ZodError): readonly string[] {
  const rest: unknown = JSON.parse(JSON.stringify(written) ?? "null");
  for (const issue of error.issues) {
    if (issue.code === "unrecognized_keys") for (const key of issue.keys) deletePath(rest, [...issue.path, key]);
    else deletePath(rest, issue.path);
  }
  const parsed = Config.safeParse(rest, PARSED_ONCE);
  return parsed.success ? resolveNames(parsed.data).mistakes : [];
}

function deletePath(value: unknown, [key, ...inner]: readonly PropertyKey[]): void {
  if (typeof value !== "object" || value === null || key === undefined) return;
  if (inner.length === 0) Reflect.deleteProperty(value, key);
  else deletePath(Reflect.get(value, key), inner);
}

const configInvalid = (mistakes: readonly string[]): Failed =>
  fail("config_invalid", mistakes.join("\n"), { mistakes });

function withEnvironment(config: Config, folder: string, cwd: string, env: Environment): Result<Config> {
  const port = readVariable(env, "PORT");
  if (port !== null && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    return fail("config_invalid", "PORT: must be a whole number from 0 to 65535");
  }
  const data = chooseDataFolder({ cwd, folder, named: namedData(config, folder, cwd, env), exists: pathExists });
  if (!data.ok) return data;
  const resolveInFolder = (path: string | null): string | null => (path === null ? null : resolve(folder, path));
  const settings = {
    ...config,
    data: data.value,
    keys_file: resolveInFolder(config.keys_file),
    workspace: resolveInFolder(config.workspace),
    skills: { folder: resolveInFolder(config.skills.folder) },
    extend: config.extend.map((path) => resolve(folder, path)),
    bash: { ...config.bash, readable: config.bash.readable.map((path) => resolve(folder, path)) },
    host: readVariable(env, "HOST") ?? config.host,
    port: port === null ? config.port : Number(port),
  };
  return withEnvironmentModel(settings, env);
}

function namedData(config: Config, folder: string, cwd: string, env: Environment): string | null {
  const data = readVariable(env, "PAWL_DATA");
  if (data !== null) return resolve(cwd, data);
  return config.data === DEFAULT_DATA ? null : resolve(folder, config.data);
}

/** TZ, which Lambda sets to ":UTC", is checked first: on Lambda a call to Intl takes as long as creating the host. */
const zoneOfMachine = ({ TZ }: Environment): string =>
  TZ === ":UTC" ? "UTC" : new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function runtimeConfig(config: ResolvedConfig, env: Environment = {}): RuntimeConfig {
  const agents = Object.entries(config.agents).map(([id, { instructions, tools, toolkits, escalation }]) => [
    id,
    {
      instructions,
      ...(tools === "all" ? { tools: null, toolkits: "all" } : { tools: tools ?? null, toolkits }),
      ...(escalation.length > 0 && { escalation }),
    },
  ]);
  return {
    agents: Object.fromEntries(agents),
    default_agent: config.default_agent,
    agent_overrides: config.agent_overrides,
    budget: config.budget,
    taint_allow: config.taint.allow,
    ...(Object.keys(config.protocols).length > 0 && { protocols: config.protocols }),
    ...(config.telemetry.content && { telemetry: config.telemetry }),
    gate_expire_after_s: config.gates.expire_after_s,
    turn_deadline_ms: config.limits.turn_deadline_ms,
    settle_grace_ms: config.limits.settle_grace_ms,
    time_zone: config.time_zone ?? zoneOfMachine(env),
    locale: config.locale,
  };
}

export type PickModelOptions = { readonly clock?: Clock; readonly fetch?: typeof fetch };

/** The first that is configured wins: the agent's model for the purpose, the agent's model, the model for the purpose, the default. */
export function createPickModel(
  config: ResolvedConfig,
  env: Environment,
  fallback: Model | null,
  options: PickModelOptions = {},
): Result<PickModel> {
  const models = new Map<string, Model>();
  const mistakes: string[] = [];
  for (const name of modelsInUse(config)) {
    const made = createModel(config, env, name, options);
    if (made.ok) models.set(name, made.value);
    else mistakes.push(made.problem.message);
  }
  const defaultModel = config.default_model === null ? fallback : (models.get(config.default_model) ?? null);
  if (defaultModel === null && mistakes.length === 0) mistakes.push("models: there is no model");
  if (defaultModel === null || mistakes.length > 0) return configInvalid(mistakes);

  return ok((agent, purpose) => {
    const chosen = Object.hasOwn(config.agents, agent) ? config.agents[agent] : undefined;
    const name = chosen?.model_overrides[purpose] ?? chosen?.model ?? config.model_overrides[purpose];
    return (name === undefined ? null : models.get(name)) ?? defaultModel;
  });
}

function createModel(config: ResolvedConfig, env: Environment, name: string, options: PickModelOptions): Result<Model> {
  const model = config.models[name];
  const provider = model === undefined ? undefined : config.providers[model.provider];
  if (model === undefined || provider === undefined) return fail("config_invalid", `models.${name}: is not configured`);
  const key = provider.api_key_env === undefined ? (provider.api_key ?? null) : readVariable(env, provider.api_key_env);
  if (key === null && provider.api_key_env !== undefined) {
    const field = `providers.${model.provider}.api_key_env`;
    return fail("config_invalid", `${field}: the environment variable ${provider.api_key_env} is not set`);
  }
  return ok(
    createOpenAiModel({
      ...options,
      ...model,
      name,
      model: model.name,
      base_url: provider.base_url,
      api_key: key,
    }),
  );
}

/**
 * Imports the modules that `extend` names: the operator's own programs, which run with all permissions of the server.
 */
async function loadExtensions(paths: readonly string[]): Promise<Result<readonly Extension[]>> {
  const extensions: Extension[] = [];
  for (const [n, path] of paths.entries()) {
    const loaded = await loadExtension(path, `extend.${n}`);
    if (!loaded.ok) return loaded;
    extensions.push(loaded.value);
  }
  return ok(extensions);
}

async function loadExtension(path: string, field: string): Promise<Result<Extension>> {
  if (!existsSync(path)) return fail("config_invalid", `${field}: there is no file ${path}`);
  try {
    return readExtension(await import(pathToFileURL(path).href), `${field}: ${basename(path)}`);
  } catch (error) {
    return fail("config_invalid", `${field}: ${basename(path)} cannot be loaded: ${importErrorMessage(error)}`);
  }
}
