// Asks a tool that supports it whether an effect happened. The timeout is that of the call itself.
import type { ActiveCall } from "../../schema/thread.ts";
import type { ReconcileAnswer, Tool } from "../../tools/define-tool.ts";
import { filterText } from "../../tools/hooks.ts";
import { consultTool } from "../act/consult-tool.ts";
import { hooksFor } from "../act/prepare-call.ts";
import { type CallResult, callResult } from "../act/receipts.ts";
import type { TurnContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";

type Answer = ReconcileAnswer<unknown>;

/** Null if the tool does not know, or throws. */
export async function askTool(
  ctx: TurnContext,
  acting: ActiveCall,
  args: Record<string, unknown>,
): Promise<Answer | null> {
  const tool = ctx.rt.toolbox.tool(acting.call.name, ctx.request.at);
  const effect_id = acting.intended.effect_id;
  const ask = tool?.reconcile;
  if (!tool || !ask || !effect_id) return null;
  const { timeout_ms } = tool.manifest;
  return consultTool(ctx, { tool, args, effect_id, timeout_ms }, (input, context) => ask(input, effect_id, context));
}

export function happenedResult(rt: Runtime, tool: Tool | null, { output, output_trust }: Answer): CallResult {
  if (!tool || output === undefined) return callResult(rt, true, "The tool says it happened.");
  const result = callResult(rt, true, filterText(hooksFor(rt, tool), tool.manifest.name, tool.render(output)));
  return { ...result, run: { ...result.run, output_trust: output_trust ?? null } };
}

export const notHappenedResult = (rt: Runtime): CallResult =>
  callResult(rt, false, "The tool says it did not happen. Nothing was repeated.");
