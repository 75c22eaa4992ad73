// Defines a toolkit with the tools of one MCP server. They are untrusted, and a person confirms each call unless the
// configuration marks the tool as read-only.
import * as z from "zod";
import type { McpCall, McpReply, McpServer, McpTool } from "../../ports/data/mcp-server.ts";
import type { Hash } from "../../ports/hash.ts";
import { fail, type Result } from "../../schema/problem.ts";
import { createCatalog } from "../../tools/catalog.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import { outcome } from "../../tools/outcome.ts";
import type { Toolkit } from "../../tools/toolkit.ts";
import { argumentSchema, definitionsDigest, mcpManifest } from "./definition.ts";
import { answerForm, type FormState, isUsable, nextQuestion, readFormState, startForms } from "./form.ts";

export type McpToolkitOptions = {
  /** The name of the server in the configuration, after which the toolkit is named. */
  readonly name: string;
  readonly server: McpServer;
  readonly hash: Hash;
  /** The names of the tools that agents may use, by default all. */
  readonly tools?: readonly string[] | undefined;
  readonly read_only: boolean | readonly string[];
  /** The digest of the reviewed definitions. */
  readonly reviewed?: string | undefined;
  readonly timeout_ms: number;
};

export type McpToolkit = Toolkit & {
  /** The digest of the current definitions if they are not the reviewed ones. Null before the first answer. */
  readonly unreviewed: () => string | null;
  /** Asks the server for its tools and registers them. If it does not respond, the previous tools stay registered. */
  readonly refresh: () => Promise<Result<readonly Tool[]>>;
};

export function mcpToolkit(options: McpToolkitOptions): McpToolkit {
  let current: readonly Tool[] = [];
  let unreviewed: string | null = null;
  let update: ((tools: readonly Tool[]) => void) | null = null;
  const refresh = async (): Promise<Result<readonly Tool[]>> => {
    const listed = await options.server.list();
    if (!listed.ok) return listed;
    const chosen = listed.value.filter(({ name }) => options.tools?.includes(name) ?? true);
    const digest = definitionsDigest(options.hash, chosen);
    unreviewed = digest === options.reviewed || chosen.length === 0 ? null : digest;
    current = toolsOf({ ...options, unreviewed: unreviewed !== null }, chosen, async () => void (await refresh()));
    update?.(current);
    return { ok: true, value: current };
  };
  return {
    name: `mcp_${options.name}`,
    parts: [],
    offered: "on request",
    tools: () => current,
    watch: (onTools) => {
      update = onTools;
    },
    refresh,
    unreviewed: () => unreviewed,
  };
}

type ToolOptions = McpToolkitOptions & { readonly unreviewed: boolean };

/** Omits tools without a usable definition, so that one invalid tool does not hide the others. */
function toolsOf(options: ToolOptions, listed: readonly McpTool[], refresh: () => Promise<void>): readonly Tool[] {
  const catalog = createCatalog();
  const tools: Tool[] = [];
  for (const listedTool of listed) {
    const tool = toTool(options, listedTool, refresh);
    if (catalog.get(tool.manifest.name) || !catalog.register(tool.manifest).ok) continue;
    tools.push(tool);
  }
  return tools;
}

function toTool(options: ToolOptions, listed: McpTool, refresh: () => Promise<void>): Tool {
  const { read_only } = options;
  const reads = read_only === true || (read_only !== false && read_only.includes(listed.name));
  const { manifest, ...tool } = defineTool(
    {
      ...mcpManifest(listed, { ...options, server: options.name, read_only: reads }),
      input: argumentSchema(listed),
      output: z.unknown(),
      render: (output: unknown) => (typeof output === "string" ? output : (output as { text: string }).text),
    },
    (args, context) => callServer(options, listed, args as Record<string, unknown>, context),
  );
  return { ...tool, manifest: { ...manifest, input: { ...listed.input }, output: null }, output: null, refresh };
}

async function callServer(
  options: McpToolkitOptions,
  { name }: McpTool,
  args: Record<string, unknown>,
  { continued, signal, traceHeaders }: ToolContext,
) {
  const { server, timeout_ms } = options;
  const call = { tool: name, arguments: args, timeout_ms, signal };
  const meta = (): Pick<McpCall, "meta"> => {
    const headers = traceHeaders?.() ?? {};
    return Object.keys(headers).length > 0 ? { meta: headers } : {};
  };
  if (!continued) return resultOf(options, await server.call({ ...call, ...meta() }));
  const before = readFormState(continued.state);
  const answered = answerForm(before, continued.reply);
  const state = typeof answered === "string" ? before : answered;
  const question = nextQuestion(options.name, state, typeof answered === "string" ? `${answered} ` : "");
  if (question) return outcome("The answer is not complete.", { question });
  return resultOf(options, await server.call({ ...call, ...answersOf(state), ...meta() }));
}

const answersOf = ({ answers, request_state }: FormState) => ({
  answers,
  ...(request_state === null ? {} : { request_state }),
});

function resultOf({ name }: McpToolkitOptions, reply: Result<McpReply>) {
  if (!reply.ok) return reply;
  const { value } = reply;
  if (value.kind === "asks") {
    const usable = Object.values(value.forms).every(isUsable);
    const question = usable ? nextQuestion(name, startForms(value.forms, value.request_state)) : null;
    if (!question) return fail("tool_refused", `The MCP server ${name} asks for something that cannot be answered.`);
    return outcome("The server asks for something before it goes on.", { question });
  }
  // The server's message about a failure is as untrusted as its results.
  if (value.is_error) return outcome(fail("tool_refused", value.text), { output_trust: "untrusted" });
  return value.data === null ? value.text : { text: value.text, data: value.data };
}
