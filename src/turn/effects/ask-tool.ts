// Asks a tool whether an effect happened, if it can tell. It is given as long as for the call itself.

import type { Thread } from "../../schema/record.ts";
import type { Acting } from "../../schema/thread.ts";
import type { Tool } from "../../tools/define-tool.ts";
import { cleaned } from "../../tools/hooks.ts";
import { toolContext } from "../act/carry-out.ts";
import { recordOperation } from "../act/operation.ts";
import { createOwnFiles } from "../act/own-files.ts";
import { hooksAround } from "../act/prepare-call.ts";
import { type Finding, finding } from "../act/receipts.ts";
import type { Runtime, TurnCall } from "../runtime.ts";

/** null: nobody can tell. */
export type Told = { readonly happened: boolean; readonly output?: unknown } | null;

export async function askTool(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  acting: Acting,
  args: Record<string, unknown>,
): Promise<Told> {
  const tool = rt.toolbox.tool(acting.call.name, call.at);
  const key = acting.intended.effect_id;
  if (!tool?.reconcile || !key) return null;
  try {
    const input = tool.input.safeParse(args);
    if (!input.success) return null;
    const { name } = acting.call;
    const operation = recordOperation(rt, call, thread.state.turn, name);
    const own = createOwnFiles(rt, call.at, thread.state.files_blob);
    const context = toolContext(rt, call, thread.state, key, { name, hooks: hooksAround(rt, tool), operation, own });
    const timer = new AbortController();
    const late = rt.clock.sleep(tool.manifest.timeout_ms, timer.signal).then(() => null);
    return await Promise.race([tool.reconcile(input.data, key, context), late]).finally(() => timer.abort());
  } catch {
    // A tool that cannot say is a tool that does not know.
    return null;
  }
}

export function happenedFinding(rt: Runtime, tool: Tool | null, output: unknown): Finding {
  if (!tool || output === undefined) return finding(rt, true, "The tool says it happened.");
  const told = finding(rt, true, cleaned(hooksAround(rt, tool), tool.manifest.name, tool.render(output)));
  return { ...told, run: { ...told.run, output_trust: null } };
}

export const didNotHappen = (rt: Runtime): Finding =>
  finding(rt, false, "The tool says it did not happen. Nothing was repeated.");
