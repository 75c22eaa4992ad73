// Runs many histories on several threads, limited by number and time. Seeds are assigned in order, so that a run can be
// repeated with the same ones.
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { HISTORY_KINDS, type HistoryKind, noHistories } from "./history-kinds.ts";
import type { Batch, BatchResult, Failure } from "./pool-thread.ts";
import type { StoreKind } from "./stores/stores.ts";

export type PoolOptions = {
  readonly from: number;
  readonly histories: number;
  readonly jobs: number;
  /** The time after which no more histories are started. */
  readonly seconds: number;
  /** Called with every result, so that a long run can be observed. */
  readonly onProgress?: (so_far: number, failures: readonly Failure[]) => void;
  /** Restricts the run to one kind. */
  readonly kind?: HistoryKind;
  readonly store?: StoreKind;
};

export type PoolResult = {
  readonly histories: number;
  readonly turns: number;
  readonly faults: number;
  readonly seconds: number;
  /** The CPU time of all threads of this process, which is more meaningful than wall time on a shared machine. */
  readonly cpu_seconds: number;
  readonly kinds: Readonly<Record<HistoryKind, number>>;
  readonly failures: readonly Failure[];
};

const BATCH = 25;
/** The number of failures after which the pool stops. */
const FAILURES_MAX = 20;

export async function runPool(options: PoolOptions): Promise<PoolResult> {
  const started = performance.now();
  const before = process.cpuUsage();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const total = {
    histories: 0,
    turns: 0,
    faults: 0,
    kinds: noHistories(),
    failures: [] as Failure[],
  };
  let begun = 0;
  const next = (): Batch | null => {
    if (begun >= options.histories || total.failures.length >= FAILURES_MAX) return null;
    if (elapsed() >= options.seconds) return null;
    const { kind, store } = options;
    const chosen = { ...(kind && { kind }), ...(store && { store }) };
    // The last batches are smaller, so that all threads end at about the same time.
    const share = Math.ceil((options.histories - begun) / (2 * options.jobs));
    const batch = { from: options.from + begun, count: Math.min(BATCH, share), ...chosen };
    begun += batch.count;
    return batch;
  };
  const add = (result: BatchResult): void => {
    total.histories += result.histories;
    total.turns += result.turns;
    total.faults += result.faults;
    for (const kind of HISTORY_KINDS) total.kinds[kind] += result.kinds[kind];
    total.failures.push(...result.failures);
    options.onProgress?.(total.histories, result.failures);
  };
  await Promise.all(Array.from({ length: options.jobs }, () => runThread(next, add)));
  const { user, system } = process.cpuUsage(before);
  const failures = total.failures.sort((a, b) => a.seed - b.seed);
  return { ...total, failures, seconds: elapsed(), cpu_seconds: (user + system) / 1_000_000 };
}

/** The folder of the compiled sources, which are compiled once and not by each thread of each run. */
const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/simulator");

function runThread(next: () => Batch | null, add: (result: BatchResult) => void): Promise<void> {
  // Most objects of a history are short-lived, and a large young generation is collected less often.
  const resourceLimits = { maxYoungGenerationSizeMb: 192 };
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED };
  const worker = new Worker(new URL("./pool-thread.ts", import.meta.url), { execArgv: [], resourceLimits, env });
  return new Promise<void>((resolve, reject) => {
    const dispatch = (): void => {
      const batch = next();
      if (batch) worker.postMessage(batch);
      else void worker.terminate().then(() => resolve());
    };
    worker.on("message", (result: BatchResult) => {
      add(result);
      dispatch();
    });
    worker.on("error", reject);
    dispatch();
  });
}

export function summarize({ histories, turns, faults, kinds, seconds, cpu_seconds, failures }: PoolResult): string {
  const totals = `${histories} histories with ${turns} records and ${faults} faults in ${seconds.toFixed(1)} s`;
  const rate = `${Math.round(histories / seconds)} a second, ${((cpu_seconds * 1000) / histories).toFixed(1)} ms of CPU each, ${Math.round(faults / cpu_seconds)} faults a CPU second`;
  const perKind = HISTORY_KINDS.map((kind) => `${kinds[kind]} ${kind}`).join(", ");
  return `${totals} (${rate}): ${failures.length} with violations (${perKind})`;
}
