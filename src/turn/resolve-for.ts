// The tools of one thread at this moment: catalog, settings of the tenant, agent, overrides of the thread, channel.
import type { TenantId } from "../schema/ids.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { ThreadState } from "../schema/thread.ts";
import { type ChildLimits, type Resolved, resolveTools } from "../tools/resolve.ts";
import type { Runtime } from "./runtime.ts";

export async function resolveFor(
  rt: Runtime,
  tenant: TenantId,
  state: Pick<ThreadState, "agent" | "tools">,
  seen: { readonly channel?: string | null; readonly child?: ChildLimits | null } = {},
): Promise<Result<Resolved>> {
  const settings = await rt.settings.load(tenant);
  if (!settings.ok) return settings;
  await rt.faults.at("settings.after");
  return ok(
    resolveTools({
      manifests: rt.toolbox.manifests(),
      settings: settings.value.settings,
      agent: state.agent,
      agent_tools: rt.config.agents[state.agent]?.tools ?? null,
      overrides: state.tools,
      parts: rt.config.parts ?? [],
      ...seen,
    }),
  );
}
