// Measures background jobs: throughput with 1, 2 and 4 processes on one file, latency after a gate is answered, and the
// cost of a hundred thousand parked jobs. --quick is short, --keep writes its section of docs/reference/benchmarks.md.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LOCAL_TENANT, type ThreadRef } from "../src/schema/ids.ts";
import type { Result } from "../src/schema/problem.ts";
import { loadThread } from "../src/turn/load.ts";
import type { Runtime } from "../src/turn/runtime.ts";
import { databasePath, median, newThread, percentile, takeTurn, withTempFolder } from "./support/bench-runtime.ts";
import {
  idleCpuPercent,
  residentMemory,
  sleep,
  spawnWorkerProcess,
  startProcess,
  startWork,
  stopProcess,
} from "./support/job-processes.ts";
import { openJobRuntime, READ_CALLS, startBenchWorker } from "./support/job-runtime.ts";
import { type Section, writeReport } from "./support/report.ts";

const PROCESSES = [1, 2, 4];
const TURNS = READ_CALLS + 2;

type Size = Readonly<Record<"fast" | "earlier" | "slow" | "answers" | "parked", number>>;
const FULL: Size = { fast: 1200, earlier: 3600, slow: 120, answers: 40, parked: 100_000 };
const QUICK: Size = { fast: 100, earlier: 300, slow: 16, answers: 8, parked: 2_000 };
const MODEL_MS = 200;

export async function run(args: readonly string[] = []): Promise<void> {
  const quick = args.includes("--quick");
  const { fast, earlier, slow, answers, parked } = quick ? QUICK : FULL;
  const instantRates = await withTempFolder((folder) => jobsPerMinute(folder, { jobs: fast, model_ms: 0 }));
  const laterRates = await withTempFolder((folder) => jobsPerMinute(folder, { jobs: fast, earlier, model_ms: 0 }));
  const delayedRates = await withTempFolder((folder) => jobsPerMinute(folder, { jobs: slow, model_ms: MODEL_MS }));
  const answer = await withTempFolder((folder) => measureAnswerLatency(folder, answers));
  const waiting = await withTempFolder((folder) => measureParkedJobs(folder, parked));
  console.log(
    writeReport(buildSection({ instantRates, laterRates, delayedRates }, answer, waiting), args.includes("--keep")),
  );
}

const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};
const newJob = (rt: Runtime, goal: string): Promise<ThreadRef> =>
  newThread(rt, { goal, mode: "direct", run: "background" });

/** `earlier` is the number of jobs that the same processes run before the measurement. */
type Work = { readonly jobs: number; readonly earlier?: number; readonly model_ms: number };

/** Returns the jobs per minute for each number of processes. */
async function jobsPerMinute(folder: string, work: Work): Promise<readonly number[]> {
  const rates: number[] = [];
  for (const processes of PROCESSES) rates.push(await measureRate(folder, processes, work));
  return rates;
}

async function measureRate(folder: string, processes: number, { jobs, earlier = 0, model_ms }: Work): Promise<number> {
  const { rt, close } = await openJobRuntime(folder);
  for (let n = 0; n < earlier + jobs; n++) await newJob(rt, `job ${n}`);
  const children = await Promise.all(Array.from({ length: processes }, () => spawnWorkerProcess(folder, model_ms)));
  const db = new DatabaseSync(databasePath(folder));
  const count = db.prepare("SELECT count(*) AS n FROM outbox");
  const waitUntilLeft = async (left: number): Promise<number> => {
    for (;;) {
      const now = Number(count.get()?.n);
      if (now <= left) return now;
      await sleep(20);
    }
  };
  children.forEach(startWork);
  const measured = await waitUntilLeft(jobs);
  const began = performance.now();
  await waitUntilLeft(0);
  const minutes = (performance.now() - began) / 60_000;
  db.close();
  await Promise.all(children.map(stopProcess));
  await close();
  return Math.round(measured / minutes);
}

async function waitForGate(rt: Runtime, at: ThreadRef) {
  for (;;) {
    const { gate } = unwrap(await loadThread(rt, at)).state;
    if (gate?.kind === "confirmation") return gate;
    await sleep(5);
  }
}

/** Returns the milliseconds from the answer's commit to the commit of the next turn. */
async function timeToNextTurn(rt: Runtime, at: ThreadRef): Promise<number> {
  const { id, digest } = await waitForGate(rt, at);
  const { outcome } = await takeTurn(rt, at, { type: "confirm", gate_id: id, digest, decision: "approve" });
  const began = performance.now();
  while (unwrap(await rt.store.load(at, 1)).head.version === outcome.thread.version) await sleep(1);
  return performance.now() - began;
}

type AnswerLatencies = { readonly sameProcess: readonly number[]; readonly otherProcess: readonly number[] };

async function measureAnswerLatency(folder: string, answers: number): Promise<AnswerLatencies> {
  const { rt: base, close } = await openJobRuntime(folder);
  const { rt, worker } = startBenchWorker(base);
  const sameProcess: number[] = [];
  for (let n = 0; n < answers; n++) sameProcess.push(await timeToNextTurn(rt, await newJob(rt, "write it")));
  await worker.drain();
  const child = await startProcess(folder);
  const otherProcess: number[] = [];
  for (let n = 0; n < answers / 2; n++) otherProcess.push(await timeToNextTurn(base, await newJob(base, "write it")));
  await stopProcess(child);
  await close();
  return { sameProcess, otherProcess };
}

