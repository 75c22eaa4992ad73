// Lists tools, says why others are unavailable, and lets an administrator change the settings of a tool.
import * as z from "zod";
import type { ThreadId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { changeTool } from "../../threads/change-tool.ts";
import { type ChildLimits, projectTools } from "../../tools/resolve.ts";
import type { QueryParameter } from "../../tools/route.ts";
import { loadThread } from "../../turn/load.ts";
import { resolveThreadTools, type ToolSelection } from "../../turn/resolve-thread-tools.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadBody, type ReadMatch, type ReadThread, type Route, route } from "../route.ts";

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

/** The limits that `child=true` assumes for a child thread. */
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
  route(["patch", "/v1/tools/:name", "admin"], (c, read) => respondChange(c, null, read), {
    id: "switchTool",
    summary: "Switch a tool on or off for all agents, or replace its prompt hint",
    description: "Omitted fields are unchanged. The next turn uses the new settings.",
    body: PatchToolBody,
    example: { enabled: false },
    headers: ["If-Match"],
    responses: changed,
    problems: changeProblems,
  }),
  route(
    ["patch", "/v1/agents/:id/tools/:name", "admin"],
    (c, read) => respondChange(c, c.req.param("id") ?? "", read),
    {
      id: "switchAgentTool",
      summary: "Switch a tool on or off for one agent",
      body: PatchAgentToolBody,
      example: { enabled: false },
      headers: ["If-Match"],
      responses: changed,
      problems: [...changeProblems, "agent_not_found"],
    },
  ),
];

async function listTools(c: Ctx): Promise<Answer> {
  const { rt } = c.get("options");
  const agent = c.req.query("agent") ?? rt.config.default_agent;
  if (Object.hasOwn(rt.config.agents, agent)) return respondTools(c, { agent, tools: {}, toolkits: [] });
  return fail("agent_not_found", `There is no agent named ${JSON.stringify(agent.slice(0, 80))}.`);
}

async function listThreadTools(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const thread = await loadThread(c.get("options").rt, at);
  return thread.ok ? respondTools(c, thread.value.state, at.thread) : thread;
}

async function respondTools(c: Ctx, state: ToolSelection, thread?: ThreadId): Promise<Answer> {
  const view = readView(c);
  if (!view.ok) return view;
  const options = { ...view.value, thread };
  const resolved = await resolveThreadTools(c.get("options").rt, c.get("caller").tenant, state, options);
  return resolved.ok ? respondJson(c, projectTools(resolved.value)) : resolved;
}

function readView(c: Ctx): Result<{ channel: string; child: ChildLimits | null }> {
  const child = c.req.query("child") ?? "false";
  if (child !== "true" && child !== "false")
    return fail("request_invalid", "child: must be true or false.", { field: "child" });
  return ok({ channel: c.req.query("channel") ?? "http", child: child === "true" ? DEFAULT_CHILD : null });
}

async function respondChange(
  c: Ctx,
  agent: string | null,
  { if_match, body }: ReadMatch & ReadBody<typeof PatchToolBody>,
): Promise<Answer> {
  const name = c.req.param("name") ?? "";
  const change = { ...body, name, agent, if_match };
  const saved = await changeTool(c.get("options").rt, c.get("caller").tenant, change);
  if (!saved.ok) return saved;
  const { enabled, prompt_hint, version } = saved.value;
  return respondJson(c, { name, agent, enabled, prompt_hint, version }, 200, { etag: `"${version}"` });
}
