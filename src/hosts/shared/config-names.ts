// Checks the names in a configuration that refer to other entries of it, and sets the defaults that follow from them.
import { AgentConfig, type Config, PARSED_ONCE } from "../../schema/config.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { SAMPLE_AGENTS } from "../../toolkits/named.ts";
import type { AbsentToolkit } from "../../tools/toolkit.ts";
import { didYouMean } from "./config-messages.ts";
import { keysGivenToCommands } from "./secret-variables.ts";

const sampleAgents = () =>
  Object.fromEntries(
    Object.entries(SAMPLE_AGENTS).map(([name, agent]) => [name, AgentConfig.parse(agent, PARSED_ONCE)]),
  );

/** A configuration after `resolveNames`, which always has a default agent. */
export type ResolvedConfig = Omit<Config, "default_agent"> & { readonly default_agent: string };

export type ResolvedNames = { readonly config: ResolvedConfig; readonly mistakes: readonly string[] };

/** The name of the built-in demo model in records. */
export const DEMO_MODEL = "demo";
const DEFAULT_AGENT = "default";

export function resolveNames(config: Config): ResolvedNames {
  const agents: Config["agents"] = Object.keys(config.agents).length === 0 ? sampleAgents() : config.agents;
  const default_model = config.default_model ?? singleName(config.models);
  const default_agent =
    config.default_agent ?? singleName(agents) ?? (Object.hasOwn(agents, DEFAULT_AGENT) ? DEFAULT_AGENT : null);
  const resolved = { ...config, agents, default_model, default_agent: default_agent ?? "" };
  const mistakes = [
    ...references(resolved).flatMap(({ field, kind, name, candidates: among }) =>
      referenceMistake(field, kind, name, among),
    ),
    ...(default_model === null && Object.keys(config.models).length > 1
      ? [`default_model: is missing; it must be one of ${quotedNames(config.models)}`]
      : []),
    ...(default_agent === null ? [`default_agent: is missing; it must be one of ${quotedNames(agents)}`] : []),
    ...missingPrices(resolved),
    ...keysGivenToCommands(resolved),
  ];
  return { config: resolved, mistakes };
}

export function modelsInUse(config: ResolvedConfig): readonly string[] {
  const names = references(config)
    .filter(({ kind }) => kind === "model")
    .map(({ name }) => name);
  return [...new Set(names)].filter((name) => name !== null);
}

type NamedEntries = Readonly<Record<string, unknown>>;
type Reference = {
  readonly field: string;
  readonly kind: string;
  readonly name: string | null;
  readonly candidates: NamedEntries;
};

function references(config: ResolvedConfig): readonly Reference[] {
  const modelReference = (field: string, name: string | undefined | null): Reference[] =>
    name === undefined ? [] : [{ field, kind: "model", name, candidates: config.models }];
  const overrides = (field: string, chosen: Config["model_overrides"]): Reference[] =>
    Object.entries(chosen).flatMap(([purpose, name]) => modelReference(`${field}.${purpose}`, name));
  return [
    ...Object.entries(config.models).map(([name, model]) => ({
      field: `models.${name}.provider`,
      kind: "provider",
      name: model.provider,
      candidates: config.providers,
    })),
    ...modelReference("default_model", config.default_model),
    ...overrides("model_overrides", config.model_overrides),
    ...Object.entries(config.agents).flatMap(([id, agent]) => [
      ...modelReference(`agents.${id}.model`, agent.model),
      ...overrides(`agents.${id}.model_overrides`, agent.model_overrides),
    ]),
    ...Object.entries(config.agent_overrides).flatMap(([workflow, roles]) =>
      Object.entries(roles).map(([role, name]) => ({
        field: `agent_overrides.${workflow}.${role}`,
        kind: "agent",
        name,
        candidates: config.agents,
      })),
    ),
    { field: "default_agent", kind: "agent", name: config.default_agent || null, candidates: config.agents },
  ];
}

/** The tools and toolkits of a host, which are known only after it has started. */
export type KnownTools = {
  readonly tools: readonly string[];
  readonly toolkits: readonly string[];
  readonly absent: readonly AbsentToolkit[];
};

/** A misspelled name would silently leave an agent without its tool. */
export function checkToolNames(config: ResolvedConfig, known: KnownTools): Result<void> {
  const mistakes = Object.entries(config.agents).flatMap(([id, { tools = [], toolkits, escalation }]) => [
    ...(tools === "all" ? [] : tools.flatMap((name, n) => unknownTool(`agents.${id}.tools.${n}`, name, known))),
    ...escalation.flatMap((rule, n) =>
      rule.tools.flatMap((name, m) => unknownTool(`agents.${id}.escalation.${n}.tools.${m}`, name, known)),
    ),
    ...toolkits.flatMap((name, n) => unknownToolkit(`agents.${id}.toolkits.${n}`, name, known)),
  ]);
  return mistakes.length === 0 ? ok(undefined) : fail("config_invalid", mistakes.join("\n"), { mistakes });
}

function unknownTool(field: string, name: string, { tools, absent }: KnownTools): string[] {
  if (tools.includes(name)) return [];
  const missing = absent.map((toolkit) => `; ${describeAbsent(toolkit)}`).join("");
  return [`${field}: no tool named "${name}"${didYouMean(name, tools)}${missing}`];
}

function unknownToolkit(field: string, name: string, { toolkits, absent }: KnownTools): string[] {
  if (toolkits.includes(name)) return [];
  const missing = absent.find((toolkit) => toolkit.name === name);
  if (missing) return [`${field}: ${describeAbsent(missing)}`];
  return [`${field}: no toolkit named "${name}"${didYouMean(name, toolkits)}`];
}

export const describeAbsent = ({ name, missing }: AbsentToolkit): string =>
  `the toolkit ${name} is absent, because this host has no ${missing.join(" and no ")}`;

function referenceMistake(field: string, kind: string, name: string | null, among: NamedEntries): string[] {
  if (name === null || Object.hasOwn(among, name)) return [];
  return [`${field}: no ${kind} named "${name}"${didYouMean(name, Object.keys(among))}`];
}

/** A limit in money needs the prices of every model. */
function missingPrices(config: ResolvedConfig): string[] {
  if (config.budget.usd === null) return [];
  return modelsInUse(config)
    .filter((name) => Object.hasOwn(config.models, name) && config.models[name]?.prices === null)
    .map((name) => `models.${name}.prices: is missing, but budget.usd is set`);
}

function singleName(named: NamedEntries): string | null {
  const names = Object.keys(named);
  return names.length === 1 ? (names[0] ?? null) : null;
}

const quotedNames = (named: NamedEntries): string =>
  Object.keys(named)
    .map((name) => `"${name}"`)
    .join(", ");
