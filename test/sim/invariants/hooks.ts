// I21: whatever ran outside was shown to the hooks with exactly these arguments, and again when a person approved it.
import type { Evidence } from "../evidence.ts";

export const hooksWereAsked = ({ effects, hookCalls, threads }: Evidence): readonly string[] =>
  effects.flatMap(({ tenant, thread: id, tool, effect_id, arguments: args }) => {
    const thread = threads.find(({ at }) => at.thread === id && at.tenant === tenant);
    const receipt = thread?.records
      .flatMap(({ entry }) => entry.receipts)
      .find((one) => one.kind === "intended" && one.effect_id === effect_id);
    // Effects that were never recorded are reported elsewhere.
    if (!thread || !receipt) return [];
    const opened = receipt.gate_id
      ? (thread.records.find(({ state }) => state.gate?.id === receipt.gate_id)?.version ?? 0)
      : 0;
    const asked = hookCalls.some(
      (call) =>
        call.tenant === tenant &&
        call.thread === id &&
        call.tool === tool &&
        call.version >= opened &&
        (call.arguments === args || (!receipt.gate_id && call.rewritten === args)),
    );
    const when = receipt.gate_id ? `after gate ${receipt.gate_id} was opened` : "before it ran";
    return asked ? [] : [`I21 ${tool} ${effect_id}: no hook was asked ${when}`];
  });
