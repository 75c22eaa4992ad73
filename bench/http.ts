// Measures what the HTTP layer adds to a turn on SQLite without model time: `advance` alone, the app's `fetch`, the
// `fetch` of an embedding program, and a socket with its client. Turns are measured alternately in random order. Fails
// above 25 %.
import { once } from "node:events";
import { serve } from "@hono/node-server";
import { createFetch } from "../src/hosts/in-process.ts";
import { createApp } from "../src/http/app.ts";
import { SCOPES } from "../src/http/edge/caller.ts";
import { createHub } from "../src/http/live/hub.ts";
import { LOCAL_TENANT, type ThreadRef } from "../src/schema/ids.ts";
import { ok } from "../src/schema/problem.ts";
import type { Runtime } from "../src/turn/runtime.ts";
import {
  type BenchRuntime,
  median,
  newThread,
  openRuntime,
  takeTurn,
  withTempFolder,
} from "./support/bench-runtime.ts";
import { seededRandom, shuffled } from "./support/random.ts";

const ROUNDS = 200;
/**
 * The rounds before the measurement. V8 must have compiled the code of the turn and of the layer before the paths are
 * compared.
 */
const WARM_ROUNDS = 300;
/** Turns are measured in groups, because processor time is not exact for a single turn. */
const TURNS_PER_ROUND = 5;
const MAX_OVERHEAD = 0.25;

type Cost = { readonly wall: number; readonly cpu: number };
type Measured = { readonly name: string; readonly limit: number | null } & Cost;
type TurnPath = {
  readonly name: string;
  readonly turn: (at: ThreadRef) => Promise<unknown>;
  readonly limit: number | null;
};

export async function run(): Promise<void> {
  const paths = await withTempFolder(measure);
  const [bare] = paths;
  if (!bare) throw new Error("Nothing was measured.");
  const added = (part: keyof Cost, path: Measured): string => `${(100 * (path[part] / bare[part] - 1)).toFixed(0)} %`;
  console.log("| a turn through | ms | added | ms of processor time | added |\n|---|---|---|---|---|");
  for (const path of paths)
    console.log(
      `| ${path.name} | ${path.wall.toFixed(3)} | ${added("wall", path)} | ${path.cpu.toFixed(3)} | ${added("cpu", path)} |`,
    );
  const tooSlow = paths.find(({ wall, limit }) => limit !== null && wall / bare.wall - 1 > limit);
  if (tooSlow) throw new Error(`${tooSlow.name} adds more than ${100 * MAX_OVERHEAD} % to a turn.`);
}

async function measure(folder: string): Promise<readonly Measured[]> {
  const { rt, close }: BenchRuntime = await openRuntime(folder);
  const app = createBenchApp(rt);
  const embedded = createFetch(rt);
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const paths: readonly TurnPath[] = [
    { name: "`advance`", turn: (at) => takeTurn(rt, at), limit: null },
    { name: "the app's `fetch`", turn: (at) => post(app.fetch, "http://localhost", at), limit: MAX_OVERHEAD },
    { name: "`createFetch`", turn: (at) => post(embedded, "http://localhost", at), limit: MAX_OVERHEAD },
    // The client runs in this process, so this is the cost of both sides.
    { name: "a socket, with its client", turn: (at) => post(fetch, base, at), limit: null },
  ];
  const costs = paths.map((): Cost[] => []);
  const random = seededRandom(1);
  const threads = await Promise.all(paths.map(() => newThread(rt)));
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
    for (const i of shuffled(random, paths.length)) {
      const [path, at] = [paths[i], threads[i]];
      if (!path || !at) continue;
      const cost = await costOf(async () => {
        for (let turn = 0; turn < TURNS_PER_ROUND; turn += 1) await path.turn(at);
      });
      if (round >= 0) costs[i]?.push(cost);
    }
  }
  server.close();
  await close();
  const middle = (i: number, part: keyof Cost): number => median((costs[i] ?? []).map((cost) => cost[part]));
  return paths.map(({ name, limit }, i) => ({ name, limit, wall: middle(i, "wall"), cpu: middle(i, "cpu") }));
}

/** Returns the milliseconds per turn of a round. */
async function costOf(round: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage();
  const started = performance.now();
  await round();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { wall: wall / TURNS_PER_ROUND, cpu: (user + system) / 1000 / TURNS_PER_ROUND };
}

const createBenchApp = (rt: Runtime) =>
  createApp({
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

async function post(
  send: (request: Request) => Response | Promise<Response>,
  base: string,
  { thread }: ThreadRef,
): Promise<void> {
  const headers = { host: new URL(base).host };
  const response = await send(new Request(`${base}/v1/threads/${thread}/turns`, { method: "POST", headers }));
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
}
