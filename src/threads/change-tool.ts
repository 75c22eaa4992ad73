// Enables or disables a tool, for all agents or for one, and replaces its prompt hint. The next turn uses the new settings.
import { retryConflict } from "../ports/retry.ts";
import type { TenantId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";
import { withDefaults } from "../turn/load-settings.ts";
import type { Runtime } from "../turn/runtime.ts";
import { unknownToolProblem } from "./unknown-tool.ts";

export type ToolChange = {
  readonly name: string;
  /** Null for all agents. */
  readonly agent: string | null;
  readonly enabled?: boolean | undefined;
  /** Replaces the hint of the manifest for all agents. Null restores it. */
  readonly prompt_hint?: string | null | undefined;
  /** The version of the settings that the caller has seen. Null accepts any version. */
  readonly if_match: number | null;
};

export type ToolSettings = {
  readonly enabled: boolean;
  readonly prompt_hint: string | null;
  readonly version: number;
};

export async function changeTool(rt: Runtime, tenant: TenantId, change: ToolChange): Promise<Result<ToolSettings>> {
  const manifest = rt.toolbox.catalog.get(change.name);
  if (!manifest) return unknownToolProblem(rt, change.name);
  if (change.agent !== null && !Object.hasOwn(rt.config.agents, change.agent))
    return fail("agent_not_found", `There is no agent named ${JSON.stringify(change.agent.slice(0, 80))}.`);
  if (manifest.core && change.enabled === false)
    return fail("tool_core", `${change.name} cannot be switched off: it is a core tool.`);
  // A concurrent change by another administrator is kept: the settings are loaded again, and this change is applied on top.
  return retryConflict("settings_moved", async () => {
    const loaded = await rt.settings.load(tenant);
    if (!loaded.ok) return loaded;
    const { version } = loaded.value;
    const checked = withDefaults(loaded.value.settings);
    if (!checked.ok) return checked;
    const settings = checked.value;
    if (change.if_match !== null && change.if_match !== version)
      return fail("version_mismatch", `The settings are at version ${version}, not ${change.if_match}.`, { version });
    const changed = withHint(withSwitch(settings, change), change);
    const result = (saved: number): Result<ToolSettings> =>
      ok({
        enabled: switchesOf(changed, change.agent)[change.name] ?? true,
        prompt_hint: changed.prompt_hints?.[change.name] ?? manifest.prompt_hint,
        version: saved,
      });
    if (changed === settings) return result(version);
    const saved = await rt.settings.save(tenant, changed, version);
    return saved.ok ? result(saved.value) : saved;
  });
}

const switchesOf = (settings: Settings, agent: string | null): Settings["tools"] =>
  agent === null ? settings.tools : (settings.agents[agent]?.tools ?? {});

/** Returns the same object if nothing changes. */
function withSwitch(settings: Settings, { agent, name, enabled }: ToolChange): Settings {
  const switches = switchesOf(settings, agent);
  if (enabled === undefined || switches[name] === enabled) return settings;
  const tools = { ...switches, [name]: enabled };
  return agent === null ? { ...settings, tools } : { ...settings, agents: { ...settings.agents, [agent]: { tools } } };
}

function withHint(settings: Settings, { name, prompt_hint }: ToolChange): Settings {
  const { [name]: current, ...others } = settings.prompt_hints ?? {};
  if (prompt_hint === undefined || prompt_hint === (current ?? null)) return settings;
  return { ...settings, prompt_hints: prompt_hint === null ? others : { ...others, [name]: prompt_hint } };
}
