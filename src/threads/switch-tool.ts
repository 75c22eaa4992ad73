// Switching a tool on or off, for everybody or for one agent. The next turn sees it; a turn at work does not.
import type { TenantId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";
import type { Runtime } from "../turn/runtime.ts";
import { unknownToolProblem } from "./unknown-tool.ts";

/** Another administrator's switch is not undone: it is loaded, and this one is put on top. */
const SAVE_ATTEMPTS_MAX = 10;

export type ToolSwitch = {
  readonly name: string;
  /** null: for everybody. */
  readonly agent: string | null;
  readonly enabled: boolean;
  /** The version of the settings that the caller has seen; null: whatever it is. */
  readonly if_match: number | null;
};

export async function switchTool(rt: Runtime, tenant: TenantId, change: ToolSwitch): Promise<Result<number>> {
  const manifest = rt.toolbox.catalog.get(change.name);
  if (!manifest) return unknownToolProblem(rt, change.name);
  if (change.agent !== null && !Object.hasOwn(rt.config.agents, change.agent))
    return fail("agent_not_found", `There is no agent named ${JSON.stringify(change.agent.slice(0, 80))}.`);
  if (manifest.core && !change.enabled) return fail("tool_core", `${change.name} is always on.`);
  for (let tries = 0; ; tries++) {
    const loaded = await rt.settings.load(tenant);
    if (!loaded.ok) return loaded;
    const { version, settings } = loaded.value;
    if (change.if_match !== null && change.if_match !== version)
      return fail("version_mismatch", `The settings are at version ${version}, not ${change.if_match}.`, { version });
    if (isSet(settings, change)) return ok(version);
    const saved = await rt.settings.save(tenant, withSwitch(settings, change), version);
    if (saved.ok || saved.problem.code !== "settings_moved" || tries >= SAVE_ATTEMPTS_MAX) return saved;
  }
}

const switchesOf = (settings: Settings, agent: string | null): Settings["tools"] =>
  agent === null ? settings.tools : (settings.agents[agent]?.tools ?? {});

const isSet = (settings: Settings, { agent, name, enabled }: ToolSwitch): boolean =>
  switchesOf(settings, agent)[name] === enabled;

function withSwitch(settings: Settings, { agent, name, enabled }: ToolSwitch): Settings {
  const tools = { ...switchesOf(settings, agent), [name]: enabled };
  return agent === null ? { ...settings, tools } : { ...settings, agents: { ...settings.agents, [agent]: { tools } } };
}
