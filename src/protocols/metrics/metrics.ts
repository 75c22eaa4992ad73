// Counts what the turns of this process do, and formats the counts as Prometheus text without content or ids. Labels
// are names of agents, models and tools, and codes, so the configuration bounds the number of series.
import { type FactMetrics, factsOf, type TurnFacts } from "../telemetry/turn-facts.ts";

type Family = { readonly name: string; readonly help: string; readonly labels: readonly string[] };

type Counter = {
  readonly add: (value: number, first: string, second?: string) => void;
  readonly lines: () => readonly string[];
};

const createCounters = () => ({
  turns: createCounter({
    name: "pawl_turns_total",
    help: "Turns by agent and result: ok, or the code of the problem.",
    labels: ["agent", "result"],
  }),
  tokens: createCounter({
    name: "gen_ai_client_token_usage_total",
    help: "Tokens by model and type.",
    labels: ["model", "type"],
  }),
  cost: createCounter({
    name: "pawl_model_cost_usd_total",
    help: "Cost of model calls in US dollars, by model.",
    labels: ["model"],
  }),
  tool_calls: createCounter({
    name: "pawl_tool_calls_total",
    help: "Settled tool calls by tool and result.",
    labels: ["tool", "result"],
  }),
  gates: createCounter({
    name: "pawl_gates_opened_total",
    help: "Gates that wait for a person or a client, by kind.",
    labels: ["kind"],
  }),
  corrections: createCounter({
    name: "pawl_corrections_total",
    help: "Replies of the model that were refused, by code.",
    labels: ["code"],
  }),
  runs: createCounter({ name: "pawl_runs_ended_total", help: "Ended runs by outcome.", labels: ["outcome"] }),
});

export function createMetrics(): FactMetrics {
  const counters = createCounters();
  const durations = createDurations();
  const report = (turns: readonly TurnFacts[]): void => {
    for (const facts of turns) {
      count(counters, facts);
      durations.add((facts.ended - facts.started) / 1000);
    }
  };
  return {
    observe: (turn) => report([factsOf(turn)]),
    report,
    text: () => [...Object.values(counters).flatMap(({ lines }) => lines()), ...durations.lines(), ""].join("\n"),
  };
}

function count(counters: ReturnType<typeof createCounters>, facts: TurnFacts): void {
  counters.turns.add(1, facts.agent ?? "unknown", facts.problem ?? "ok");
  for (const { model, input_tokens, output_tokens, usd } of facts.usages) {
    counters.tokens.add(input_tokens, model, "input");
    counters.tokens.add(output_tokens, model, "output");
    counters.cost.add(usd, model);
  }
  for (const { name, success } of facts.tool_calls) counters.tool_calls.add(1, name, resultOf(success));
  for (const kind of facts.gates) counters.gates.add(1, kind);
  for (const code of facts.corrections) counters.corrections.add(1, code);
  for (const outcome of facts.outcomes) counters.runs.add(1, outcome);
}

const resultOf = (success: boolean | null): string => (success === null ? "unknown" : success ? "ok" : "failed");

const head = ({ name, help }: Omit<Family, "labels">, type: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

function createCounter(family: Family): Counter {
  // By the first and then by the second label: nested maps avoid creating a string for every count.
  const series = new Map<string, Map<string, number>>();
  return {
    add(value, first, second = "") {
      const values = series.get(first) ?? new Map<string, number>();
      if (values.size === 0) series.set(first, values);
      values.set(second, (values.get(second) ?? 0) + value);
    },
    lines() {
      const counts = [...series].flatMap(([first, values]) =>
        [...values].map(([second, value]) => {
          const labels = family.labels.map((label, i) => `${label}=${JSON.stringify(i === 0 ? first : second)}`);
          return `${family.name}{${labels.join(",")}} ${value}`;
        }),
      );
      return counts.length === 0 ? [] : [...head(family, "counter"), ...counts];
    },
  };
}

const BUCKETS_S = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

function createDurations() {
  const name = "pawl_turn_duration_seconds";
  const counts = BUCKETS_S.map(() => 0);
  let [sum, total] = [0, 0];
  return {
    add(seconds: number): void {
      sum += seconds;
      total += 1;
      for (let i = BUCKETS_S.length - 1; i >= 0 && seconds <= (BUCKETS_S[i] ?? 0); i -= 1)
        counts[i] = (counts[i] ?? 0) + 1;
    },
    lines: (): readonly string[] => [
      ...head({ name, help: "Duration of turns, model and tools included." }, "histogram"),
      ...BUCKETS_S.map((limit, i) => `${name}_bucket{le="${limit}"} ${counts[i] ?? 0}`),
      `${name}_bucket{le="+Inf"} ${total}`,
      `${name}_sum ${sum}`,
      `${name}_count ${total}`,
    ],
  };
}
