// Resolves which tools a thread sees, and why it does not see the others. Every tool that is not offered has one reason: the first that applies.
import type { Manifest } from "../schema/manifest.ts";
import type { Settings } from "../schema/settings.ts";
import { CHILD_DEPTH_MAX } from "../schema/workflow/child.ts";
import type { EscalationRule } from "../schema/workflow/escalation.ts";
import { activationOf } from "./catalog.ts";
import type { Tool } from "./define-tool.ts";

/** The reasons why a tool is not offered, in the order in which they are checked. */
export const DISABLED_REASONS = {
  route_disabled: "Its manifest disables it.",
  not_configured: "The host lacks a part that it needs.",
  global_off: "An administrator switched it off for all agents.",
  agent_off: "An administrator switched it off for this agent.",
  agent_list: "The configuration of this agent lists its tools and toolkits, and this tool is not among them.",
  thread_off: "The thread was created without it.",
  on_request: "It is offered on request only: neither the agent nor the thread names it or its toolkit.",
  channel: "It is not offered on the channel of the caller.",
  child_not_allowed: "It asks a person, or its manifest excludes child threads.",
  child_blocked:
    "It cannot run in this child: it creates sub-agents and the child is as deep as they may be, or nothing here runs it (the parent's client does, or its server is gone).",
  child_list: "The parent listed the tools of this child, and this tool is not among them.",
  child_workspace: "The child has no folder.",
  child_shell: "The child may not run commands.",
  child_readonly: "The child may only read.",
  needs_tools: "A tool that it needs is not offered.",
} as const;
export type DisabledReason = keyof typeof DISABLED_REASONS;

/** Limits of a thread that another thread created. */
export type ChildLimits = {
  /** If null, the tools of its parent apply. */
  readonly allowed: readonly string[] | null;
  /** Folders that the child may use. If there are none, the child gets no file tools. */
  readonly roots: readonly string[];
  readonly shell: boolean;
  readonly readonly: boolean;
  /** The depth of the child: 1 if its parent is not a child. */
  readonly depth: number;
};

export type ResolveQuery = {
  readonly manifests: readonly Manifest[];
  /** Tools that the caller declared. A tool with the name of a host tool is not offered. */
  readonly declared?: readonly Tool[];
  readonly settings: Settings;
  readonly agent: string;
  /** The tools that the agent's configuration lists. If null, it lists none and its toolkits decide. */
  readonly agent_tools: readonly string[] | null;
  /** Toolkits that the agent's configuration names. If null, all are allowed. */
  readonly agent_toolkits?: readonly string[] | null;
  /** Toolkits that the thread was created with. If null, all are allowed. */
  readonly thread_toolkits?: readonly string[] | null;
  /** Toolkits with tools that are offered only if the agent or the thread names the toolkit. */
  readonly on_request?: ReadonlySet<string>;
  readonly overrides: Readonly<Record<string, boolean>>;
  /** Parts of the host, such as "process" or "memory". */
  readonly parts?: readonly string[];
  /** The channel of the caller. If null, no channel is excluded. */
  readonly channel?: string | null;
  readonly child?: ChildLimits | null;
};

export type ResolvedTools = {
  /** Sorted by name, so that the prompt changes only when the tools do. */
  readonly tools: readonly Manifest[];
  /** Includes tools that are not offered, because the thread may contain calls of them. */
  readonly known: readonly Manifest[];
  readonly disabled: Readonly<Record<string, DisabledReason>>;
  /** The offered tools that the caller declared, by name. */
  readonly declared?: ReadonlyMap<string, Tool>;
  /** Rules that say when the agent hands over. Calls that break them are refused. */
  readonly escalation?: readonly EscalationRule[];
};

export function resolveTools(query: ResolveQuery): ResolvedTools {
  const disabled: Record<string, DisabledReason> = {};
  const tools: Manifest[] = [];
  for (const manifest of query.manifests) {
    const reason = disabledReason(manifest, query);
    if (reason) disabled[manifest.name] = reason;
    else tools.push(manifest);
  }
  const declared = offeredDeclarations(query, disabled);
  for (const name of withoutRunner(query)) disabled[name] = "child_blocked";
  const kept = dropUnmetNeeds(tools, disabled).map((tool) => withPromptHint(tool, query.settings));
  const all = [...kept, ...[...declared.values()].map(({ manifest }) => manifest)];
  const known = knownTools(query.manifests, query.declared ?? []);
  return { tools: all.sort((a, b) => (a.name < b.name ? -1 : 1)), known, disabled, declared };
}

/** Tools of the host and of the caller, whether they are offered or not. */
export function knownTools(manifests: readonly Manifest[], declared: readonly Tool[]): readonly Manifest[] {
  if (declared.length === 0) return manifests;
  const names = new Set(manifests.map(({ name }) => name));
  return [...manifests, ...declared.map(({ manifest }) => manifest).filter(({ name }) => !names.has(name))];
}

/** The caller requested these tools, so the lists of agents and toolkits do not apply, but the switches do. */
function offeredDeclarations(
  { declared = [], manifests, settings, agent, overrides, child = null }: ResolveQuery,
  disabled: Record<string, DisabledReason>,
): ReadonlyMap<string, Tool> {
  const offered = new Map<string, Tool>();
  for (const tool of declared) {
    const { name } = tool.manifest;
    if (manifests.some((manifest) => manifest.name === name)) continue;
    if (settings.tools[name] === false) disabled[name] = "global_off";
    else if (settings.agents[agent]?.tools[name] === false) disabled[name] = "agent_off";
    else if (overrides[name] === false) disabled[name] = "thread_off";
    else if (child) disabled[name] = "child_not_allowed";
    else offered.set(name, tool);
  }
  return offered;
}

