// Turns a tool name and arguments into a call that can be judged: resolves, validates, runs pre-hooks and validates again. Never runs the handler.
import type { z } from "zod";
import type { StoredCall } from "../../schema/gate.ts";
import type { Manifest } from "../../schema/manifest.ts";
import { checkValue } from "../../tools/declared/check-value.ts";
import type { Tool } from "../../tools/define-tool.ts";
import { filterText, type Hook, type HookCall, runPreHooks, runSkipHooks } from "../../tools/hooks.ts";
import { nearestNames } from "../../tools/nearest-names.ts";
import type { ResolvedTools } from "../../tools/resolve.ts";
import { argumentsDigest } from "../gates/digest.ts";
import type { PreparedCall } from "../judge/ruling.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";
import { escalationRefusal } from "./escalation-rules.ts";
import { loadArguments } from "./stored-call.ts";

type PrepareContext = { readonly rt: Runtime; readonly request: Pick<TurnRequest, "at"> };

export async function prepareCall(
  ctx: PrepareContext,
  tools: ResolvedTools,
  called: string,
  args: Record<string, unknown>,
): Promise<PreparedCall> {
  const { rt } = ctx;
  const manifest = manifestNamed(tools, called);
  const name = manifest?.name ?? called;
  const tool = findTool(ctx, tools, name);
  const digest = argumentsDigest(rt.hash, { tool: name, arguments: args });
  const base: PreparedCall = {
    name,
    manifest,
    disabled: manifest ? null : (tools.disabled[name] ?? null),
    nearest: manifest
      ? []
      : nearestNames(
          name,
          tools.tools.map((offered) => offered.name),
        ),
    arguments: args,
    arguments_digest: digest,
    proposed_digest: null,
    refusal: null,
    access: null,
    finishes_step: false,
    asks: [],
  };
  if (!manifest || !tool) return base;
  const invalid = await validateArguments(tool, args);
  if (invalid) return refuseCall(ctx, base, tool, { code: "arguments_invalid", text: invalid });
  const handOver = escalationRefusal(tools.escalation ?? [], manifest, args);
  if (handOver) return refuseCall(ctx, base, tool, { code: "tool_denied", text: handOver });
  const prepared = await applyPreHooks(ctx, base, tool);
  return prepared.refusal ? prepared : { ...prepared, ...(await factsOf(ctx, tool, prepared.arguments)) };
}

const manifestNamed = ({ tools }: ResolvedTools, name: string): Manifest | null =>
  tools.find((offered) => offered.name === name) ?? tools.find((offered) => offered.also_named?.includes(name)) ?? null;

/** Finds a tool of the host, or one that the caller declared. */
export const findTool = ({ rt, request }: PrepareContext, tools: ResolvedTools, name: string): Tool | null =>
  rt.toolbox.tool(name, request.at) ?? tools.declared?.get(name) ?? null;

/** What the tool itself reports about a call with its final arguments. If it throws, the access is unknown, which is stricter than none. */
async function factsOf(
  { rt }: PrepareContext,
  tool: Tool,
  args: Record<string, unknown>,
): Promise<Pick<PreparedCall, "access" | "changes" | "command" | "taint_allowed">> {
  const unknown = { access: tool.access ? ("unknown" as const) : null };
  if (!tool.access && !tool.changes && !tool.command && !tool.labels)
    return { access: null, changes: null, command: null, taint_allowed: false };
  const input = await checkValue(tool.input, args);
  if (!input.success) return unknown;
  try {
    const access = (await tool.access?.(input.data)) ?? null;
    const changes = (await tool.changes?.(input.data)) ?? null;
    const command = (await tool.command?.(input.data)) ?? null;
    const labels = rt.config.taint_allow?.length ? ((await tool.labels?.(input.data)) ?? []) : [];
    const allowed = labels.some((label) => rt.config.taint_allow?.includes(`${tool.manifest.name}:${label}`));
    return { access, changes, command, taint_allowed: allowed };
  } catch {
    return unknown;
  }
}

type CallIdentity = Pick<PreparedCall, "name" | "arguments" | "arguments_digest" | "proposed_digest">;

const toHookCall = ({ request }: PrepareContext, base: CallIdentity, tool: Tool): HookCall => ({
  ...request.at,
  tool_name: base.name,
  manifest: tool.manifest,
  arguments: base.arguments,
  arguments_digest: base.arguments_digest,
  proposed_digest: base.proposed_digest,
});

export async function refuseCall(
  ctx: PrepareContext,
  base: PreparedCall,
  tool: Tool,
  refusal: NonNullable<PreparedCall["refusal"]>,
): Promise<PreparedCall> {
  const { rt } = ctx;
  const hooks = hooksFor(rt, tool);
  const text = filterText(hooks, base.name, refusal.text);
  await runSkipHooks(hooks, toHookCall(ctx, base, tool), text, rt.clock);
  return { ...base, refusal: { ...refusal, text } };
}

async function applyPreHooks(ctx: PrepareContext, base: PreparedCall, tool: Tool): Promise<PreparedCall> {
  const { rt } = ctx;
  const hooks = hooksFor(rt, tool);
  const pre = hooks.length === 0 ? null : await runPreHooks(hooks, toHookCall(ctx, base, tool), rt.clock);
  await rt.faults.at("hooks.after");
  if (!pre) return base;
  if (pre.denied !== null) return refuseCall(ctx, base, tool, { code: "tool_denied", text: pre.denied });
  if (!pre.modified) return { ...base, asks: pre.asks };
  const changed: PreparedCall = {
    ...base,
    arguments: pre.arguments,
    arguments_digest: argumentsDigest(rt.hash, { tool: base.name, arguments: pre.arguments }),
    proposed_digest: base.arguments_digest,
    asks: pre.asks,
  };
  const invalid = await validateArguments(tool, pre.arguments);
  if (!invalid) return changed;
  return refuseCall(ctx, changed, tool, { code: "arguments_invalid", text: `After a hook changed them: ${invalid}` });
}

/** Notifies the hooks that a call that waited for approval will not run. */
export async function notifySkipped(ctx: PrepareContext, stored: StoredCall, reason: string): Promise<void> {
  const { rt, request } = ctx;
  const tool = rt.toolbox.tool(stored.name, request.at);
  const args = await loadArguments(rt, request.at, stored);
  if (!tool || !args.ok) return;
  const { arguments_digest, proposed_digest } = stored;
  const base = { name: stored.name, arguments: args.value, arguments_digest, proposed_digest };
  await runSkipHooks(hooksFor(rt, tool), toHookCall(ctx, base, tool), reason, rt.clock);
}

export const hooksFor = (rt: Pick<Runtime, "hooks">, tool: Tool): readonly Hook[] => [...rt.hooks, ...tool.hooks];

export async function validateArguments(tool: Tool, args: Record<string, unknown>): Promise<string | null> {
  const checked = await checkValue(tool.input, args);
  if (checked.success) return null;
  const issues = checked.error.issues.slice(0, 3).map(formatIssue);
  return `Invalid arguments for ${tool.manifest.name}: ${issues.join("; ")}.`;
}

const formatIssue = (issue: z.core.$ZodIssue): string => `${issue.path.join(".") || "arguments"}: ${issue.message}`;
