// Asks a tool whether a prepared call is bound to fail and what it would change. The model then gets a refusal before a person is asked. A tool that
// throws or takes too long has no objection and no preview.
import { isFailed } from "../../schema/problem.ts";
import type { OutputTrust } from "../../schema/receipt.ts";
import type { Tool, ToolContext } from "../../tools/define-tool.ts";
import { filterText, HOOK_MS_MAX } from "../../tools/hooks.ts";
import { isOutcome } from "../../tools/outcome.ts";
import { escapeHidden } from "../../tools/redaction/escape-hidden.ts";
import { truncateBytes } from "../../tools/truncate-text.ts";
import type { TurnContext } from "../context.ts";
import type { PreparedCall } from "../judge/ruling.ts";
import { consultTool } from "./consult-tool.ts";
import { hooksFor, refuseCall } from "./prepare-call.ts";

/** Size limit of a preview, because a gate is part of the state, and the state is limited in size. */
const PREVIEW_BYTES = 2_048;

export async function withToolCheck(ctx: TurnContext, call: PreparedCall): Promise<PreparedCall> {
  const tool = ctx.rt.toolbox.tool(call.name, ctx.request.at);
  if (!tool?.check || !call.manifest || call.refusal) return call;
  const objection = objectionOf(await askBeforehand(ctx, tool, call.arguments, tool.check));
  if (!objection) return call;
  const { text, output_trust } = objection;
  return refuseCall(ctx, call, tool, { code: "tool_refused", text, output_trust });
}

export async function previewCall(ctx: TurnContext, call: PreparedCall): Promise<string | null> {
  const tool = ctx.rt.toolbox.tool(call.name, ctx.request.at);
  if (!tool?.preview) return null;
  const text = await askBeforehand(ctx, tool, call.arguments, tool.preview);
  if (typeof text !== "string") return null;
  const filtered = filterText(hooksFor(ctx.rt, tool), call.name, text);
  return escapeHidden(truncateBytes(filtered, PREVIEW_BYTES));
}

/** If `output_trust` is null, the value from the manifest applies. */
type Objection = { readonly text: string; readonly output_trust: OutputTrust | null };

type Ask = (input: unknown, context: ToolContext) => unknown;

const askBeforehand = (ctx: TurnContext, tool: Tool, args: Record<string, unknown>, ask: Ask): Promise<unknown> =>
  consultTool(ctx, { tool, args, effect_id: null, timeout_ms: HOOK_MS_MAX }, (input, context) =>
    ask(input, { ...context, progress: () => {} }),
  );

function objectionOf(answer: unknown): Objection | null {
  const { value, trust } = isOutcome(answer)
    ? { value: answer.value, trust: answer.more.output_trust ?? null }
    : { value: answer, trust: null };
  // A temporary problem is no objection, because it may be over when the call runs.
  if (!isFailed(value) || value.problem.retry === "same-request" || value.problem.retry === "later") return null;
  return { text: value.problem.message, output_trust: trust === "untrusted" ? "untrusted" : null };
}
