// Measures what telemetry adds to a turn on SQLite without model time: none, without an SDK, with an SDK, with content,
// and the calls of the SDK alone; in batches as the server reports turns, and one by one as other hosts do. Turns are
// measured alternately in random order, by CPU time, because other load changes the time of a turn more than telemetry
// does. Fails if batches add more than 3 %.
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
import { median, newThread, openRuntime, percentile, timeTurn, withTempFolder } from "./support/bench-runtime.ts";
import { seededRandom, shuffled } from "./support/random.ts";
import { sdkCallsAlone } from "./support/sdk-calls.ts";

const ROUNDS = 120;
const WARM_ROUNDS = 10;
/** The size of a batch, so that each round reports its own turns. */
const TURNS_PER_ROUND = TURNS_MAX;
const MAX_OVERHEAD = 0.03;

type Kind = {
  readonly name: string;
  readonly metrics: TurnMetrics | null;
  readonly sdk: boolean;
  /** True if the benchmark fails above 3 %. */
  readonly limited?: boolean;
  readonly content?: boolean;
};

const oneByOne = (content: Redactor | null = null): FactMetrics => withTelemetry(createMetrics(), "1", content);
/** Reports turns in batches. Those of a round are full, so no timer is needed. */
const inBatches = (metrics: FactMetrics): TurnMetrics => reportInBatches(metrics, () => undefined);

const KINDS: readonly Kind[] = [
  { name: "no telemetry", metrics: null, sdk: false },
  { name: "no SDK registered, in batches", metrics: inBatches(oneByOne()), sdk: false, limited: true },
  { name: "no SDK registered, one by one", metrics: oneByOne(), sdk: false },
  { name: "SDK registered, in batches", metrics: inBatches(oneByOne()), sdk: true, limited: true },
  { name: "SDK registered, one by one", metrics: oneByOne(), sdk: true },
  // These calls are not part of Pawl. They are the minimum cost of its spans and metrics.
  { name: "the calls of the SDK alone, in batches", metrics: inBatches(sdkCallsAlone()), sdk: true },
  { name: "the calls of the SDK alone, one by one", metrics: sdkCallsAlone(), sdk: true },
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

export async function run(): Promise<void> {
  const times = await withTempFolder(measure);
  const [bare] = times;
  if (!bare) throw new Error("Nothing was measured.");
  // Only fast turns count, because other load makes turns longer and the share of telemetry too small.
  const turn_ms = percentile(bare.wall, 0.1);
  console.log(`A turn takes ${turn_ms.toFixed(3)} ms, of them ${median(bare.cpu).toFixed(3)} ms of CPU time.\n`);
  console.log("| a turn with | CPU ms | added to a turn | added to its CPU time |\n|---|---|---|---|");
  const bare_ms = median(bare.cpu);
  // Each round is compared with its own turns without telemetry, because the load of the machine changes between rounds.
  const added_ms = times.map(({ cpu }) => median(cpu.map((ms, round) => ms - (bare.cpu[round] ?? ms))));
  const added = added_ms.map((ms) => ms / turn_ms);
  for (const [i, { name }] of KINDS.entries()) {
    const ms = added_ms[i] ?? 0;
    const columns = [(bare_ms + ms).toFixed(3), percent(added[i] ?? 0), percent(ms / bare_ms)];
    console.log(`| ${[name, ...columns].join(" | ")} |`);
  }
  const worst = Math.max(...added.filter((_, i) => KINDS[i]?.limited));
  if (worst > MAX_OVERHEAD) throw new Error(`Telemetry in batches adds ${percent(worst)} to a turn, more than 3 %.`);
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

type Times = { readonly wall: number[]; readonly cpu: number[] };

async function measure(folder: string): Promise<readonly Times[]> {
  const { rt, close } = await openRuntime(folder);
  const sdk = createSdk();
  const random = seededRandom(1);
  const at = await newThread(rt);
  const times = KINDS.map((): Times => ({ wall: [], cpu: [] }));
  // The runtimes are created once, as in a server, because results that are derived from a runtime are cached with it.
  const runtimes = KINDS.map(({ metrics }): Runtime => (metrics ? { ...rt, metrics } : { ...rt }));
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
    // In a fixed order, the same kind would always follow the one that leaves the most garbage.
    for (const i of shuffled(random, KINDS.length)) {
      const [kind, runtime] = [KINDS[i], runtimes[i]];
      if (!kind || !runtime) continue;
      sdk.register(kind.sdk);
      const walls: number[] = [];
      const before = process.cpuUsage();
      for (let turn = 0; turn < TURNS_PER_ROUND; turn += 1) walls.push(await timeTurn(runtime, at));
      const { user, system } = process.cpuUsage(before);
      // Spans with content would be moved by the garbage collections of the kinds after it.
      if (kind.content) await sdk.flush();
      if (round < 0) continue;
      times[i]?.wall.push(...walls);
      times[i]?.cpu.push((user + system) / 1000 / TURNS_PER_ROUND);
    }
  }
  sdk.register(false);
  await sdk.close();
  await close();
  return times;
}
