// Reduces an ended turn to the facts that its spans and metrics contain, so that it can be reported later without
// keeping its records and prompts in memory. They are read when the turn ends, while its records are in the processor's
// caches.
import type { SettledReceipt } from "../../schema/receipt.ts";
import type { Entry, Usage } from "../../schema/record.ts";
import type { ObservedModelCall, ObservedTurn, TurnMetrics } from "../../turn/runtime.ts";

export type ModelCallFacts = Omit<ObservedModelCall, "messages" | "text"> & {
  /** The call with its prompt and reply, if they were asked for. */
  readonly content: ObservedModelCall | null;
};

export type ToolCallFacts = {
  readonly receipt: SettledReceipt;
  readonly operation_id: string | null;
  /** The entry with the arguments and the result, if they were asked for. */
  readonly content: Entry | null;
};

export type TurnFacts = Omit<ObservedTurn, "model_calls" | "records"> & {
  readonly model_calls: readonly ModelCallFacts[];
  readonly tool_calls: readonly ToolCallFacts[];
  /** What the records of the turn used, by model. */
  readonly usages: readonly { readonly model: string; readonly usage: Usage }[];
  /** The codes of refused replies. */
  readonly corrections: readonly string[];
  /** The kinds of the gates that the turn opened. */
  readonly gates: readonly string[];
  /** The outcomes of the runs that the turn ended. */
  readonly outcomes: readonly string[];
  /** Describes the newest record, with the gate that it opened. Null if nothing was stored. */
  readonly head: {
    readonly version: number;
    readonly turn: number;
    readonly state: string;
    readonly gate: string | null;
  } | null;
};

/** Metrics to which turns can be reported without their records, several at once. */
export type FactMetrics = Omit<TurnMetrics, "flush"> & { readonly report: (turns: readonly TurnFacts[]) => void };

const RUN_ENDS: ReadonlySet<string> = new Set(
  ["answered", "delivered", "aborted", "exhausted", "cancelled"].map((end) => `run.${end}`),
);

export function factsOf(turn: ObservedTurn, keepContent = false): TurnFacts {
  const tool_calls: ToolCallFacts[] = [];
  const usages: TurnFacts["usages"][number][] = [];
  const corrections: string[] = [];
  const gates: string[] = [];
  const outcomes: string[] = [];
  let head: TurnFacts["head"] = null;
  for (const { version, entry, state } of turn.records) {
    for (const receipt of entry.receipts)
      if (receipt.kind === "settled" && receipt.source !== "user_reply")
        tool_calls.push({ receipt, operation_id: entry.operation?.id ?? null, content: keepContent ? entry : null });
    if (entry.usage) usages.push({ model: entry.model ?? "unknown", usage: entry.usage });
    for (const { code } of entry.corrections) corrections.push(code);
    const gate = state.gate?.version === version ? state.gate.kind : null;
    if (gate) gates.push(gate);
    const { state: name, outcome } = state.machine;
    if (outcome && entry.signals.some((signal) => RUN_ENDS.has(signal))) outcomes.push(outcome);
    head = { version, turn: entry.turn, state: name, gate };
  }
  const { thread, agent, problem, started, ended, trace } = turn;
  const model_calls = turn.model_calls.map((call) => modelCallFacts(call, keepContent));
  const counted = { usages, corrections, gates, outcomes };
  return { thread, agent, problem, started, ended, trace, model_calls, tool_calls, head, ...counted };
}

const modelCallFacts = (call: ObservedModelCall, keepContent: boolean): ModelCallFacts => ({
  model: call.model,
  response_model: call.response_model,
  purpose: call.purpose,
  started: call.started,
  ended: call.ended,
  usage: call.usage,
  problem: call.problem,
  content: keepContent ? call : null,
});
