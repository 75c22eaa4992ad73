// Measures what telemetry adds to a turn on SQLite without model time: without an SDK, with an SDK, with content, and the
// calls of the SDK alone; in batches as the server reports turns, and one by one as other hosts do. Kinds are measured
// alternately in random order. The time that the calls of a turn take is measured inside the turns, because it is
// smaller than the differences between two turns. The difference in CPU time also contains garbage collections and what
// the calls displace from the processor's caches; that of the empty calls shows how exact it is. Fails if batches take
// more than 3 % of a turn.
import { DatabaseSync } from "node:sqlite";
import { metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { createMetrics } from "../src/protocols/metrics/metrics.ts";
import { reportInBatches, TURNS_MAX } from "../src/protocols/telemetry/batches.ts";
import { withTelemetry } from "../src/protocols/telemetry/telemetry.ts";
import type { FactMetrics } from "../src/protocols/telemetry/turn-facts.ts";
import { createRedactor, type Redactor } from "../src/tools/redaction/redact.ts";
import type { Runtime, TurnMetrics } from "../src/turn/runtime.ts";
import {
  databasePath,
  median,
  newThread,
  openRuntime,
  percentile,
  timeTurn,
  withTempFolder,
} from "./support/bench-runtime.ts";
import { collectGarbage } from "./support/garbage.ts";
import { seededRandom, shuffled } from "./support/random.ts";
import { sdkCallsAlone } from "./support/sdk-calls.ts";
import { withStopwatch } from "./support/stopwatch.ts";

const ROUNDS = 100;
const WARM_ROUNDS = 10;
/** Turns with content take four times as long, so they are measured in every eighth round. */
const CONTENT_EVERY = 8;
/** Two full batches, so that each round reports its own turns, and contains one checkpoint of SQLite. */
const TURNS_PER_ROUND = 2 * TURNS_MAX;
const MAX_SHARE = 0.03;

type Kind = {
  readonly name: string;
  readonly metrics: TurnMetrics | null;
  readonly sdk: boolean;
  /** True if the benchmark fails above 3 %. */
  readonly limited?: boolean;
  readonly content?: boolean;
};

const oneByOne = (content: Redactor | null = null): FactMetrics => withTelemetry(createMetrics(), "1", content);
/** Reports full batches in the calls, where the stopwatch measures them. */
const inBatches = (metrics: FactMetrics): TurnMetrics =>
  reportInBatches(metrics, (flush, when) => when === "soon" && flush());
/** Takes the time of the stopwatch, which is subtracted from the others. */
const EMPTY: TurnMetrics = { observe: () => undefined, text: () => "" };

const KINDS: readonly Kind[] = [
  { name: "no telemetry", metrics: null, sdk: false },
  { name: "empty calls", metrics: EMPTY, sdk: false },
  { name: "no SDK registered, in batches", metrics: inBatches(oneByOne()), sdk: false, limited: true },
  { name: "no SDK registered, one by one", metrics: oneByOne(), sdk: false },
  { name: "SDK registered, in batches", metrics: inBatches(oneByOne()), sdk: true, limited: true },
  { name: "SDK registered, one by one", metrics: oneByOne(), sdk: true },
  // These calls are not part of Pawl. They are the minimum cost of its spans and metrics.
  { name: "the calls of the SDK alone, in batches", metrics: sdkCallsAlone(TURNS_MAX), sdk: true },
  { name: "the calls of the SDK alone, one by one", metrics: sdkCallsAlone(1), sdk: true },
  { name: "SDK registered, with content", metrics: oneByOne(createRedactor()), sdk: true, content: true },
];

function createSdk() {
  // Drops spans when it gets them, as an exporter does that has sent them.
  const exporter: SpanExporter = { export: (_, done) => done({ code: 0 }), shutdown: async () => undefined };
  const tracer = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.DELTA),
    exportIntervalMillis: 3_600_000,
  });
  const meter = new MeterProvider({ readers: [reader] });
  const register = (on: boolean): void => {
    trace.disable();
    metrics.disable();
    if (!on) return;
    trace.setGlobalTracerProvider(tracer);
    metrics.setGlobalMeterProvider(meter);
  };
  return {
    register,
    flush: () => tracer.forceFlush(),
    close: async () => void (await Promise.all([tracer.shutdown(), meter.shutdown()])),
  };
}

type Times = {
  /** The durations of all turns. */
  readonly wall: number[];
  /** The CPU time of a turn, one value for each round. */
  readonly cpu: (number | null)[];
  /** The times in the calls of the first, second … turn of each batch. */
  readonly calls: readonly number[][];
};

