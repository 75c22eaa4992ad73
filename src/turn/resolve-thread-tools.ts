// Resolves the tools of one thread from the catalog, the tenant's settings, the agent, the thread's overrides and the channel.
import type { TenantId, ThreadId, ThreadRef } from "../schema/ids.ts";
import type { Manifest } from "../schema/manifest.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { ClientTools } from "../schema/protocols/client-tool.ts";
import type { Settings } from "../schema/settings.ts";
import type { ThreadState } from "../schema/thread.ts";
import type { Tool } from "../tools/define-tool.ts";
import { type ChildLimits, knownTools, type ResolvedTools, resolveTools } from "../tools/resolve.ts";
import { loadClientTools } from "./client-tools.ts";
import type { TurnContext } from "./context.ts";
import { loadSettings } from "./load-settings.ts";
import type { Runtime } from "./runtime.ts";

type ResolveOptions = {
  readonly channel?: string | null;
  /** If set, resolves the tools as for a child with these limits. If the thread is a child already, its own limits apply instead. */
  readonly child?: ChildLimits | null;
  /** Settings that the turn has already loaded. */
  readonly settings?: Settings | undefined;
  /** If set, the tools that the client declared for this thread are offered, too. */
  readonly thread?: ThreadId | undefined;
  /** The tools that the request declares. Default: those of the thread. */
  readonly client_tools?: ClientTools | undefined;
};

/** The part of the state that the tools of a thread depend on. */
export type ToolSelection = Pick<ThreadState, "agent" | "tools" | "toolkits" | "client_tools_blob" | "child">;

export async function resolveThreadTools(
  rt: Runtime,
  tenant: TenantId,
  state: ToolSelection,
  { settings: loaded, thread, client_tools, ...options }: ResolveOptions = {},
): Promise<Result<ResolvedTools>> {
  const settings = loaded ? ok(loaded) : await loadSettings(rt, tenant);
  if (!settings.ok) return settings;
  const declared = thread ? await loadClientTools(rt, { tenant, thread }, state, client_tools) : ok([]);
  if (!declared.ok) return declared;
  const resolve = (): ResolvedTools => resolveFor(rt, settings.value, state, { ...options, declared: declared.value });
  if (!rt.cache) return ok(resolve());
  const { agents, parts, first_release_toolkits } = rt.config;
  const config = [agents, parts, first_release_toolkits];
  const sources = { config, manifests: rt.toolbox.manifests(), declared: declared.value };
  const selection = [state.agent, state.tools, state.toolkits, state.child, options.channel, options.child];
  return ok(rt.cache.resolved_tools.get(settings.value, sources, selection, resolve));
}

function resolveFor(
  rt: Runtime,
  settings: Settings,
  state: ToolSelection,
  options: Pick<ResolveOptions, "channel" | "child"> & { readonly declared: readonly Tool[] },
): ResolvedTools {
  const agent = Object.hasOwn(rt.config.agents, state.agent) ? rt.config.agents[state.agent] : undefined;
  const onRequest = rt.toolbox.toolkits().filter(({ offered }) => offered === "on request");
  const { escalation } = agent ?? {};
  return {
    ...(escalation && { escalation }),
    ...resolveTools({
      manifests: rt.toolbox.manifests(),
      settings,
      agent: state.agent,
      agent_tools: agent?.tools ?? null,
      agent_toolkits: agent?.toolkits === "all" ? null : (agent?.toolkits ?? []),
      thread_toolkits: state.toolkits ?? rt.config.first_release_toolkits ?? null,
      on_request: new Set(onRequest.map(({ name }) => name)),
      overrides: state.tools,
      parts: rt.config.parts ?? [],
      ...options,
      child: state.child ?? options.child ?? null,
    }),
  };
}

/** Loads all tools that the thread may have called so far, including those that are not offered now. */
export async function loadKnownTools(
  rt: Pick<Runtime, "hash" | "store" | "toolbox">,
  at: ThreadRef,
  state: ToolSelection,
): Promise<Result<readonly Manifest[]>> {
  const declared = await loadClientTools(rt, at, state);
  return declared.ok ? ok(knownTools(rt.toolbox.manifests(), declared.value)) : declared;
}

export const resolveForTurn = ({ rt, request, thread, settings }: TurnContext): Promise<Result<ResolvedTools>> =>
  resolveThreadTools(rt, request.at.tenant, thread.state, {
    thread: request.at.thread,
    channel: request.options?.channel ?? "http",
    client_tools: request.options?.client_tools,
    settings,
  });
