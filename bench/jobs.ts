// Background jobs: how many a minute with 1, 2 and 4 processes on one file, how soon a run goes on after an answer, and
// what a hundred thousand jobs cost that wait for somebody. Writes its section of docs/reference/benchmarks.md; --quick
// is short and writes nothing.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LOCAL_TENANT, type ThreadAt } from "../src/schema/ids.ts";
import type { Result } from "../src/schema/problem.ts";
import { loadThread } from "../src/turn/load.ts";
import type { Runtime } from "../src/turn/runtime.ts";
import { fileIn, inFolder, median, newThread, percentile, takeTurn } from "./support/bench-runtime.ts";
import { go, idleCost, memoryOf, pause, readyProcess, startProcess, stopProcess } from "./support/job-processes.ts";
import { LOOKS, openJobRuntime, startBenchWorker } from "./support/job-runtime.ts";
import { report, type Section } from "./support/report.ts";

const PROCESSES = [1, 2, 4];
const TURNS = LOOKS + 2;

type Size = { readonly fast: number; readonly slow: number; readonly answers: number; readonly parked: number };
const WHOLE: Size = { fast: 1200, slow: 120, answers: 40, parked: 100_000 };
const QUICK: Size = { fast: 100, slow: 16, answers: 8, parked: 2_000 };
const MODEL_MS = 200;

export async function run(args: readonly string[] = []): Promise<void> {
  const quick = args.includes("--quick");
  const { fast, slow, answers, parked } = quick ? QUICK : WHOLE;
  const at_once = await inFolder((folder) => perMinute(folder, fast, 0));
  const after_a_while = await inFolder((folder) => perMinute(folder, slow, MODEL_MS));
  const answer = await inFolder((folder) => answerToTurn(folder, answers));
  const waiting = await inFolder((folder) => parkedJobs(folder, parked));
  console.log(report(sectionOf(at_once, after_a_while, answer, waiting), !quick));
}

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};
const newJob = (rt: Runtime, goal: string): Promise<ThreadAt> =>
  newThread(rt, { goal, mode: "direct", run: "background" });

/** Jobs per minute for each number of processes. */
async function perMinute(folder: string, jobs: number, model_ms: number): Promise<readonly number[]> {
  const rates: number[] = [];
  for (const processes of PROCESSES) rates.push(await share(folder, processes, jobs, model_ms));
  return rates;
}

async function share(folder: string, processes: number, jobs: number, model_ms: number): Promise<number> {
  const { rt, close } = await openJobRuntime(folder);
  for (let n = 0; n < jobs; n++) await newJob(rt, `job ${n}`);
  const children = await Promise.all(Array.from({ length: processes }, () => readyProcess(folder, model_ms)));
  const began = performance.now();
  children.forEach(go);
  while (must(await rt.store.dueDeliveries(Number.MAX_SAFE_INTEGER - 1, 1)).length > 0) await pause(20);
  const minutes = (performance.now() - began) / 60_000;
  await Promise.all(children.map(stopProcess));
  await close();
  return Math.round(jobs / minutes);
}

async function gateOf(rt: Runtime, at: ThreadAt) {
  for (;;) {
    const { gate } = must(await loadThread(rt, at)).state;
    if (gate?.kind === "confirmation") return gate;
    await pause(5);
  }
}

/** Milliseconds from the answer's commit to the commit of the next turn. */
async function answered(rt: Runtime, at: ThreadAt): Promise<number> {
  const { id, digest } = await gateOf(rt, at);
  const { outcome } = await takeTurn(rt, at, { type: "confirm", gate_id: id, digest, decision: "approve" });
  const began = performance.now();
  while (must(await rt.store.load(at, 1)).head.version === outcome.thread.version) await pause(1);
  return performance.now() - began;
}

type AnswerFigures = { readonly here: readonly number[]; readonly elsewhere: readonly number[] };

async function answerToTurn(folder: string, answers: number): Promise<AnswerFigures> {
  const { rt: base, close } = await openJobRuntime(folder);
  const { rt, worker } = startBenchWorker(base);
  const here: number[] = [];
  for (let n = 0; n < answers; n++) here.push(await answered(rt, await newJob(rt, "write it")));
  await worker.drain();
  const child = await startProcess(folder);
  const elsewhere: number[] = [];
  for (let n = 0; n < answers / 2; n++) elsewhere.push(await answered(base, await newJob(base, "write it")));
  await stopProcess(child);
  await close();
  return { here, elsewhere };
}

