// Measures load on one machine with SQLite FULL and a model without latency: a thousand threads for a minute, then a
// hundred thousand parked confirmations. --quick is short, --keep writes its section of docs/reference/benchmarks.md.
import type { ThreadRef } from "../src/schema/ids.ts";
import { loadThread } from "../src/turn/load.ts";
import type { Runtime } from "../src/turn/runtime.ts";
import {
  median,
  newThread,
  openRuntime,
  percentile,
  takeTurn,
  timeTurn,
  withTempFolder,
} from "./support/bench-runtime.ts";
import { collectGarbage } from "./support/garbage.ts";
import { type Section, writeReport } from "./support/report.ts";

const CONCURRENCY = 16;

export async function run(args: readonly string[] = []): Promise<void> {
  const quick = args.includes("--quick");
  const [threads, seconds, parked] = quick ? [100, 5, 1000] : [1000, 60, 100_000];
  const load = await withTempFolder((folder) => measureLoad(folder, threads, seconds));
  const waiting = await withTempFolder((folder) => measureParkedThreads(folder, parked));
  console.log(writeReport(buildSection(load, waiting), args.includes("--keep")));
}

type LoadMetrics = {
  readonly threads: number;
  readonly seconds: number;
  readonly turns: number;
  readonly per_second: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  readonly lost: number;
  readonly memory_start: number;
  readonly memory_end: number;
  readonly heap_start: number;
  readonly heap_end: number;
};
type ParkedMetrics = {
  readonly count: number;
  readonly memory_start: number;
  readonly memory_end: number;
  readonly resume_p50: number;
  readonly resume_p99: number;
};

const buildSection = (load: LoadMetrics, parked: ParkedMetrics): Section => ({
  name: "load",
  title: "A thousand concurrent threads",
  description: "SQLite with `synchronous=FULL`, a model that replies immediately, one process.",
  rows: [
    ["concurrent threads", load.threads],
    ["turns per second", Math.round(load.turns / load.seconds)],
    ["p50 / p99 of a turn", `${load.p50.toFixed(1)} / ${load.p99.toFixed(1)} ms`],
    ["errors", load.errors],
    ["acknowledged turns that are not in the log", load.lost],
    ["resident memory, start → end", `${load.memory_start} → ${load.memory_end} MB`],
    ["live heap after garbage collection, start → end", `${load.heap_start} → ${load.heap_end} MB`],
    ["parked confirmations", parked.count],
    ["resident memory, none → all parked", `${parked.memory_start} → ${parked.memory_end} MB`],
    ["p50 / p99 to resume one", `${parked.resume_p50.toFixed(1)} / ${parked.resume_p99.toFixed(1)} ms`],
  ],
  plot: {
    title: "turns per second over the run",
    labels: [`seconds (${load.per_second.length})`],
    series: [{ name: "turns per second", values: load.per_second }],
  },
});

const residentMegabytes = (): number => Math.round(process.memoryUsage().rss / 1_048_576);

/** Returns the size of the live heap after a collection. Resident memory never shrinks, so it does not show growth. */
function heapMegabytes(): number {
  collectGarbage();
  return Math.round(process.memoryUsage().heapUsed / 1_048_576);
}

async function measureLoad(folder: string, count: number, seconds: number): Promise<LoadMetrics> {
  const { rt, close } = await openRuntime(folder);
  const threads: ThreadRef[] = [];
  for (let n = 0; n < count; n++) threads.push(await newThread(rt));
  const turnsTaken = new Map<string, number>();
  const times: number[] = [];
  const per_second: number[] = Array.from({ length: seconds }, () => 0);
  const heap_start = heapMegabytes();
  const memory_start = residentMegabytes();
  const started = performance.now();
  let errors = 0;
  let next = 0;
  const advanceThreads = async (): Promise<void> => {
    for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - started) / 1000) {
      const at = threads[next++ % threads.length];
      if (!at) return;
      try {
        times.push(await timeTurn(rt, at));
        turnsTaken.set(at.thread, (turnsTaken.get(at.thread) ?? 0) + 1);
        const second = Math.floor((performance.now() - started) / 1000);
        per_second[second] = (per_second[second] ?? 0) + 1;
      } catch {
        errors += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, advanceThreads));
  const lost = await lostTurns(rt, threads, turnsTaken);
  const metrics = {
    threads: count,
    seconds,
    turns: times.length,
    per_second: per_second.slice(0, seconds),
    p50: median(times),
    p99: percentile(times, 0.99),
    errors,
    lost,
    memory_start,
    memory_end: residentMegabytes(),
    heap_start,
    heap_end: heapMegabytes(),
  };
  await close();
  return metrics;
}

/** Counts the acknowledged turns that are missing from their logs. */
async function lostTurns(
  rt: Runtime,
  threads: readonly ThreadRef[],
  turnsTaken: ReadonlyMap<string, number>,
): Promise<number> {
  let lost = 0;
  for (const at of threads) {
    const thread = await loadThread(rt, at);
    lost += Math.max(0, (turnsTaken.get(at.thread) ?? 0) - (thread.ok ? thread.value.state.turn : 0));
  }
  return lost;
}

const RESUMED_SAMPLES = 200;

async function measureParkedThreads(folder: string, count: number): Promise<ParkedMetrics> {
  const { rt, close } = await openRuntime(folder, "write");
  const memory_start = residentMegabytes();
  const sample: ThreadRef[] = [];
  for (let n = 0; n < count; n++) {
    const at = await newThread(rt);
    await takeTurn(rt, at);
    if (n % Math.ceil(count / RESUMED_SAMPLES) === 0) sample.push(at);
    if (n % 10_000 === 9_999) console.error(`${n + 1} of ${count} parked`);
  }
  const memory_end = residentMegabytes();
  const times: number[] = [];
  for (const at of sample) times.push(await resume(rt, at));
  await close();
  return { count, memory_start, memory_end, resume_p50: median(times), resume_p99: percentile(times, 0.99) };
}

/** Returns the time from approving a parked call to its settled receipt. */
async function resume(rt: Runtime, at: ThreadRef): Promise<number> {
  const thread = await loadThread(rt, at);
  const gate = thread.ok ? thread.value.state.gate : null;
  if (gate?.kind !== "confirmation") throw new Error("no confirmation is open");
  const started = performance.now();
  await takeTurn(rt, at, { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" });
  return performance.now() - started;
}
