// Reduces an ended turn to the facts that its spans and metrics contain, so that it can be reported later without
// keeping its records in memory. They are read when the turn ends, while its records are in the processor's caches. The
// facts themselves have left the caches when they are reported, so they are few objects without unused fields.
import type { SettledReceipt } from "../../schema/receipt.ts";
import type { Entry, Usage } from "../../schema/record.ts";
import type { ObservedTurn, TurnMetrics } from "../../turn/runtime.ts";

export type ToolCallFacts = {
  readonly name: string;
  readonly receipt_id: string;
  readonly gate_id: string | null;
  readonly operation_id: string | null;
  readonly started_at: string;
  readonly finished_at: string;
  readonly success: boolean | null;
  /** True if the call asked a question, so that it did not fail without success. */
  readonly asked: boolean;
  /** The entry with the arguments and the result, if they were asked for. */
  readonly content: Entry | null;
};

/** What one record of the turn used. */
export type UsageFacts = {
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly usd: number;
};

export type TurnFacts = Omit<ObservedTurn, "records"> & {
  readonly tool_calls: readonly ToolCallFacts[];
  readonly usages: readonly UsageFacts[];
  /** The codes of refused replies. */
  readonly corrections: readonly string[];
  /** The kinds of the gates that the turn opened. */
  readonly gates: readonly string[];
  /** The outcomes of the runs that the turn ended. */
  readonly outcomes: readonly string[];
  /** The version of the newest record, or null if nothing was stored. */
  readonly version: number | null;
  readonly turn: number;
  readonly state: string;
  /** The kind of the gate that the newest record opened. */
  readonly gate: string | null;
};

/** Metrics to which turns can be reported without their records, several at once. */
export type FactMetrics = Omit<TurnMetrics, "flush"> & { readonly report: (turns: readonly TurnFacts[]) => void };

const RUN_ENDS: ReadonlySet<string> = new Set(
  ["answered", "delivered", "aborted", "exhausted", "cancelled"].map((end) => `run.${end}`),
);

/** The empty list of all turns. */
const NONE: readonly never[] = [];

export function factsOf(ended: ObservedTurn, keepContent = false): TurnFacts {
  let tool_calls: readonly ToolCallFacts[] = NONE;
  let usages: readonly UsageFacts[] = NONE;
  let corrections: readonly string[] = NONE;
  let gates: readonly string[] = NONE;
  let outcomes: readonly string[] = NONE;
  let version: number | null = null;
  let turn = 0;
  let state = "";
  let gate: string | null = null;
  for (const record of ended.records) {
    const { entry } = record;
    const { usage } = entry;
    for (const receipt of entry.receipts)
      if (receipt.kind === "settled" && receipt.source !== "user_reply")
        tool_calls = appended(tool_calls, toolCallFacts(receipt, entry, keepContent));
    if (usage) usages = appended(usages, usageFacts(entry.model ?? "unknown", usage));
    if (entry.corrections.length > 0) corrections = [...corrections, ...entry.corrections.map(({ code }) => code)];
    version = record.version;
    turn = entry.turn;
    gate = record.state.gate?.version === version ? record.state.gate.kind : null;
    if (gate !== null) gates = [...gates, gate];
    const { machine } = record.state;
    state = machine.state;
    if (machine.outcome && entry.signals.some((signal) => RUN_ENDS.has(signal)))
      outcomes = [...outcomes, machine.outcome];
  }
  return {
    thread: ended.thread,
    agent: ended.agent,
    problem: ended.problem,
    started: ended.started,
    ended: ended.ended,
    trace: ended.trace,
    model_calls: ended.model_calls,
    tool_calls,
    usages,
    corrections,
    gates,
    outcomes,
    version,
    turn,
    state,
    gate,
  };
}

/** An array that is created by `push` reserves memory for 17 items, and most turns have one. */
const appended = <T>(list: readonly T[], item: T): readonly T[] => (list.length === 0 ? [item] : [...list, item]);

const toolCallFacts = (receipt: SettledReceipt, entry: Entry, keepContent: boolean): ToolCallFacts => ({
  name: receipt.name,
  receipt_id: receipt.id,
  gate_id: receipt.gate_id,
  operation_id: entry.operation?.id ?? null,
  started_at: receipt.started_at,
  finished_at: receipt.finished_at,
  success: receipt.success,
  asked: receipt.asked === true,
  content: keepContent ? entry : null,
});

const usageFacts = (model: string, usage: Usage): UsageFacts => ({
  model,
  input_tokens: usage.input_tokens,
  output_tokens: usage.output_tokens,
  usd: usage.usd,
});
