// Checks the names inside a configuration that point at each other, and settles the defaults that follow from them.
import type { Config } from "../../schema/config.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { didYouMean } from "./config-messages.ts";

/** A configuration in which every name means something. */
export type SettledConfig = Omit<Config, "default_agent"> & { readonly default_agent: string };

export type Settled = { readonly config: SettledConfig; readonly mistakes: readonly string[] };

const DEFAULT_AGENT = "default";

export function settleNames(config: Config): Settled {
  const agents: Config["agents"] =
    Object.keys(config.agents).length === 0
      ? { [DEFAULT_AGENT]: { instructions: "", tools: "all", model_overrides: {} } }
      : config.agents;
  const default_model = config.default_model ?? only(config.models);
  const default_agent =
    config.default_agent ?? only(agents) ?? (Object.hasOwn(agents, DEFAULT_AGENT) ? DEFAULT_AGENT : null);
  const settled = { ...config, agents, default_model, default_agent: default_agent ?? "" };
  const mistakes = [
    ...pointers(settled).flatMap(({ field, kind, name, among }) => pointer(field, kind, name, among)),
    ...(default_model === null && Object.keys(config.models).length > 1
      ? [`default_model: is missing; it must be one of ${list(config.models)}`]
      : []),
    ...(default_agent === null ? [`default_agent: is missing; it must be one of ${list(agents)}`] : []),
    ...unpriced(settled),
  ];
  return { config: settled, mistakes };
}

/** The models that some agent uses for some purpose. */
export function modelsInUse(config: SettledConfig): readonly string[] {
  const names = pointers(config)
    .filter(({ kind }) => kind === "model")
    .map(({ name }) => name);
  return [...new Set(names)].filter((name) => name !== null);
}

type Named = Readonly<Record<string, unknown>>;
type Pointer = { readonly field: string; readonly kind: string; readonly name: string | null; readonly among: Named };

function pointers(config: SettledConfig): readonly Pointer[] {
  const toModel = (field: string, name: string | undefined | null): Pointer[] =>
    name === undefined ? [] : [{ field, kind: "model", name, among: config.models }];
  const overrides = (field: string, chosen: Config["model_overrides"]): Pointer[] =>
    Object.entries(chosen).flatMap(([purpose, name]) => toModel(`${field}.${purpose}`, name));
  return [
    ...Object.entries(config.models).map(([name, model]) => ({
      field: `models.${name}.provider`,
      kind: "provider",
      name: model.provider,
      among: config.providers,
    })),
    ...toModel("default_model", config.default_model),
    ...overrides("model_overrides", config.model_overrides),
    ...Object.entries(config.agents).flatMap(([id, agent]) => [
      ...toModel(`agents.${id}.model`, agent.model),
      ...overrides(`agents.${id}.model_overrides`, agent.model_overrides),
    ]),
    { field: "default_agent", kind: "agent", name: config.default_agent || null, among: config.agents },
  ];
}

/** Which tools there are only a started host knows. A misspelt name would silently leave an agent without its tool. */
export function checkToolNames(config: SettledConfig, known: readonly string[]): Result<void> {
  const mistakes = Object.entries(config.agents).flatMap(([id, { tools }]) =>
    tools === "all" ? [] : tools.flatMap((name, at) => unknownTool(`agents.${id}.tools.${at}`, name, known)),
  );
  return mistakes.length === 0 ? ok(undefined) : fail("config_invalid", mistakes.join("\n"), { mistakes });
}

const unknownTool = (field: string, name: string, known: readonly string[]): string[] =>
  known.includes(name) ? [] : [`${field}: no tool named "${name}"${didYouMean(name, known)}`];

function pointer(field: string, kind: string, name: string | null, among: Named): string[] {
  if (name === null || Object.hasOwn(among, name)) return [];
  return [`${field}: no ${kind} named "${name}"${didYouMean(name, Object.keys(among))}`];
}

/** A limit in money that cannot be counted would be a promise nobody keeps. */
function unpriced(config: SettledConfig): string[] {
  if (config.budget.usd === null) return [];
  return modelsInUse(config)
    .filter((name) => Object.hasOwn(config.models, name) && config.models[name]?.prices === null)
    .map((name) => `models.${name}.prices: is missing, but budget.usd is set`);
}

function only(named: Named): string | null {
  const names = Object.keys(named);
  return names.length === 1 ? (names[0] ?? null) : null;
}

const list = (named: Named): string =>
  Object.keys(named)
    .map((name) => `"${name}"`)
    .join(", ");
