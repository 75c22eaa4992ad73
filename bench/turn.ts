// Measures a pure turn on SQLite without model time and compares it with the bare file: the same rows are read and the
// same bytes written. Reports ratios of medians, measured alternately. --keep writes its section of
// docs/reference/benchmarks.md.
import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import autocannon from "autocannon";
import { createApp } from "../src/http/app.ts";
import { SCOPES } from "../src/http/edge/caller.ts";
import { createHub } from "../src/http/live/hub.ts";
import type { FaultPoint } from "../src/ports/faults.ts";
import { LOCAL_TENANT, type ThreadRef } from "../src/schema/ids.ts";
import { ok } from "../src/schema/problem.ts";
import type { Runtime } from "../src/turn/runtime.ts";
import { type BaselineFile, openBaseline } from "./support/baseline-file.ts";
import { databasePath, median, newThread, openRuntime, timeTurn, withTempFolder } from "./support/bench-runtime.ts";
import { writeReport } from "./support/report.ts";
import { type AgeMeasurement, compareAges, rowAt, threadWithTurns } from "./support/turn-ages.ts";
import { type Costs, type Medians, sectionOf } from "./support/turn-section.ts";

export async function run(args: readonly string[] = []): Promise<void> {
  const costs = await withTempFolder(measureAgainstBaseline);
  const ages = await withTempFolder(measureAges);
  console.log(writeReport(sectionOf(costs, ages), args.includes("--keep")));
  for (const part of [measureStages, measureManyThreads, measureHttp]) await withTempFolder(part);
}

const ROUNDS = 600;
/** After this many turns the store's log is overwritten and no longer grows. */
const WARM_TURNS = 1_000;

async function measureAgainstBaseline(folder: string): Promise<Costs> {
  const { rt, close } = await openRuntime(folder);
  const at = await threadWithTurns(rt, WARM_TURNS);
  const baseline = openBaseline(folder, await rowAt(rt, at, WARM_TURNS));
  const cached = await measureAlternately(rt, at, baseline, () => undefined);
  const cpu_ms = await cpuTime(rt, at);
  const concurrentWriter = openConcurrentWriter(folder);
  const uncached = await measureAlternately(rt, at, baseline, concurrentWriter.write);
  const bare_pages = baseline.pages();
  baseline.close();
  concurrentWriter.close();
  await close();
  return { cached, uncached, cpu_ms, bare_pages };
}

/** Measures in changing order, so that other load on the machine affects all cases equally. */
async function measureAlternately(
  rt: Runtime,
  at: ThreadRef,
  baseline: BaselineFile,
  before: () => void,
): Promise<Medians> {
  const times = { turn: [] as number[], roundTrip: [] as number[], write: [] as number[] };
  const turn = async (): Promise<void> => {
    before();
    times.turn.push(await timeTurn(rt, at));
  };
  for (let n = 0; n < ROUNDS; n += 1) {
    if (n % 2 === 0) await turn();
    const { total, write } = baseline.roundTrip();
    times.roundTrip.push(total);
    times.write.push(write);
    if (n % 2 === 1) await turn();
  }
  return { turn: median(times.turn), roundTrip: median(times.roundTrip), write: median(times.write) };
}

/** Simulates another process that commits, which invalidates this process's row cache. */
function openConcurrentWriter(folder: string): { readonly write: () => void; readonly close: () => void } {
  const db = new DatabaseSync(databasePath(folder));
  db.exec("PRAGMA synchronous = OFF; CREATE TABLE beside (n INTEGER) STRICT; INSERT INTO beside VALUES (0)");
  const count = db.prepare("UPDATE beside SET n = n + 1");
  return { write: () => void count.run(), close: () => db.close() };
}

async function cpuTime(rt: Runtime, at: ThreadRef): Promise<number> {
  const started = process.cpuUsage();
  for (let n = 0; n < ROUNDS; n += 1) await timeTurn(rt, at);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000 / ROUNDS;
}

async function measureAges(folder: string): Promise<readonly AgeMeasurement[]> {
  const { rt, close } = await openRuntime(folder);
  const ages = await compareAges(rt, folder, [18, 100, 1_000, 10_000]);
  await close();
  return ages;
}

const STAGES: readonly (readonly [string, FaultPoint, FaultPoint])[] = [
  ["load", "load.before", "load.after"],
  ["resolve tools and build the prompt", "load.after", "model.before"],
  ["think (scripted)", "model.before", "model.after"],
  ["parse, prepare, judge", "model.after", "tool.before"],
  ["act", "tool.before", "tool.after"],
  ["receipt and record", "tool.after", "commit.before"],
  ["commit", "commit.before", "commit.after"],
];

/** Measures the medians between the fault points of a turn. */
async function measureStages(folder: string): Promise<void> {
  const passedAt = new Map<FaultPoint, number>();
  const { rt, close } = await openRuntime(folder, "look", (point) => passedAt.set(point, performance.now()));
  const at = await newThread(rt);
  const spent = STAGES.map(() => [] as number[]);
  for (let n = 0; n < 300; n++) {
    await timeTurn(rt, at);
    for (const [i, [, from, to]] of STAGES.entries())
      spent[i]?.push((passedAt.get(to) ?? 0) - (passedAt.get(from) ?? 0));
  }
  const lines = STAGES.map(([name], i) => `${name} ${(median(spent[i] ?? []) * 1000).toFixed(0)}`);
  console.log(`    µs per stage: ${lines.join(", ")}`);
  await close();
}

async function measureManyThreads(folder: string): Promise<void> {
  const { rt, close } = await openRuntime(folder);
  const started = performance.now();
  const times: number[] = [];
  for (let n = 0; n < 1000; n++) {
    const at = await newThread(rt);
    for (let k = 0; k < 5; k++) times.push(await timeTurn(rt, at));
  }
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `W3  1000 threads × 5 turns: ${(5000 / seconds).toFixed(0)} turns/s, median ${median(times).toFixed(3)} ms`,
  );
  await close();
}

const CONNECTIONS = 16;

/**
 * Measures requests over HTTP: JSON, turn and commit, everything except a model. Each connection advances its own
 * threads.
 */
async function measureHttp(folder: string): Promise<void> {
  const { rt, close } = await openRuntime(folder);
  const app = createApp({
    rt,
    hub: createHub(),
    authenticate: () => ok({ tenant: LOCAL_TENANT, name: "bench", scopes: new Set(SCOPES) }),
    local_only: true,
    cors_origins: [],
    limits: { max_turns: 20 },
    rate_limit: () => ok(undefined),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    release: "bench",
  });
  const listening = Promise.withResolvers<number>();
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, (info) => listening.resolve(info.port));
  const port = await listening.promise;
  const threads = await Promise.all(Array.from({ length: CONNECTIONS * 4 }, () => newThread(rt)));
  let n = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: 8,
    requests: [
      {
        method: "POST",
        setupRequest: (request) => ({ ...request, path: `/v1/threads/${threads[n++ % threads.length]?.thread}/turns` }),
      },
    ],
  });
  const { average, p99 } = { average: result.requests.average, p99: result.latency.p99 };
  console.log(
    `W4  HTTP, ${CONNECTIONS} connections: ${average.toFixed(0)} turns/s, p99 ${p99} ms, ${result.non2xx} refused (a lost race is a 409)`,
  );
  server.close();
  await close();
}