/** Creates a job that waits at its gate and copies it `count` times with other thread ids. */
async function createParkedJobs(folder: string, count: number): Promise<void> {
  const { rt: base, close } = await openJobRuntime(folder);
  const { rt, worker } = startBenchWorker(base);
  const at = await newJob(rt, "write it");
  await waitForGate(rt, at);
  await worker.drain();
  await close();
  const db = new DatabaseSync(databasePath(folder));
  db.exec("PRAGMA synchronous=OFF; BEGIN");
  const name = "'thr_' || printf('%026d', n.value)";
  const numbers = `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${count})`;
  db.exec(`${numbers} INSERT INTO records (tenant, thread, version, commit_id, turn, entry, state)
    SELECT tenant, ${name}, version, commit_id, turn, entry, state FROM records, n WHERE thread = '${at.thread}'`);
  db.exec(`${numbers} INSERT INTO metas (tenant, thread, created_at, state, gated, body, metadata)
    SELECT tenant, ${name}, created_at, state, gated, body, metadata FROM metas, n WHERE thread = '${at.thread}'`);
  db.exec("COMMIT");
  db.close();
}

type ParkedMetrics = {
  readonly count: number;
  readonly memory: readonly [empty: number, parked: number];
  readonly cpu: number | null;
  readonly pollTimes: readonly number[];
  readonly rows: number;
  readonly resumeTimes: readonly number[];
};

async function measureParkedJobs(folder: string, count: number): Promise<ParkedMetrics> {
  const empty = await startProcess(mkdtempSync(join(folder, "empty-")));
  await sleep(3000);
  const before = await residentMemory(empty);
  await stopProcess(empty);
  await createParkedJobs(folder, count);
  const child = await startProcess(folder);
  await sleep(3000);
  const after = await residentMemory(child);
  const cpu = await idleCpuPercent(child, 5);
  const { rt, close } = await openJobRuntime(folder);
  const pollTimes: number[] = [];
  for (let n = 0; n < 500; n++) {
    const began = performance.now();
    unwrap(await rt.store.dueDeliveries(rt.clock.now(), 500));
    pollTimes.push(performance.now() - began);
  }
  const rows = unwrap(await rt.store.dueDeliveries(Number.MAX_SAFE_INTEGER - 1, 10)).length;
  const resumeTimes: number[] = [];
  for (let n = 1; n <= 20; n++) {
    const thread = `thr_${String(n * Math.floor(count / 25)).padStart(26, "0")}` as ThreadRef["thread"];
    resumeTimes.push(await timeToNextTurn(rt, { tenant: LOCAL_TENANT, thread }));
  }
  await stopProcess(child);
  await close();
  return { count, memory: [before, after], cpu, pollTimes, rows, resumeTimes };
}

const formatCount = (n: number): string => n.toLocaleString("en");
const formatTimes = (values: readonly number[], digits = 1): string =>
  `${median(values).toFixed(digits)} / ${percentile(values, 0.95).toFixed(digits)} ms`;

type Rates = Readonly<Record<"instantRates" | "laterRates" | "delayedRates", readonly number[]>>;

function buildSection(
  { instantRates, laterRates, delayedRates }: Rates,
  { sameProcess, otherProcess }: AnswerLatencies,
  { count, memory, cpu, pollTimes, rows, resumeTimes }: ParkedMetrics,
): Section {
  const processes = `${PROCESSES.join(" / ")} processes`;
  const turns = instantRates.map((rate) => Math.round((rate * TURNS) / 60));
  const megabytes = memory.map((bytes) => Math.round(bytes / 2 ** 20));
  return {
    name: "jobs",
    title: "Background jobs",
    description: `Jobs of ${TURNS} turns on one SQLite file with \`synchronous=FULL\`, four concurrently in each process.`,
    rows: [
      [`jobs per minute, the model replies immediately, ${processes}`, instantRates.map(formatCount).join(" / ")],
      ["turns per second of these", turns.map(formatCount).join(" / ")],
      [
        "jobs per minute later, when the processes have run three times as many jobs before",
        laterRates.map(formatCount).join(" / "),
      ],
      [
        `jobs per minute, the model replies after ${MODEL_MS} ms, ${processes}`,
        delayedRates.map(formatCount).join(" / "),
      ],
      ["latency from a gate's answer to the next commit, p50 / p95, same process", formatTimes(sameProcess)],
      ["the same, answered in another process (which polls every 100 ms)", formatTimes(otherProcess)],
      ["parked jobs", formatCount(count)],
      ["outbox rows due to them", rows],
      ["resident memory of a worker, empty file → all parked", `${megabytes.join(" → ")} MB`],
      ["CPU use of that worker while idle", cpu === null ? "not measured" : `${cpu.toFixed(1)} % of a core`],
      ["a poll for due work, p50 / p95", formatTimes(pollTimes, 3)],
      ["latency from the answer to a parked job to its next turn, p50 / p95", formatTimes(resumeTimes)],
    ],
    plot: {
      title: "jobs per minute",
      labels: PROCESSES.map((n) => `${n} process${n > 1 ? "es" : ""}`),
      series: [
        { name: "the model replies immediately", values: instantRates },
        { name: `the model replies after ${MODEL_MS} ms`, values: delayedRates },
      ],
    },
  };
}
