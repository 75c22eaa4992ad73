// Resolves the tools of one thread: catalog, tenant settings, agent, thread overrides, channel.
import type { TenantId } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { Settings } from "../schema/settings.ts";
import type { ThreadState } from "../schema/thread.ts";
import { type ChildLimits, type ResolvedTools, resolveTools } from "../tools/resolve.ts";
import type { TurnContext } from "./context.ts";
import { loadSettings } from "./load-settings.ts";
import type { Runtime } from "./runtime.ts";

type ResolveOptions = {
  readonly channel?: string | null;
  readonly child?: ChildLimits | null;
  /** Settings that the turn has already loaded. */
  readonly settings?: Settings | undefined;
};

/** What a thread's tools depend on. */
export type ToolSelection = Pick<ThreadState, "agent" | "tools" | "toolkits">;

export async function resolveThreadTools(
  rt: Runtime,
  tenant: TenantId,
  state: ToolSelection,
  { settings: loaded, ...options }: ResolveOptions = {},
): Promise<Result<ResolvedTools>> {
  const settings = loaded ? ok(loaded) : await loadSettings(rt, tenant);
  if (!settings.ok) return settings;
  const agent = Object.hasOwn(rt.config.agents, state.agent) ? rt.config.agents[state.agent] : undefined;
  const onRequest = rt.toolbox.toolkits().filter(({ offered }) => offered === "on request");
  return ok(
    resolveTools({
      manifests: rt.toolbox.manifests(),
      settings: settings.value,
      agent: state.agent,
      agent_tools: agent?.tools ?? null,
      agent_toolkits: agent?.toolkits === "all" ? null : (agent?.toolkits ?? []),
      thread_toolkits: state.toolkits ?? rt.config.first_release_toolkits ?? null,
      on_request: new Set(onRequest.map(({ name }) => name)),
      overrides: state.tools,
      parts: rt.config.parts ?? [],
      ...options,
    }),
  );
}

/** The tools that a turn may use, based on the settings it started with and the channel of the request. */
export const resolveForTurn = ({ rt, request, thread, settings }: TurnContext): Promise<Result<ResolvedTools>> =>
  resolveThreadTools(rt, request.at.tenant, thread.state, { channel: request.options?.channel ?? "http", settings });
