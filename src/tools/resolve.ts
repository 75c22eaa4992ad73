// Which tools this thread sees, and why not the others. Every removed tool has exactly one reason.
import type { Manifest } from "../schema/manifest.ts";
import type { Settings } from "../schema/settings.ts";

export type DisabledReason =
  | "route_disabled"
  | "global_off"
  | "agent_off"
  | "agent_list"
  | "thread_off"
  | "needs_tools";

export type ResolveQuery = {
  readonly manifests: readonly Manifest[];
  readonly settings: Settings;
  readonly agent: string;
  /** The tools the agent's configuration names; null: all. */
  readonly agent_tools: readonly string[] | null;
  readonly overrides: Readonly<Record<string, boolean>>;
};

export type Resolved = {
  /** Sorted by name, so that the prompt stays the same while the tools do. */
  readonly tools: readonly Manifest[];
  readonly disabled: Readonly<Record<string, DisabledReason>>;
};

export function resolveTools(query: ResolveQuery): Resolved {
  const disabled: Record<string, DisabledReason> = {};
  let tools: Manifest[] = [];
  for (const manifest of query.manifests) {
    const reason = reasonAgainst(manifest, query);
    if (reason) disabled[manifest.name] = reason;
    else tools.push(manifest);
  }
  tools = dropUnmetNeeds(tools, disabled);
  return { tools: tools.sort((a, b) => (a.name < b.name ? -1 : 1)), disabled };
}

function reasonAgainst(manifest: Manifest, query: ResolveQuery): DisabledReason | null {
  const { name } = manifest;
  if (manifest.route === "disabled") return "route_disabled";
  if (manifest.core) return null;
  if (query.settings.tools[name] === false) return "global_off";
  if (query.settings.agents[query.agent]?.tools[name] === false) return "agent_off";
  if (query.agent_tools && !query.agent_tools.includes(name)) return "agent_list";
  if (query.overrides[name] === false) return "thread_off";
  return null;
}

/** A tool that needs another one falls with it, and so does whatever needs it in turn. */
function dropUnmetNeeds(tools: Manifest[], disabled: Record<string, DisabledReason>): Manifest[] {
  const names = new Set(tools.map((tool) => tool.name));
  const sets = new Set(tools.map((tool) => tool.toolset));
  const kept = tools.filter((tool) => tool.needs_tools.every((need) => names.has(need) || sets.has(need)));
  if (kept.length === tools.length) return kept;
  for (const tool of tools) if (!kept.includes(tool)) disabled[tool.name] = "needs_tools";
  return dropUnmetNeeds(kept, disabled);
}
