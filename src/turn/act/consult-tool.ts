// Asks a tool about a call without running it: whether the call is bound to fail, what it would change, or whether its effect happened.
import { checkValue } from "../../tools/declared/check-value.ts";
import type { Tool, ToolContext } from "../../tools/define-tool.ts";
import type { TurnContext } from "../context.ts";
import { hooksFor } from "./prepare-call.ts";
import { recordProgress } from "./record-progress.ts";
import { toolContext } from "./run-handler.ts";
import { createThreadFiles } from "./thread-files.ts";
import { threadMetadata } from "./thread-metadata.ts";

type Consultation = {
  readonly tool: Tool;
  readonly args: Record<string, unknown>;
  readonly effect_id: string | null;
  readonly timeout_ms: number;
};

/** Null if the arguments are invalid, or the tool throws or takes too long. */
export async function consultTool<T>(
  ctx: TurnContext,
  { tool, args, effect_id, timeout_ms }: Consultation,
  ask: (input: unknown, context: ToolContext) => T | Promise<T>,
): Promise<T | null> {
  const { rt, request, thread } = ctx;
  const { name } = tool.manifest;
  const timer = new AbortController();
  try {
    const input = await checkValue(tool.input, args);
    if (!input.success) return null;
    const operation = recordProgress(rt, request, thread.state.turn, name);
    const own = createThreadFiles(rt, request.at, thread.state.files_blob);
    const metadata = await threadMetadata(ctx);
    if (!metadata.ok) return null;
    const parts = { name, hooks: hooksFor(rt, tool), operation, own, metadata: metadata.value };
    const context = { ...toolContext(ctx, thread.state, effect_id, parts), signal: new AbortController().signal };
    const late = rt.clock.sleep(timeout_ms, timer.signal).then(() => null);
    return await Promise.race([ask(input.data, context), late]);
  } catch {
    return null;
  } finally {
    timer.abort(null);
  }
}
