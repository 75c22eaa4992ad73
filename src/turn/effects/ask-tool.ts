// Asks a tool that supports it whether an effect happened. The timeout is that of the call itself.
import type { ActiveCall } from "../../schema/thread.ts";
import { checkValue } from "../../tools/declared/check-value.ts";
import type { ReconcileAnswer, Tool } from "../../tools/define-tool.ts";
import { filterText } from "../../tools/hooks.ts";
import { hooksFor } from "../act/prepare-call.ts";
import { type CallResult, callResult } from "../act/receipts.ts";
import { recordProgress } from "../act/record-progress.ts";
import { toolContext } from "../act/run-handler.ts";
import { createThreadFiles } from "../act/thread-files.ts";
import { threadMetadata } from "../act/thread-metadata.ts";
import type { TurnContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";

type Answer = ReconcileAnswer<unknown>;

/** Returns null if the tool does not know. */
export async function askTool(
  ctx: TurnContext,
  acting: ActiveCall,
  args: Record<string, unknown>,
): Promise<Answer | null> {
  const { rt, request, thread } = ctx;
  const tool = rt.toolbox.tool(acting.call.name, request.at);
  const key = acting.intended.effect_id;
  if (!tool?.reconcile || !key) return null;
  try {
    const input = await checkValue(tool.input, args);
    if (!input.success) return null;
    const { name } = acting.call;
    const operation = recordProgress(rt, request, thread.state.turn, name);
    const own = createThreadFiles(rt, request.at, thread.state.files_blob);
    const metadata = await threadMetadata(ctx);
    if (!metadata.ok) return null;
    const parts = { name, hooks: hooksFor(rt, tool), operation, own, metadata: metadata.value };
    const context = { ...toolContext(ctx, thread.state, key, parts), signal: new AbortController().signal };
    const timer = new AbortController();
    const late = rt.clock.sleep(tool.manifest.timeout_ms, timer.signal).then(() => null);
    return await Promise.race([tool.reconcile(input.data, key, context), late]).finally(() => timer.abort());
  } catch {
    // An exception means that the tool does not know.
    return null;
  }
}

export function happenedResult(rt: Runtime, tool: Tool | null, { output, output_trust }: Answer): CallResult {
  if (!tool || output === undefined) return callResult(rt, true, "The tool says it happened.");
  const result = callResult(rt, true, filterText(hooksFor(rt, tool), tool.manifest.name, tool.render(output)));
  return { ...result, run: { ...result.run, output_trust: output_trust ?? null } };
}

export const notHappenedResult = (rt: Runtime): CallResult =>
  callResult(rt, false, "The tool says it did not happen. Nothing was repeated.");
