// Counts what the turns of this process do, and formats the counts as Prometheus text without content or ids. Labels
// are names of agents, models and tools, and codes, so the configuration bounds the number of series.
import type { Entry, ThreadRecord } from "../../schema/record.ts";
import type { TurnMetrics } from "../../turn/runtime.ts";

type Kind = "counter" | "histogram";
type Family = { readonly kind: Kind; readonly help: string; readonly labels: readonly string[] };

const FAMILIES = {
  pawl_turns_total: {
    kind: "counter",
    help: "Turns by agent and result: ok, or the code of the problem.",
    labels: ["agent", "result"],
  },
  pawl_turn_duration_seconds: {
    kind: "histogram",
    help: "Duration of turns, model and tools included.",
    labels: [],
  },
  gen_ai_client_token_usage_total: {
    kind: "counter",
    help: "Tokens by model and type.",
    labels: ["model", "type"],
  },
  pawl_model_cost_usd_total: {
    kind: "counter",
    help: "Cost of model calls in US dollars, by model.",
    labels: ["model"],
  },
  pawl_tool_calls_total: {
    kind: "counter",
    help: "Settled tool calls by tool and result.",
    labels: ["tool", "result"],
  },
  pawl_gates_opened_total: {
    kind: "counter",
    help: "Gates that wait for a person or a client, by kind.",
    labels: ["kind"],
  },
  pawl_corrections_total: {
    kind: "counter",
    help: "Replies of the model that were refused, by code.",
    labels: ["code"],
  },
  pawl_runs_ended_total: { kind: "counter", help: "Ended runs by outcome.", labels: ["outcome"] },
} as const satisfies Record<string, Family>;
type Name = keyof typeof FAMILIES;

/** Values by the first and then by the second label. Nested maps avoid creating a string for every count. */
type Series = Map<string, Map<string, number>>;

const BUCKETS_S = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

export function createMetrics(): TurnMetrics {
  const counters = new Map<Name, Series>();
  const buckets = BUCKETS_S.map(() => 0);
  const durations = { sum: 0, count: 0 };
  const add: Add = (name, value, first, second = "") => {
    const values = seriesOf(counters, name, first);
    values.set(second, (values.get(second) ?? 0) + value);
  };
  const addDuration = (seconds: number): void => {
    durations.sum += seconds;
    durations.count += 1;
    for (let i = BUCKETS_S.length - 1; i >= 0 && seconds <= (BUCKETS_S[i] ?? 0); i -= 1)
      buckets[i] = (buckets[i] ?? 0) + 1;
  };
  return {
    observe({ agent, problem, records, started, ended }) {
      add("pawl_turns_total", 1, agent ?? "unknown", problem ?? "ok");
      addDuration((ended - started) / 1000);
      for (const record of records) countRecord(record, add);
    },
    text: () => [...counterLines(counters), ...histogramLines(buckets, durations), ""].join("\n"),
  };
}

type Add = (name: Name, value: number, first: string, second?: string) => void;

function seriesOf(counters: Map<Name, Series>, name: Name, first: string): Map<string, number> {
  const series: Series = counters.get(name) ?? new Map();
  if (series.size === 0) counters.set(name, series);
  const values = series.get(first) ?? new Map<string, number>();
  if (values.size === 0) series.set(first, values);
  return values;
}

const RUN_ENDS: ReadonlySet<string> = new Set(
  ["answered", "delivered", "aborted", "exhausted", "cancelled"].map((end) => `run.${end}`),
);

function countRecord({ version, entry, state }: ThreadRecord, add: Add): void {
  countUsage(entry, add);
  for (const { code } of entry.corrections) add("pawl_corrections_total", 1, code);
  for (const receipt of entry.receipts)
    if (receipt.kind === "settled" && receipt.source !== "user_reply")
      add("pawl_tool_calls_total", 1, receipt.name, resultOf(receipt.success));
  if (state.gate?.version === version) add("pawl_gates_opened_total", 1, state.gate.kind);
  const ended = entry.signals.some((signal) => RUN_ENDS.has(signal));
  if (ended && state.machine.outcome) add("pawl_runs_ended_total", 1, state.machine.outcome);
}

const resultOf = (success: boolean | null): string => (success === null ? "unknown" : success ? "ok" : "failed");

function countUsage({ usage, model }: Entry, add: Add): void {
  if (!usage) return;
  const named = model ?? "unknown";
  add("gen_ai_client_token_usage_total", usage.input_tokens, named, "input");
  add("gen_ai_client_token_usage_total", usage.output_tokens, named, "output");
  add("pawl_model_cost_usd_total", usage.usd, named);
}

const head = (name: Name): readonly string[] => [
  `# HELP ${name} ${FAMILIES[name].help}`,
  `# TYPE ${name} ${FAMILIES[name].kind}`,
];

function* counterLines(counters: ReadonlyMap<Name, Series>): Generator<string> {
  for (const [name, series] of counters) {
    yield* head(name);
    const { labels } = FAMILIES[name];
    for (const [first, values] of series)
      for (const [second, value] of values) {
        const shown = labels.map((label, i) => `${label}=${JSON.stringify(i === 0 ? first : second)}`);
        yield `${name}{${shown.join(",")}} ${value}`;
      }
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