export async function run(): Promise<void> {
  const times = await withTempFolder(measure);
  const [bare, empty] = times;
  if (!bare || !empty) throw new Error("Nothing was measured.");
  // Only fast turns count, because other load makes turns longer and the share of telemetry too small.
  const turn_ms = percentile(bare.wall, 0.1);
  console.log(`A turn takes ${turn_ms.toFixed(3)} ms.\n`);
  console.log("| a turn with | time in its calls | share of the turn | CPU time added | p50 / p99 of a turn |");
  console.log("|---|---|---|---|---|");
  const shares = KINDS.map(({ name, metrics }, i) => {
    const { wall, cpu, calls } = times[i] ?? bare;
    const in_calls = metrics ? timeInCalls(calls) - timeInCalls(empty.calls) : 0;
    // Each round is compared with its own turns without telemetry, because the load of the machine changes between rounds.
    const added = median(cpu.flatMap((ms, round) => (ms === null ? [] : [ms - (bare.cpu[round] ?? ms)])));
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(wall, share).toFixed(3));
    console.log(
      `| ${name} | ${micros(in_calls)} | ${percent(in_calls / turn_ms)} | ${micros(added)} | ${p50} / ${p99} ms |`,
    );
    return in_calls / turn_ms;
  });
  const [all = 0, calls = 0] = ["SDK registered, in batches", "the calls of the SDK alone, in batches"].map(
    (name) => shares[KINDS.findIndex((kind) => kind.name === name)],
  );
  console.log(`\nOf batches with an SDK, ${percent(all - calls)} of a turn are not calls of the SDK.`);
  const worst = Math.max(...shares.filter((_, i) => KINDS[i]?.limited));
  if (worst > MAX_SHARE) throw new Error(`Telemetry in batches takes ${percent(worst)} of a turn, more than 3 %.`);
}

/**
 * Returns the mean of a turn without the slowest tenth, because other processes interrupt some turns. The turns of a batch
 * are sorted separately, because only the last one reports.
 */
const timeInCalls = (calls: Times["calls"]): number => mean(calls.map((ofTurn) => mean(withoutSlowest(ofTurn))));

const withoutSlowest = (times: readonly number[]): readonly number[] =>
  times.toSorted((a, b) => a - b).slice(0, Math.ceil(0.9 * times.length));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const micros = (ms: number): string => `${(1000 * ms).toFixed(1)} µs`;

async function measure(folder: string): Promise<readonly Times[]> {
  const { rt, close } = await openRuntime(folder);
  const file = new DatabaseSync(databasePath(folder));
  const sdk = createSdk();
  const random = seededRandom(1);
  const at = await newThread(rt);
  const times = KINDS.map((): Times => ({ wall: [], cpu: [], calls: Array.from({ length: TURNS_MAX }, () => []) }));
  const watches = KINDS.map(({ metrics }) => metrics && withStopwatch(metrics));
  // The runtimes are created once, as in a server, because results that are derived from a runtime are cached with it.
  const runtimes = watches.map((watch): Runtime => (watch ? { ...rt, metrics: watch.metrics } : { ...rt }));
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
    // In a fixed order, the same kind would always follow the one that leaves the most garbage.
    for (const i of shuffled(random, KINDS.length)) {
      const [kind, runtime, made] = [KINDS[i], runtimes[i], times[i]];
      if (!kind || !runtime || !made) continue;
      if (kind.content && round % CONTENT_EVERY !== 0) {
        made.cpu.push(null);
        continue;
      }
      sdk.register(kind.sdk);
      file.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      await sdk.flush();
      // Not a full collection, which would also drop compiled code that was not used lately.
      collectGarbage({ type: "minor" });
      const before = process.cpuUsage();
      const turns: (readonly [wall: number, calls: number])[] = [];
      for (let turn = 0; turn < TURNS_PER_ROUND; turn += 1)
        turns.push([await timeTurn(runtime, at), watches[i]?.takeMs() ?? 0]);
      // Each kind pays for the garbage that it leaves.
      collectGarbage({ type: "minor" });
      const { user, system } = process.cpuUsage(before);
      if (round < 0) continue;
      for (const [turn, [wall, calls]] of turns.entries()) {
        made.wall.push(wall);
        made.calls[turn % TURNS_MAX]?.push(calls);
      }
      made.cpu.push((user + system) / 1000 / TURNS_PER_ROUND);
    }
  }
  sdk.register(false);
  file.close();
  await sdk.close();
  await close();
  return times;
}
