// Routes that list the tools of an agent or a thread, say why others are missing, and change an administrator's
// settings.
import * as z from "zod";
import type { ThreadId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { changeTool } from "../../threads/change-tool.ts";
import { type ChildLimits, projectTools } from "../../tools/resolve.ts";
import type { QueryParameter } from "../../tools/route.ts";
import { loadThread } from "../../turn/load.ts";
import { resolveThreadTools, type ToolSelection } from "../../turn/resolve-thread-tools.ts";
import { readBody } from "../edge/body.ts";
import { ifMatch } from "../edge/headers.ts";
import { threadAt } from "../edge/params.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { type Route, route } from "../route.ts";

const PROMPT_HINT_CHARS_MAX = 400;

const PatchToolBody = z
  .strictObject({
    enabled: z.boolean().optional(),
    prompt_hint: z
      .string()
      .trim()
      .min(1)
      .max(PROMPT_HINT_CHARS_MAX)
      .nullable()
      .optional()
      .describe("Replaces the hint of the manifest in the prompt; null restores it."),
  })
  .refine(({ enabled, prompt_hint }) => enabled !== undefined || prompt_hint !== undefined, {
    path: ["enabled"],
    message: "set enabled, prompt_hint or both",
  });
const PatchAgentToolBody = z.strictObject({ enabled: z.boolean() });

/** The default limits of a child thread. */
const DEFAULT_CHILD: ChildLimits = { allowed: null, roots: ["."], shell: false, readonly: false, depth: 1 };

const viewQuery: Readonly<Record<string, QueryParameter>> = {
  channel: { schema: z.string().optional(), description: "Show the tools for another channel." },
  child: { schema: z.enum(["true", "false"]).optional(), description: "Show the tools of a child thread." },
};
const changed = {
  200: { description: "The settings of the tool after the change.", schema: "ToolSwitchBody", headers: ["ETag"] },
} as const;
const changeProblems = ["tool_unknown", "tool_core", "settings_moved", "version_mismatch"] as const;

export const toolRoutes: readonly Route[] = [
  route(["get", "/v1/threads/:id/tools", "read"], listThreadTools, {
    id: "listThreadTools",
    summary: "List the tools that a thread gets, and the reasons why not the others",
    query: viewQuery,
    responses: { 200: { description: "The tools.", schema: "ToolList" } },
    problems: ["thread_not_found", "request_invalid"],
  }),
  route(["get", "/v1/tools", "read"], listTools, {
    id: "listTools",
    summary: "List the tools of an agent",
    query: { agent: { schema: z.string().optional(), description: "The default agent by default." }, ...viewQuery },
    responses: { 200: { description: "The tools.", schema: "ToolList" } },
    problems: ["agent_not_found", "request_invalid"],
  }),
  route(["patch", "/v1/tools/:name", "admin"], (c) => patchTool(c), {
    id: "switchTool",
    summary: "Switch a tool on or off for all agents, or replace its prompt hint",
    description: "Omitted fields are unchanged. The next turn uses the new settings.",
    body: PatchToolBody,
    example: { enabled: false },
    headers: ["If-Match"],
    responses: changed,
    problems: changeProblems,
  }),
  route(["patch", "/v1/agents/:id/tools/:name", "admin"], (c) => patchAgentTool(c), {
    id: "switchAgentTool",
    summary: "Switch a tool on or off for one agent",
    body: PatchAgentToolBody,
    example: { enabled: false },
    headers: ["If-Match"],
    responses: changed,
    problems: [...changeProblems, "agent_not_found"],
  }),
];

async function listTools(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const agent = c.req.query("agent") ?? rt.config.default_agent;
  if (Object.hasOwn(rt.config.agents, agent)) return respondTools(c, { agent, tools: {}, toolkits: [] });
  const unknown = fail("agent_not_found", `There is no agent named ${JSON.stringify(agent.slice(0, 80))}.`);
  return respondProblem(c, unknown.problem);
}

async function listThreadTools(c: Ctx): Promise<Response> {
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const thread = await loadThread(c.get("options").rt, at.value);
  return thread.ok ? respondTools(c, thread.value.state, at.value.thread) : respondProblem(c, thread.problem);
}

async function respondTools(c: Ctx, state: ToolSelection, thread?: ThreadId): Promise<Response> {
  const view = readView(c);
  if (!view.ok) return respondProblem(c, view.problem);
  const options = { ...view.value, thread };
  const resolved = await resolveThreadTools(c.get("options").rt, c.get("caller").tenant, state, options);
  return resolved.ok ? c.json(projectTools(resolved.value)) : respondProblem(c, resolved.problem);
}

function readView(c: Ctx): Result<{ channel: string; child: ChildLimits | null }> {
  const child = c.req.query("child") ?? "false";
  if (child !== "true" && child !== "false")
    return fail("request_invalid", "child: true or false.", { field: "child" });
  return ok({ channel: c.req.query("channel") ?? "http", child: child === "true" ? DEFAULT_CHILD : null });
}

const patchTool = (c: Ctx): Promise<Response> => respondChange(c, null, PatchToolBody);
const patchAgentTool = (c: Ctx): Promise<Response> => respondChange(c, c.req.param("id") ?? "", PatchAgentToolBody);

async function respondChange(
  c: Ctx,
  agent: string | null,
  schema: typeof PatchToolBody | typeof PatchAgentToolBody,
): Promise<Response> {
  const match = ifMatch(c);
  if (!match.ok) return respondProblem(c, match.problem);
  const body = await readBody<z.ZodType<z.infer<typeof PatchToolBody>>>(c, schema);
  if (!body.ok) return respondProblem(c, body.problem);
  const name = c.req.param("name") ?? "";
  const change = { ...body.value, name, agent, if_match: match.value };
  const saved = await changeTool(c.get("options").rt, c.get("caller").tenant, change);
  if (!saved.ok) return respondProblem(c, saved.problem);
  const { enabled, prompt_hint, version } = saved.value;
  c.header("etag", `"${version}"`);
  return c.json({ name, agent, enabled, prompt_hint, version });
}
