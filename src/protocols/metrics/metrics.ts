// Counts what the turns of this process did, and prints it as Prometheus text. No content and no ids: labels are names of agents,
// models, tools and codes, so the number of series is bounded by the configuration.
import type { Entry, ThreadRecord } from "../../schema/record.ts";
import type { TurnMetrics } from "../../turn/runtime.ts";

type Kind = "counter" | "histogram";
type Family = { readonly kind: Kind; readonly help: string };

const FAMILIES = {
  pawl_turns_total: { kind: "counter", help: "Turns by agent and result: ok, or the code of the problem." },
  pawl_turn_duration_seconds: { kind: "histogram", help: "Duration of turns, model and tools included." },
  gen_ai_client_token_usage_total: { kind: "counter", help: "Tokens by model and type." },
  pawl_model_cost_usd_total: { kind: "counter", help: "Cost of model calls in US dollars, by model." },
  pawl_tool_calls_total: { kind: "counter", help: "Settled tool calls by tool and result." },
  pawl_gates_opened_total: { kind: "counter", help: "Gates that wait for a person or a client, by kind." },
  pawl_corrections_total: { kind: "counter", help: "Replies of the model that were refused, by code." },
  pawl_runs_ended_total: { kind: "counter", help: "Ended runs by outcome." },
} as const satisfies Record<string, Family>;
type Name = keyof typeof FAMILIES;

const BUCKETS_S = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

export function createMetrics(): TurnMetrics {
  const counters = new Map<Name, Map<string, number>>();
  const buckets = BUCKETS_S.map(() => 0);
  const durations = { sum: 0, count: 0 };
  const add: Add = (name, labels, value = 1) => {
    const series = counters.get(name) ?? new Map<string, number>();
    if (series.size === 0) counters.set(name, series);
    series.set(labels, (series.get(labels) ?? 0) + value);
  };
  const addDuration = (seconds: number): void => {
    durations.sum += seconds;
    durations.count += 1;
    for (let i = BUCKETS_S.length - 1; i >= 0 && seconds <= (BUCKETS_S[i] ?? 0); i -= 1)
      buckets[i] = (buckets[i] ?? 0) + 1;
  };
  return {
    observe({ agent, problem, records, started, ended }) {
      add("pawl_turns_total", `${label("agent", agent ?? "unknown")},${label("result", problem ?? "ok")}`);
      addDuration((ended - started) / 1000);
      for (const record of records) countRecord(record, add);
    },
    text: () => [...counterLines(counters), ...histogramLines(buckets, durations), ""].join("\n"),
  };
}

/** Labels come as the text that is printed, which is also the key of the series: every turn counts several series. */
type Add = (name: Name, labels: string, value?: number) => void;

/** The same text for the same value: every turn needs several, and they are the keys of the series. */
const labelTexts = new Map<string, Map<string, string>>();

function label(name: string, value: string): string {
  const texts = labelTexts.get(name) ?? new Map<string, string>();
  if (texts.size === 0) labelTexts.set(name, texts);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = `${name}=${JSON.stringify(value)}`;
  texts.set(value, text);
  return text;
}

const RUN_ENDS: ReadonlySet<string> = new Set(
  ["answered", "delivered", "aborted", "exhausted", "cancelled"].map((end) => `run.${end}`),
);

function countRecord({ version, entry, state }: ThreadRecord, add: Add): void {
  countUsage(entry, add);
  for (const { code } of entry.corrections) add("pawl_corrections_total", label("code", code));
  for (const receipt of entry.receipts)
    if (receipt.kind === "settled" && receipt.source !== "user_reply")
      add("pawl_tool_calls_total", `${label("tool", receipt.name)},${label("result", resultOf(receipt.success))}`);
  if (state.gate?.version === version) add("pawl_gates_opened_total", label("kind", state.gate.kind));
  const ended = entry.signals.some((signal) => RUN_ENDS.has(signal));
  if (ended && state.machine.outcome) add("pawl_runs_ended_total", label("outcome", state.machine.outcome));
}

const resultOf = (success: boolean | null): string => (success === null ? "unknown" : success ? "ok" : "failed");

function countUsage({ usage, model }: Entry, add: Add): void {
  if (!usage) return;
  const named = label("model", model ?? "unknown");
  add("gen_ai_client_token_usage_total", `${named},type="input"`, usage.input_tokens);
  add("gen_ai_client_token_usage_total", `${named},type="output"`, usage.output_tokens);
  add("pawl_model_cost_usd_total", named, usage.usd);
}

const head = (name: Name): readonly string[] => [
  `# HELP ${name} ${FAMILIES[name].help}`,
  `# TYPE ${name} ${FAMILIES[name].kind}`,
];

function* counterLines(counters: ReadonlyMap<Name, ReadonlyMap<string, number>>): Generator<string> {
  for (const [name, series] of counters) {
    yield* head(name);
    for (const [labels, value] of series) yield `${name}{${labels}} ${value}`;
  }
}

function* histogramLines(
  buckets: readonly number[],
  { sum, count }: { sum: number; count: number },
): Generator<string> {
  const name = "pawl_turn_duration_seconds";
  yield* head(name);
  for (const [i, limit] of BUCKETS_S.entries()) yield `${name}_bucket{le="${limit}"} ${buckets[i] ?? 0}`;
  yield `${name}_bucket{le="+Inf"} ${count}`;
  yield `${name}_sum ${sum}`;
  yield `${name}_count ${count}`;
}
