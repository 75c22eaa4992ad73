// What a pure turn costs on SQLite, model time excluded, against the bare file: the same rows read, the same bytes written.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import autocannon from "autocannon";
import { createApp } from "../src/http/app.ts";
import { SCOPES } from "../src/http/caller.ts";
import { createHub } from "../src/http/hub.ts";
import type { FaultPoint } from "../src/ports/faults.ts";
import { LOCAL_TENANT, type ThreadAt } from "../src/schema/ids.ts";
import { ok } from "../src/schema/problem.ts";
import type { Runtime } from "../src/turn/runtime.ts";
import { median, newThread, openRuntime, timeTurn } from "./support/bench-runtime.ts";

/** The same rows read, JSON both ways, the same bytes written: what no runtime can do without. */
function openBare(folder: string, entry: string, state: string) {
  const db = new DatabaseSync(join(folder, "bare.db"));
  db.exec(
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE r(v INTEGER PRIMARY KEY, e TEXT, s TEXT) STRICT",
  );
  const insert = db.prepare("INSERT INTO r VALUES (?,?,?)");
  const newest = db.prepare("SELECT v, e FROM r ORDER BY v DESC LIMIT 17");
  const head = db.prepare("SELECT s FROM r WHERE v=?");
  let v = 0;
  for (; v < 17; v++) insert.run(v, entry, state);
  const roundTrip = (): { readonly whole: number; readonly write: number } => {
    const started = performance.now();
    const rows = newest.all() as { v: number; e: string }[];
    const entries = rows.map((row) => JSON.parse(row.e));
    const held = JSON.parse((head.get(v - 1) as { s: string }).s);
    const e = JSON.stringify(entries[0]);
    const s = JSON.stringify(held);
    const writing = performance.now();
    insert.run(v++, e, s);
    const ended = performance.now();
    return { whole: ended - started, write: ended - writing };
  };
  return { roundTrip, close: () => db.close() };
}

const ROUNDS = 500;

/** One after the other, so that whatever else the machine does slows down both. */
async function againstBare(rt: Runtime, at: ThreadAt, folder: string, entry: string, state: string): Promise<void> {
  const { roundTrip, close } = openBare(folder, entry, state);
  const times = { turn: [] as number[], whole: [] as number[], write: [] as number[] };
  for (let n = 0; n < ROUNDS; n++) {
    times.turn.push(await timeTurn(rt, at));
    const { whole, write } = roundTrip();
    times.whole.push(whole);
    times.write.push(write);
  }
  close();
  const [turn, whole, write] = [median(times.turn), median(times.whole), median(times.write)];
  console.log(
    `    in turns with it: turn ${turn.toFixed(3)} ms, bare round trip ${whole.toFixed(3)} ms, bare write ${write.toFixed(3)} ms`,
  );
  console.log(
    `    turn / bare round trip = ${(turn / whole).toFixed(2)} (target 2), turn / bare write = ${(turn / write).toFixed(2)} (target 3)`,
  );
}

export async function run(): Promise<void> {
  for (const part of [longThread, manyThreads, overHttp]) {
    const folder = mkdtempSync(join(tmpdir(), "pawl-bench-"));
    try {
      await part(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
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

async function longThread(folder: string): Promise<void> {
  const { rt, close } = await openRuntime(folder);
  const old = await newThread(rt);
  const times: number[] = [];
  for (let n = 0; n < 1000; n++) times.push(await timeTurn(rt, old));
  const rows = await rt.store.records(old, { after: -1, limit: 1001 });
  if (!rows.ok) throw new Error(rows.problem.message);
  const size = (n: number): number => Buffer.byteLength((rows.value[n]?.entry ?? "") + (rows.value[n]?.state ?? ""));
  const around = (n: number): number => median(times.slice(Math.max(0, n - 10), n));
  const last = rows.value.at(-1);
  console.log("W1  one thread, 1000 pure turns with a 2 KB observation, loaded fresh each turn, SQLite FULL");
  for (const n of [10, 100, 1000]) {
    console.log(
      `    turn ${String(n).padStart(4)}: ${around(n).toFixed(3)} ms  ${size(n)} bytes stored (entry ${Buffer.byteLength(rows.value[n]?.entry ?? "")}, state ${Buffer.byteLength(rows.value[n]?.state ?? "")})`,
    );
  }
  await againstBare(rt, old, folder, last?.entry ?? "", last?.state ?? "");
  await interleaved(rt, old);
  await close();
  await stops(folder);
}

async function interleaved(rt: Runtime, old: ThreadAt): Promise<void> {
  const young = await newThread(rt);
  for (let n = 0; n < 10; n++) await timeTurn(rt, young);
  const ages = { old: [] as number[], young: [] as number[] };
  for (let n = 0; n < 200; n++) {
    // A thread is young only for so long: begin again before it is not.
    const fresh = await newThread(rt);
    for (let k = 0; k < 18; k++) await timeTurn(rt, fresh);
    ages.young.push(await timeTurn(rt, fresh));
    ages.old.push(await timeTurn(rt, old));
  }
  console.log(
    `    old (1000+) / young (18) interleaved = ${(median(ages.old) / median(ages.young)).toFixed(2)} (target 1.1)`,
  );
}
