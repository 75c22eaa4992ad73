// Background jobs: how many a minute with 1, 2 and 4 processes on one file, how soon a run goes on after an answer, and
// what a hundred thousand jobs cost that wait for somebody.
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LOCAL_TENANT, type ThreadAt } from "../src/schema/ids.ts";
import type { Result } from "../src/schema/problem.ts";
import { advance } from "../src/turn/advance.ts";
import { createThread } from "../src/turn/create.ts";
import { loadThread } from "../src/turn/load.ts";
import type { Runtime } from "../src/turn/runtime.ts";
import { LOOKS, openJobRuntime, startBenchWorker } from "./support/job-runtime.ts";
import { median } from "./support/rates.ts";

const PROCESS = join(import.meta.dirname, "support/job-runtime.ts");
const ANSWERS = 40;
const PARKED = 100_000;

export async function run(): Promise<void> {
  for (const part of [jobsPerMinute, answerToTurn, parked]) {
    const folder = mkdtempSync(join(tmpdir(), "pawl-jobs-"));
    try {
      await part(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return result.value;
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const percent = (values: readonly number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? Number.NaN;

async function startProcess(folder: string, model_ms = 0): Promise<ChildProcess> {
  const child = fork(PROCESS, [folder, String(model_ms)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  await new Promise((resolve) => child.once("message", resolve));
  return child;
}
const stopProcess = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });

async function newJob(rt: Runtime, goal: string): Promise<ThreadAt> {
  const input = { goal, mode: "direct" as const, run: "background" as const };
  const created = must(await createThread(rt, { tenant: LOCAL_TENANT, actor: "bench", input, key: null }));
  return { tenant: LOCAL_TENANT, thread: created.outcome.thread.id };
}

async function jobsPerMinute(folder: string): Promise<void> {
  console.log(`jobs of ${LOOKS + 2} turns on one SQLite file (synchronous=FULL), 4 at once in each process`);
  for (const [model_ms, jobs] of [
    [0, 400],
    [200, 80],
  ] as const) {
    console.log(`  with a model that answers ${model_ms === 0 ? "at once" : `after ${model_ms} ms`}`);
    for (const processes of [1, 2, 4]) await share(folder, processes, jobs, model_ms);
  }
}

async function share(folder: string, processes: number, jobs: number, model_ms: number): Promise<void> {
  const { rt, close } = await openJobRuntime(folder);
  for (let n = 0; n < jobs; n++) await newJob(rt, `job ${n}`);
  const children = await Promise.all(Array.from({ length: processes }, () => startProcess(folder, model_ms)));
  const began = performance.now();
  while (must(await rt.store.dueDeliveries(Number.MAX_SAFE_INTEGER - 1, 1)).length > 0) await pause(20);
  const seconds = (performance.now() - began) / 1000;
  const rate = Math.round((jobs / seconds) * 60).toLocaleString("en");
  const turns = Math.round((jobs * (LOOKS + 2)) / seconds).toLocaleString("en");
  console.log(`    ${processes} process${processes > 1 ? "es" : "  "}  ${rate} jobs a minute, ${turns} turns a second`);
  await Promise.all(children.map(stopProcess));
  await close();
}

async function gateOf(rt: Runtime, at: ThreadAt) {
  for (;;) {
    const { gate } = must(await loadThread(rt, at)).state;
    if (gate?.kind === "confirmation") return gate;
    await pause(5);
  }
}

/** From the answer's commit to the commit of the next turn. */
async function answered(rt: Runtime, at: ThreadAt): Promise<number> {
  const { id, digest } = await gateOf(rt, at);
  const input = { type: "confirm" as const, gate_id: id, digest, decision: "approve" as const };
  const made = must(
    await advance(rt, {
      at,
      actor: "bench",
      input,
      budget: null,
      if_match: null,
      key: null,
      last_turn: true,
      deadline: rt.clock.now() + 60_000,
      signal: new AbortController().signal,
      emit: () => undefined,
    }),
  );
  const began = performance.now();
  const { version } = made.outcome.thread;
  while (must(await rt.store.load(at, 1)).head.version === version) await pause(1);
  return performance.now() - began;
}

async function answerToTurn(folder: string): Promise<void> {
  const { rt: base, close } = await openJobRuntime(folder);
  const here: number[] = [];
  const { rt, worker } = startBenchWorker(base);
  for (let n = 0; n < ANSWERS; n++) here.push(await answered(rt, await newJob(rt, "write it")));
  await worker.drain();
  const child = await startProcess(folder);
  const elsewhere: number[] = [];
  for (let n = 0; n < ANSWERS / 2; n++) elsewhere.push(await answered(base, await newJob(base, "write it")));
  await stopProcess(child);
  await close();
  const told = (times: readonly number[]): string =>
    `p50 ${median(times).toFixed(1)} ms, p95 ${percent(times, 0.95).toFixed(1)} ms`;
  console.log("from the answer to a gate to the commit of the next turn");
  console.log(`  answered in the process that works     ${told(here)}`);
  console.log(`  answered in another process            ${told(elsewhere)} (it looks every 100 ms)`);
}

/** One job that waits at its gate, written down a hundred thousand times under other names. */
async function park(folder: string): Promise<void> {
  const { rt: base, close } = await openJobRuntime(folder);
  const { rt, worker } = startBenchWorker(base);
  const at = await newJob(rt, "write it");
  await gateOf(rt, at);
  await worker.drain();
  await close();
  const db = new DatabaseSync(join(folder, "pawl.db"));
  db.exec("PRAGMA synchronous=OFF; BEGIN");
  const name = "'thr_' || printf('%026d', n.value)";
  const numbers = `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${PARKED})`;
  db.exec(`${numbers} INSERT INTO records (tenant, thread, version, commit_id, turn, entry, state)
    SELECT tenant, ${name}, version, commit_id, turn, entry, state FROM records, n WHERE thread = '${at.thread}'`);
  db.exec(`${numbers} INSERT INTO metas (tenant, thread, created_at, state, gated, body, metadata)
    SELECT tenant, ${name}, created_at, state, gated, body, metadata FROM metas, n WHERE thread = '${at.thread}'`);
  db.exec("COMMIT");
  db.close();
}

const memoryOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once("message", (rss) => resolve(Number(rss)));
    child.send("memory");
  });

async function parked(folder: string): Promise<void> {
  const empty = await startProcess(mkdtempSync(join(folder, "empty-")));
  await pause(3000);
  const before = await memoryOf(empty);
  await stopProcess(empty);
  await park(folder);
  const child = await startProcess(folder);
  await pause(3000);
  const after = await memoryOf(child);
  const cpu = await cpuOf(child);
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
    const thread = `thr_${String(n * 4000).padStart(26, "0")}` as ThreadAt["thread"];
    woken.push(await answered(rt, { tenant: LOCAL_TENANT, thread }));
  }
  await stopProcess(child);
  await close();
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  console.log(`${PARKED.toLocaleString("en")} jobs that wait at a gate`);
  console.log(`  memory of a worker process             ${mb(after)}, with an empty file ${mb(before)}`);
  console.log(`  its processor time while idle          ${cpu.toFixed(2)} % of a core`);
  console.log(
    `  a look for what is due                 p50 ${median(looks).toFixed(3)} ms, p95 ${percent(looks, 0.95).toFixed(3)} ms; rows that wait: ${rows}`,
  );
  console.log(
    `  answered in another process            p50 ${median(woken).toFixed(0)} ms, p95 ${percent(woken, 0.95).toFixed(0)} ms to the next turn`,
  );
}

/** Over five seconds of doing nothing. */
async function cpuOf({ pid }: ChildProcess): Promise<number> {
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  const began = ticks();
  await pause(5000);
  return (ticks() - began) / 5;
}