/** Tools that the parent may call but that this host cannot run for a child. */
function withoutRunner({ manifests, declared = [], child }: ResolveQuery): readonly string[] {
  const known = new Set([...manifests, ...declared.map(({ manifest }) => manifest)].map(({ name }) => name));
  return child?.allowed?.filter((name) => !known.has(name)) ?? [];
}

function withPromptHint(manifest: Manifest, { prompt_hints }: Settings): Manifest {
  const prompt_hint = prompt_hints?.[manifest.name];
  return prompt_hint === undefined ? manifest : { ...manifest, prompt_hint, prompt_hint_source: "settings" };
}

const disabledReason = (manifest: Manifest, query: ResolveQuery): DisabledReason | null =>
  unavailable(manifest, query) ?? disabledBySetting(manifest, query) ?? restricted(manifest, query);

function unavailable(manifest: Manifest, { parts = [] }: ResolveQuery): DisabledReason | null {
  if (manifest.route === "disabled") return "route_disabled";
  const activation = activationOf(manifest.toolset);
  if (typeof activation === "object" && !parts.includes(activation.needs)) return "not_configured";
  return manifest.needs_parts.every((part) => parts.includes(part)) ? null : "not_configured";
}

/** A lower level cannot enable what a higher one disables. Core tools stay enabled. */
function disabledBySetting(manifest: Manifest, query: ResolveQuery): DisabledReason | null {
  const { name } = manifest;
  if (manifest.core) return null;
  const globalSetting = query.settings.tools[name];
  const agent = query.settings.agents[query.agent]?.tools[name];
  const thread = query.overrides[name];
  if (globalSetting === false) return "global_off";
  if (agent === false) return "agent_off";
  if (query.agent_tools && !query.agent_tools.includes(name) && !agentNamesToolkit(manifest, query))
    return "agent_list";
  if (thread === false) return "thread_off";
  const namedItself = globalSetting || agent || thread || query.agent_tools?.includes(name);
  return namedItself || isOffered(manifest, query) ? null : "on_request";
}

/** If nothing names the tool itself, its toolset and its toolkit decide. */
function isOffered(manifest: Manifest, query: ResolveQuery): boolean {
  if (activationOf(manifest.toolset) === "on_request") return false;
  const { thread_toolkits = [], on_request } = query;
  if (manifest.toolkit === null || !on_request?.has(manifest.toolkit)) return true;
  return agentNamesToolkit(manifest, query) || thread_toolkits === null || thread_toolkits.includes(manifest.toolkit);
}

const agentNamesToolkit = ({ toolkit }: Manifest, { agent_toolkits = [] }: ResolveQuery): boolean =>
  toolkit !== null && (agent_toolkits === null || agent_toolkits.includes(toolkit));

function restricted(manifest: Manifest, { channel = null, child = null }: ResolveQuery): DisabledReason | null {
  if (channel !== null && manifest.channels && !manifest.channels.includes(channel)) return "channel";
  if (!child) return null;
  // A child has no person to ask, so a tool that asks belongs to its parent.
  if (!manifest.subagent_allowed || (manifest.asks && !manifest.tags.includes("escalates"))) return "child_not_allowed";
  if (manifest.toolset === "crew" && child.depth >= CHILD_DEPTH_MAX) return "child_blocked";
  if (child.allowed && !child.allowed.includes(manifest.name)) return "child_list";
  if (manifest.tags.includes("workspace") && child.roots.length === 0) return "child_workspace";
  if (manifest.tags.includes("shell") && !child.shell) return "child_shell";
  return manifest.permission !== "READ" && child.readonly ? "child_readonly" : null;
}

/** Also drops the tools that need a dropped tool in turn. */
function dropUnmetNeeds(tools: Manifest[], disabled: Record<string, DisabledReason>): Manifest[] {
  const names = new Set(tools.flatMap((tool) => [tool.name, tool.toolset]));
  const kept = tools.filter((tool) => tool.needs_tools.every((need) => names.has(need)));
  if (kept.length === tools.length) return kept;
  for (const tool of tools) if (!kept.includes(tool)) disabled[tool.name] = "needs_tools";
  return dropUnmetNeeds(kept, disabled);
}

/** The active tools as the routes report them. The camelCase fields are aliases from 0.1. */
export type Projection = {
  readonly tool_names: readonly string[];
  readonly prompt_hints: Readonly<Record<string, string>>;
  readonly manifests: readonly Manifest[];
  readonly routes: Readonly<Record<string, Manifest["route"]>>;
  readonly disabled_reasons: ResolvedTools["disabled"];
  readonly toolNames: readonly string[];
  readonly toolPromptHints: Readonly<Record<string, string>>;
  readonly toolManifest: readonly Manifest[];
  readonly toolRuntimeRoutes: Readonly<Record<string, Manifest["route"]>>;
  readonly disabledReasons: ResolvedTools["disabled"];
};

export function projectTools({ tools, disabled }: ResolvedTools): Projection {
  const tool_names = tools.map((tool) => tool.name);
  const hints = tools.flatMap((tool) => (tool.prompt_hint ? [[tool.name, tool.prompt_hint] as const] : []));
  const prompt_hints = Object.fromEntries(hints);
  const routes = Object.fromEntries(tools.map((tool) => [tool.name, tool.route]));
  return {
    tool_names,
    prompt_hints,
    manifests: tools,
    routes,
    disabled_reasons: disabled,
    toolNames: tool_names,
    toolPromptHints: prompt_hints,
    toolManifest: tools,
    toolRuntimeRoutes: routes,
    disabledReasons: disabled,
  };
}
