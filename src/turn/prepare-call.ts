// From a name and arguments to a call that can be judged: resolve, check, pre-hooks, check again. Runs nothing.
import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import type { Tool } from "../tools/define-tool.ts";
import { runPreHooks, runSkipHooks } from "../tools/hooks.ts";
import type { Resolved } from "../tools/resolve.ts";
import { argumentsDigest } from "./digest.ts";
import type { PreparedCall } from "./ruling.ts";
import type { Runtime, TurnCall } from "./runtime.ts";

const NEAREST_MAX = 3;

export async function prepareCall(
  rt: Runtime,
  call: TurnCall,
  tools: Resolved,
  name: string,
  args: Record<string, unknown>,
): Promise<PreparedCall> {
  const manifest = tools.tools.find((offered) => offered.name === name) ?? null;
  const tool = rt.toolbox.tool(name, call.at);
  const written = argumentsDigest(rt.hash, { tool: name, arguments: args });
  const base: PreparedCall = {
    name,
    manifest,
    disabled: manifest ? null : (tools.disabled[name] ?? null),
    nearest: manifest ? [] : nearestNames(name, tools),
    arguments: args,
    arguments_digest: written,
    proposed_digest: null,
    refusal: null,
    asks: [],
  };
  if (!manifest || !tool) return base;
  const flaw = argumentFlaw(tool, args);
  if (flaw) return { ...base, refusal: { code: "arguments_invalid", text: flaw } };
  return withHooks(rt, call, base, tool);
}

async function withHooks(rt: Runtime, call: TurnCall, base: PreparedCall, tool: Tool): Promise<PreparedCall> {
  const hooked = {
    tenant: call.at.tenant,
    thread: call.at.thread,
    tool_name: base.name,
    manifest: tool.manifest,
    arguments: base.arguments,
  };
  const pre = await runPreHooks(rt.hooks, hooked);
  await rt.faults.at("hooks.after");
  if (pre.denied !== null) {
    await runSkipHooks(rt.hooks, hooked, pre.denied);
    return { ...base, refusal: { code: "tool_denied", text: pre.denied } };
  }
  if (!pre.modified) return { ...base, asks: pre.asks };
  const flaw = argumentFlaw(tool, pre.arguments);
  const refusal = flaw ? { code: "arguments_invalid" as const, text: `After a hook changed them: ${flaw}` } : null;
  const digest = argumentsDigest(rt.hash, { tool: base.name, arguments: pre.arguments });
  return {
    ...base,
    arguments: pre.arguments,
    arguments_digest: digest,
    proposed_digest: base.arguments_digest,
    refusal,
    asks: pre.asks,
  };
}

/** What does not fit, with the field's name, or null. */
export function argumentFlaw(tool: Tool, args: Record<string, unknown>): string | null {
  const checked = tool.input.safeParse(args);
  if (checked.success) return null;
  const issues = checked.error.issues.slice(0, 3).map(issueText);
  return `Invalid arguments for ${tool.manifest.name}: ${issues.join("; ")}.`;
}

const issueText = (issue: z.core.$ZodIssue): string => `${issue.path.join(".") || "arguments"}: ${issue.message}`;

function nearestNames(name: string, tools: Resolved): readonly string[] {
  return tools.tools
    .map((tool) => ({ name: tool.name, far: distance(tool.name, name.slice(0, 80)) }))
    .filter(({ far, name: near }) => far <= Math.max(2, Math.floor(near.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, NEAREST_MAX)
    .map((near) => near.name);
}
