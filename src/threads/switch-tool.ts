// Switching a tool on or off, for everybody or for one agent. The next turn sees it; a turn at work does not.
import type { TenantId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";
import type { Runtime } from "../turn/runtime.ts";
import { unknownTool } from "./unknown-tool.ts";

/** Another administrator's switch is not undone: it is loaded, and this one is put on top. */
const SAVE_TRIES = 10;

export type ToolSwitch = {
  readonly name: string;
  /** null: for everybody. */
  readonly agent: string | null;
  readonly enabled: boolean;
  /** The version of the settings that the caller has seen; null: whatever it is. */
  readonly if_match: number | null;
};

export async function switchTool(rt: Runtime, tenant: TenantId, wish: ToolSwitch): Promise<Result<number>> {
  const manifest = rt.toolbox.catalog.get(wish.name);
  if (!manifest) return unknownTool(rt, wish.name);
  if (wish.agent !== null && !Object.hasOwn(rt.config.agents, wish.agent))
    return fail("agent_not_found", `There is no agent named ${JSON.stringify(wish.agent.slice(0, 80))}.`);
  if (manifest.core && !wish.enabled) return fail("tool_core", `${wish.name} is always on.`);
  for (let tries = 0; ; tries++) {
    const loaded = await rt.settings.load(tenant);
    if (!loaded.ok) return loaded;
    const { version, settings } = loaded.value;
    if (wish.if_match !== null && wish.if_match !== version)
      return fail("version_mismatch", `The settings are at version ${version}, not ${wish.if_match}.`, { version });
    if (isSet(settings, wish)) return ok(version);
    const saved = await rt.settings.save(tenant, withSwitch(settings, wish), version);
    if (saved.ok || saved.problem.code !== "settings_moved" || tries >= SAVE_TRIES) return saved;
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
