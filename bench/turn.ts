// What a pure turn costs on SQLite, model time excluded, against the bare file: the same rows read, the same bytes written.
// Ratios of medians, measured in turns. --keep writes its section of docs/reference/benchmarks.md.
import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import autocannon from "autocannon";
import { createApp } from "../src/http/app.ts";
import { SCOPES } from "../src/http/edge/caller.ts";
import { createHub } from "../src/http/live/hub.ts";
import type { FaultPoint } from "../src/ports/faults.ts";
import { LOCAL_TENANT, type ThreadAt } from "../src/schema/ids.ts";
import { ok } from "../src/schema/problem.ts";
import type { Runtime } from "../src/turn/runtime.ts";
import { type BareFile, openBare } from "./support/bare-file.ts";
import { fileIn, inFolder, median, newThread, openRuntime, timeTurn } from "./support/bench-runtime.ts";
import { report } from "./support/report.ts";
import { type Age, compareAges, grown, rowAt } from "./support/turn-ages.ts";
import { type Costs, type Medians, sectionOf } from "./support/turn-section.ts";

export async function run(args: readonly string[] = []): Promise<void> {
  const costs = await inFolder(againstBare);
  const ages = await inFolder(atAges);
  console.log(report(sectionOf(costs, ages), args.includes("--keep")));
  for (const part of [stops, manyThreads, overHttp]) await inFolder(part);
}

const ROUNDS = 600;
/** The log of the store is written over by then and no longer grows. */
const WARM_TURNS = 1_000;

async function againstBare(folder: string): Promise<Costs> {
  const { rt, close } = await openRuntime(folder);
  const at = await grown(rt, WARM_TURNS);
  const bare = openBare(folder, await rowAt(rt, at, WARM_TURNS));
  const held = await inTurns(rt, at, bare, () => undefined);
  const cpu_ms = await processorTime(rt, at);
  const others = writeBeside(folder);
  const read = await inTurns(rt, at, bare, others.write);
  const bare_pages = bare.pages();
  bare.close();
  others.close();
  await close();
  return { held, read, cpu_ms, bare_pages };
}

/** One after the other and in changing order, so that whatever else the machine does slows down all of them. */
async function inTurns(rt: Runtime, at: ThreadAt, bare: BareFile, before: () => void): Promise<Medians> {
  const times = { turn: [] as number[], whole: [] as number[], write: [] as number[] };
  const turn = async (): Promise<void> => {
    before();
    times.turn.push(await timeTurn(rt, at));
  };
  for (let n = 0; n < ROUNDS; n += 1) {
    if (n % 2 === 0) await turn();
    const { whole, write } = bare.roundTrip();
    times.whole.push(whole);
    times.write.push(write);
    if (n % 2 === 1) await turn();
  }
  return { turn: median(times.turn), whole: median(times.whole), write: median(times.write) };
}

/** Another process that commits something: what this one holds of the file is worth nothing then. */
function writeBeside(folder: string): { readonly write: () => void; readonly close: () => void } {
  const db = new DatabaseSync(fileIn(folder));
  db.exec("PRAGMA synchronous = OFF; CREATE TABLE beside (n INTEGER) STRICT; INSERT INTO beside VALUES (0)");
  const count = db.prepare("UPDATE beside SET n = n + 1");
  return { write: () => void count.run(), close: () => db.close() };
}

async function processorTime(rt: Runtime, at: ThreadAt): Promise<number> {
  const started = process.cpuUsage();
  for (let n = 0; n < ROUNDS; n += 1) await timeTurn(rt, at);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000 / ROUNDS;
}

async function atAges(folder: string): Promise<readonly Age[]> {
  const { rt, close } = await openRuntime(folder);
  const ages = await compareAges(rt, folder, [18, 100, 1_000, 10_000]);
  await close();
  return ages;
}

const STOPS: readonly (readonly [string, FaultPoint, FaultPoint])[] = [
  ["load", "load.before", "load.after"],
  ["resolve and word the prompt", "load.after", "model.before"],
  ["think (scripted)", "model.before", "model.after"],
  ["parse, prepare, judge", "model.after", "tool.before"],
  ["act", "tool.before", "tool.after"],
  ["receipt and record", "tool.after", "commit.before"],
  ["keep", "commit.before", "commit.after"],
];

/** The medians between the named points of the way. */
async function stops(folder: string): Promise<void> {
  const passes = new Map<FaultPoint, number>();
  const { rt, close } = await openRuntime(folder, "look", (point) => passes.set(point, performance.now()));
  const at = await newThread(rt);
  const spent = STOPS.map(() => [] as number[]);
  for (let n = 0; n < 300; n++) {
    await timeTurn(rt, at);
    for (const [i, [, from, to]] of STOPS.entries()) spent[i]?.push((passes.get(to) ?? 0) - (passes.get(from) ?? 0));
  }
  const told = STOPS.map(([name], i) => `${name} ${(median(spent[i] ?? []) * 1000).toFixed(0)}`);
  console.log(`    µs per stop: ${told.join(", ")}`);
  await close();
}

async function manyThreads(folder: string): Promise<void> {
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

/** Each connection advances threads of its own: HTTP, JSON, turn and commit, everything but a model. */
async function overHttp(folder: string): Promise<void> {
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
