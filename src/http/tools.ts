// Which tools there are, which of them a thread sees, and why not the others.
import { loadThread } from "../turn/load.ts";
import { resolveFor } from "../turn/resolve-for.ts";
import type { Ctx } from "./env.ts";
import { respondProblem } from "./respond.ts";
import { threadAt } from "./threads.ts";

export async function listTools(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const resolved = await resolveFor(rt, c.get("caller").tenant, { agent: rt.config.default_agent, tools: {} });
  return resolved.ok ? c.json(projection(resolved.value)) : respondProblem(c, resolved.problem);
}

export async function listThreadTools(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const thread = await loadThread(rt, at.value);
  if (!thread.ok) return respondProblem(c, thread.problem);
  const resolved = await resolveFor(rt, at.value.tenant, thread.value.state);
  return resolved.ok ? c.json(projection(resolved.value)) : respondProblem(c, resolved.problem);
}

type Resolved = Extract<Awaited<ReturnType<typeof resolveFor>>, { ok: true }>["value"];

const projection = ({ tools, disabled }: Resolved) => ({
  toolNames: tools.map((tool) => tool.name),
  toolPromptHints: Object.fromEntries(
    tools.flatMap((tool) => (tool.prompt_hint ? [[tool.name, tool.prompt_hint]] : [])),
  ),
  toolManifest: tools,
  toolRuntimeRoutes: Object.fromEntries(tools.map((tool) => [tool.name, tool.route])),
  disabledReasons: disabled,
});
