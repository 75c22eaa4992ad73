// A call was begun and its owner has not come back in time. Ask the tool, resend with the same key, or ask a person.
import { ok, type Result } from "../schema/problem.ts";
import type { Thread, ThreadRecord } from "../schema/record.ts";
import type { Acting } from "../schema/thread.ts";
import type { Tool } from "../tools/define-tool.ts";
import { cleaned } from "../tools/hooks.ts";
import { toolContext } from "./carry-out.ts";
import { commit } from "./commit.ts";
import { amend, type Draft, draftTurn } from "./draft.ts";
import { carryOutEffect, settlingDraft } from "./effects.ts";
import { doubtGate } from "./open-gate.ts";
import { recordOperation } from "./operation.ts";
import { createOwnFiles } from "./own-files.ts";
import { hooksAround } from "./prepare-call.ts";
import { type Finding, finding } from "./receipts.ts";
import type { Runtime, TurnCall } from "./runtime.ts";
import { loadArguments } from "./stored-call.ts";

export async function reconcile(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  acting: Acting,
): Promise<Result<readonly ThreadRecord[]>> {
  const draft = draftTurn(rt, call, thread);
  const tool = rt.toolbox.tool(acting.call.name, call.at);
  const args = await loadArguments(rt, call.at, acting.call);
  if (!args.ok) return args;
  const answer = tool ? await askTool(rt, call, thread, acting, tool, args.value) : null;
  if (answer?.happened) return settleAs(rt, call, thread, draft, acting, happenedFinding(rt, tool, answer.output));
  if (tool && acting.call.effect === "keyed") {
    const leave = { gate_id: acting.intended.gate_id, actor: acting.intended.actor };
    const effect = { stored: acting.call, args: args.value, leave, effect_id: acting.intended.effect_id };
    // Written down again with a new time to settle, so that of two who find it only one resends.
    return carryOutEffect(rt, call, thread, draft, effect);
  }
  if (answer)
    return settleAs(
      rt,
      call,
      thread,
      draft,
      acting,
      finding(rt, false, "The tool says it did not happen. Nothing was repeated."),
    );
  const gate = doubtGate(rt, thread, acting);
  const doubted = amend(draft, {
    state: { gate },
    entry: { call: acting.call, speak: gate.text },
    signals: [{ type: "call.doubted" }],
  });
  const committed = await commit(rt, call, thread, doubted);
  return committed.ok ? ok([committed.value.record]) : committed;
}

async function askTool(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  acting: Acting,
  tool: Tool,
  args: Record<string, unknown>,
) {
  const key = acting.intended.effect_id;
  if (!tool.reconcile || !key) return null;
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

export async function settleAs(
  rt: Runtime,
  call: TurnCall,
  thread: Thread,
  draft: Draft,
  acting: Acting,
  found: Finding,
): Promise<Result<readonly ThreadRecord[]>> {
  const committed = await commit(
    rt,
    call,
    thread,
    settlingDraft(rt, draft, acting.intended, acting.call, found, false),
  );
  return committed.ok ? ok([committed.value.record]) : committed;
}

function happenedFinding(rt: Runtime, tool: Tool | null, output: unknown): Finding {
  if (!tool || output === undefined) return finding(rt, true, "The tool says it happened.");
  const told = finding(rt, true, cleaned(hooksAround(rt, tool), tool.manifest.name, tool.render(output)));
  return { ...told, run: { ...told.run, output_trust: null } };
}
