// Runs the handler of a call: context, limits, hooks, live events. Says what was found; writes nothing.

import type { StoredCall } from "../schema/gate.ts";
import type { Manifest } from "../schema/manifest.ts";
import type { ThreadState } from "../schema/thread.ts";
import type { ToolContext } from "../tools/define-tool.ts";
import { runPostHooks } from "../tools/hooks.ts";
import { runTool } from "../tools/run-tool.ts";
import type { Finding } from "./receipts.ts";
import type { Runtime, TurnCall } from "./runtime.ts";

export type Found = Finding & {
  readonly success: boolean /** The handler itself is broken: five in a row poison the thread. */;
  readonly broken: boolean;
};

export async function carryOut(
  rt: Runtime,
  call: TurnCall,
  state: ThreadState,
  stored: StoredCall,
  args: Record<string, unknown>,
  effect: string | null,
): Promise<Found> {
  const tool = rt.toolbox.tool(stored.name, call.at);
  if (!tool) return notThere(rt, stored.name);
  const context = toolContext(rt, call, state, stored.name, effect);
  call.emit({
    type: "tool.started",
    thread: call.at.thread,
    turn: state.turn,
    name: stored.name,
    operation_id: context.operation_id,
  });
  await rt.faults.at("tool.before");
  const checked = tool.input.safeParse(args);
  const run = checked.success
    ? await runTool(tool, checked.data, context, rt)
    : {
        how: "refused" as const,
        success: false,
        text: `Invalid arguments: ${checked.error.message}`,
        size: 0,
        sha256: null,
      };
  await rt.faults.at("tool.after");
  const hooked = {
    tenant: call.at.tenant,
    thread: call.at.thread,
    tool_name: stored.name,
    manifest: tool.manifest,
    arguments: args,
  };
  const text = await runPostHooks(rt.hooks, hooked, run.text, run.success);
  return {
    success: run.success,
    text,
    size: run.size,
    sha256: run.sha256,
    broken: run.how === "threw" || run.how === "bad_output",
  };
}

export function toolContext(
  rt: Runtime,
  call: TurnCall,
  state: ThreadState,
  name: string,
  effect: string | null,
): ToolContext {
  const operation_id = rt.ids.make("opr");
  const place = { thread: call.at.thread, turn: state.turn, name, operation_id };
  let n = 0;
  return {
    tenant: call.at.tenant,
    thread: call.at.thread,
    run: state.run,
    turn: state.turn,
    operation_id,
    idempotency_key: effect,
    // A client that goes away must not stop a tool that is at work: the turn commits all the same.
    signal: new AbortController().signal,
    now: () => rt.clock.now(),
    progress: (text, stage) => call.emit({ type: "tool.progress", ...place, n: n++, stage: stage ?? null, text }),
  };
}

const notThere = (rt: Runtime, name: string): Found => {
  const text = `The tool ${name} is no longer there.`;
  return { success: false, text, size: text.length, sha256: rt.hash.sha256(text), broken: false };
};

export const manifestOf = (rt: Runtime, name: string): Manifest | null => rt.toolbox.catalog.get(name);