/** One job that waits at its gate, written down so many times under other names. */
async function park(folder: string, count: number): Promise<void> {
  const { rt: base, close } = await openJobRuntime(folder);
  const { rt, worker } = startBenchWorker(base);
  const at = await newJob(rt, "write it");
  await gateOf(rt, at);
  await worker.drain();
  await close();
  const db = new DatabaseSync(fileIn(folder));
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

type ParkedFigures = {
  readonly count: number;
  readonly memory: readonly [empty: number, parked: number];
  readonly cpu: number | null;
  readonly looks: readonly number[];
  readonly rows: number;
  readonly woken: readonly number[];
};

async function parkedJobs(folder: string, count: number): Promise<ParkedFigures> {
  const empty = await startProcess(mkdtempSync(join(folder, "empty-")));
  await pause(3000);
  const before = await memoryOf(empty);
  await stopProcess(empty);
  await park(folder, count);
  const child = await startProcess(folder);
  await pause(3000);
  const after = await memoryOf(child);
  const cpu = await idleCost(child, 5);
  const { rt, close } = await openJobRuntime(folder);
  const looks: number[] = [];
  for (let n = 0; n < 500; n++) {
    const began = performance.now();
    must(await rt.store.dueDeliveries(rt.clock.now(), 500));
    looks.push(performance.now() - began);
  }
  const rows = must(await rt.store.dueDeliveries(Number.MAX_SAFE_INTEGER - 1, 10)).length;
  const woken: number[] = [];
  for (let n = 1; n <= 20; n++) {
    const thread = `thr_${String(n * Math.floor(count / 25)).padStart(26, "0")}` as ThreadAt["thread"];
    woken.push(await answered(rt, { tenant: LOCAL_TENANT, thread }));
  }
  await stopProcess(child);
  await close();
  return { count, memory: [before, after], cpu, looks, rows, woken };
}

const inThousands = (n: number): string => n.toLocaleString("en");
const times = (values: readonly number[], digits = 1): string =>
  `${median(values).toFixed(digits)} / ${percentile(values, 0.95).toFixed(digits)} ms`;

function sectionOf(
  at_once: readonly number[],
  after_a_while: readonly number[],
  { here, elsewhere }: AnswerFigures,
  { count, memory, cpu, looks, rows, woken }: ParkedFigures,
): Section {
  const processes = `${PROCESSES.join(" / ")} processes`;
  const turns = at_once.map((rate) => Math.round((rate * TURNS) / 60));
  const megabytes = memory.map((bytes) => Math.round(bytes / 2 ** 20));
  return {
    name: "jobs",
    title: "Background jobs",
    says: `Jobs of ${TURNS} turns on one SQLite file with \`synchronous=FULL\`, four at once in each process.`,
    rows: [
      [`jobs a minute, the model answers at once, ${processes}`, at_once.map(inThousands).join(" / ")],
      ["turns a second of these", turns.map(inThousands).join(" / ")],
      [
        `jobs a minute, the model answers after ${MODEL_MS} ms, ${processes}`,
        after_a_while.map(inThousands).join(" / "),
      ],
      ["from a gate's answer to the commit of the next turn, p50 / p95, same process", times(here)],
      ["the same, answered in another process (which looks every 100 ms)", times(elsewhere)],
      ["parked jobs", inThousands(count)],
      ["rows that wait because of them", rows],
      ["resident memory of a worker, empty file → all parked", `${megabytes.join(" → ")} MB`],
      ["processor of that worker while idle", cpu === null ? "not measured" : `${cpu.toFixed(1)} % of a core`],
      ["a look for what is due, p50 / p95", times(looks, 3)],
      ["from the answer to a parked job to its next turn, p50 / p95", times(woken)],
    ],
    plot: {
      title: "jobs a minute",
      below: PROCESSES.map((n) => `${n} process${n > 1 ? "es" : ""}`),
      series: [
        { name: "the model answers at once", values: at_once },
        { name: `the model answers after ${MODEL_MS} ms`, values: after_a_while },
      ],
    },
  };
}
