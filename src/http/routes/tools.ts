// Which tools there are, which of them a thread sees, why not the others, and the switches of an administrator.
import { z } from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { switchTool } from "../../threads/switch-tool.ts";
import { type ChildLimits, projectTools } from "../../tools/resolve.ts";
import { loadThread } from "../../turn/load.ts";
import { resolveThreadTools } from "../../turn/resolve-thread-tools.ts";
import { readBody } from "../edge/body.ts";
import { ifMatch } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { threadAt } from "./threads.ts";

/** A thread made by this one with nothing said about its limits. */
const DEFAULT_CHILD: ChildLimits = { allowed: null, roots: ["."], shell: false, readonly: false, blocked: {} };

export async function listTools(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const agent = c.req.query("agent") ?? rt.config.default_agent;
  if (!Object.hasOwn(rt.config.agents, agent))
    return respondProblem(
      c,
      fail("agent_not_found", `There is no agent named ${JSON.stringify(agent.slice(0, 80))}.`).problem,
    );
  return respondTools(c, { agent, tools: {} });
}

export async function listThreadTools(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const thread = await loadThread(rt, at.value);
  return thread.ok ? respondTools(c, thread.value.state) : respondProblem(c, thread.problem);
}

async function respondTools(c: Ctx, state: Pick<ThreadState, "agent" | "tools">): Promise<Response> {
  const view = readView(c);
  if (!view.ok) return respondProblem(c, view.problem);
  const resolved = await resolveThreadTools(c.get("options").rt, c.get("caller").tenant, state, view.value);
  return resolved.ok ? c.json(projectTools(resolved.value)) : respondProblem(c, resolved.problem);
}

/** `?channel=` and `?child=true` show what another way in, or a child of the thread, would see. */
function readView(c: Ctx): Result<{ channel: string; child: ChildLimits | null }> {
  const child = c.req.query("child") ?? "false";
  if (child !== "true" && child !== "false")
    return fail("request_invalid", "child: true or false.", { field: "child" });
  return ok({ channel: c.req.query("channel") ?? "http", child: child === "true" ? DEFAULT_CHILD : null });
}

const SwitchBody = z.strictObject({ enabled: z.boolean() });

export const patchTool = (c: Ctx): Promise<Response> => respondSwitch(c, null);
export const patchAgentTool = (c: Ctx): Promise<Response> => respondSwitch(c, c.req.param("id") ?? "");

async function respondSwitch(c: Ctx, agent: string | null): Promise<Response> {
  const match = ifMatch(c);
  if (!match.ok) return respondProblem(c, match.problem);
  const body = await readBody(c, SwitchBody);
  if (!body.ok) return respondProblem(c, body.problem);
  const change = { name: c.req.param("name") ?? "", agent, enabled: body.value.enabled, if_match: match.value };
  const version = await switchTool(c.get("options").rt, c.get("caller").tenant, change);
  if (!version.ok) return respondProblem(c, version.problem);
  c.header("etag", `"${version.value}"`);
  return c.json({ name: change.name, agent, enabled: change.enabled, version: version.value });
}
