// Enables or disables a tool for a tenant or for one agent. The next turn sees the change; a turn in progress does not.
import { retryConflict } from "../ports/retry.ts";
import type { TenantId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";
import type { Runtime } from "../turn/runtime.ts";
import { unknownToolProblem } from "./unknown-tool.ts";

export type ToolSwitch = {
  readonly name: string;
  /** null: for all agents. */
  readonly agent: string | null;
  readonly enabled: boolean;
  /** The version of the settings that the caller has seen; null: any version. */
  readonly if_match: number | null;
};

export async function switchTool(rt: Runtime, tenant: TenantId, change: ToolSwitch): Promise<Result<number>> {
  const manifest = rt.toolbox.catalog.get(change.name);
  if (!manifest) return unknownToolProblem(rt, change.name);
  if (change.agent !== null && !Object.hasOwn(rt.config.agents, change.agent))
    return fail("agent_not_found", `There is no agent named ${JSON.stringify(change.agent.slice(0, 80))}.`);
  if (manifest.core && !change.enabled)
    return fail("tool_core", `${change.name} is a core tool and cannot be disabled.`);
  // A concurrent change is not overwritten: it is loaded, and this one is applied on top.
  return retryConflict("settings_moved", async () => {
    const loaded = await rt.settings.load(tenant);
    if (!loaded.ok) return loaded;
    const { version, settings } = loaded.value;
    if (change.if_match !== null && change.if_match !== version)
      return fail("version_mismatch", `The settings are at version ${version}, not ${change.if_match}.`, { version });
    if (isSet(settings, change)) return ok(version);
    return rt.settings.save(tenant, withSwitch(settings, change), version);
  });
}

const switchesOf = (settings: Settings, agent: string | null): Settings["tools"] =>
  agent === null ? settings.tools : (settings.agents[agent]?.tools ?? {});

const isSet = (settings: Settings, { agent, name, enabled }: ToolSwitch): boolean =>
  switchesOf(settings, agent)[name] === enabled;

function withSwitch(settings: Settings, { agent, name, enabled }: ToolSwitch): Settings {
  const tools = { ...switchesOf(settings, agent), [name]: enabled };
  return agent === null ? { ...settings, tools } : { ...settings, agents: { ...settings.agents, [agent]: { tools } } };
}
