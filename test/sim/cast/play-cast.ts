// Plays one history with a cast: two processes that crash and restart, a store that fails, loses replies and acts late
// or twice, and users. The cast defines the tools, users and invariants.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createIds } from "../../../src/adapters/ids-random.ts";
import { createMemoryData, createMemoryStore, type MemoryData } from "../../../src/adapters/store-memory.ts";
import type { Worker } from "../../../src/jobs/worker.ts";
import { noCompanions } from "../../../src/ports/companions.ts";
import type { Model } from "../../../src/ports/model.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import type { Toolbox } from "../../../src/tools/toolbox.ts";
import { DEFAULT_CONFIG, type Runtime } from "../../../src/turn/runtime.ts";
import { createInFlightTurns } from "../../../src/turn/think/in-flight.ts";
import { crashFaults, faultyStore } from "../ports.ts";
import { bytesOf, createRandom, roll, STREAMS } from "../random.ts";
import { simSettings } from "../settings.ts";
import { cacheFor, validatesByDefault } from "../shared-cache.ts";
import { mirrorStore } from "../stores/mirror-store.ts";
import { defaultStore, openStore, type StoreKind } from "../stores/stores.ts";
import { createWorld, type HistoryPlan, type Process, type World } from "../world.ts";

export type CastOptions = {
  readonly store?: StoreKind | undefined;
  readonly keepTrace?: boolean | undefined;
  readonly hashTrace?: boolean | undefined;
  readonly fullEventLoop?: boolean | undefined;
  readonly validateRows?: boolean | undefined;
  /** A deliberately broken store. */
  readonly brokenStore?: ((store: ThreadStore) => ThreadStore) | undefined;
};

export type CastServer = { readonly process: Process; readonly rt: Runtime };
export type ServerAt = (slot: number) => CastServer;
export type CastServerParts = {
  readonly model: Model;
  readonly toolbox: Toolbox;
  readonly parts?: readonly string[];
  readonly time_zone?: string;
  /** Called with the runtime, which the tools may need. */
  readonly onStart?: (rt: Runtime) => Worker | null;
};

export type Cast = {
  /** Prepares the data. `store` writes without faults. */
  readonly prepare: (data: MemoryData, store: ThreadStore) => Promise<void>;
  readonly server: (process: Process, bugs: string[]) => CastServerParts;
  readonly wrapStore?: (store: ThreadStore, pollNow: () => void) => ThreadStore;
  readonly people: (serverAt: ServerAt) => Promise<unknown>;
  readonly settle: (serverAt: ServerAt, data: MemoryData) => Promise<unknown>;
  readonly violations: (data: MemoryData) => readonly string[] | Promise<readonly string[]>;
};

export const CAST_SLOTS = 2;
const ROUNDS = 60;

export async function playCast(plan: HistoryPlan, options: CastOptions, castIn: (world: World) => Cast) {
  const { seed } = plan;
  const { keepTrace, hashTrace, fullEventLoop, validateRows = validatesByDefault(seed) } = options;
  const world = createWorld(plan, { keepTrace, hashTrace, fullEventLoop, validateRows });
  const cast = castIn(world);
  const data = createMemoryData();
  const real = options.brokenStore ? null : await openStore(options.store ?? defaultStore(seed));
  const mirrored = real && mirrorStore(real, data, world);
  const memory = createMemoryStore(data);
  const storeOf = (process: Process): ThreadStore =>
    mirrored?.store(process) ?? options.brokenStore?.(memory) ?? memory;
  const bugs: string[] = [];
  const servers: CastServer[] = [];
  const serverAt: ServerAt = (slot) => {
    const current = servers[slot];
    if (current?.process.alive) return current;
    const started = startServer(world, cast, slot, storeOf, bugs);
    servers[slot] = started;
    started.process.onDeath.push(() => {
      const delay = Math.floor(200 + 3000 * roll(seed, STREAMS.restart, started.process.id));
      void world.wait(null, "restart", delay).then(() => serverAt(slot));
    });
    return started;
  };
  await cast.prepare(data, mirrored?.store({ id: -1, slot: -1, alive: true, onDeath: [] }) ?? memory);
  for (let slot = 0; slot < CAST_SLOTS; slot += 1) serverAt(slot);
  const found: string[] = [];
  const play = async (what: string, work: Promise<unknown>): Promise<void> => {
    let finished = false;
    void work.then(() => {
      finished = true;
    });
    const ended = await world.run(() => finished);
    if (ended !== "done") found.push(`C5 ${what} does not end: ${ended}`);
    await world.run(() => false);
  };
  await play("the history", cast.people(serverAt));
  world.stopFaults();
  await play("settling", cast.settle(serverAt, data));
  const rows = [...data.records.values()].flat();
  world.trace.note(() => rows.map((row) => row.entry + row.state).join("\n"));
  await mirrored?.close();
  const differences = mirrored?.differences ?? [];
  const violations = [...found, ...differences, ...bugs.map((bug) => `bug: ${bug}`), ...(await cast.violations(data))];
  return {
    seed,
    violations,
    hash: world.trace.hash(),
    fired: [...world.fired],
    actions: [],
    steps: world.steps(),
    turns: rows.length - data.records.size,
    lines: world.trace.lines,
  };
}

function startServer(
  world: World,
  cast: Cast,
  slot: number,
  storeOf: (process: Process) => ThreadStore,
  bugs: string[],
): CastServer {
  const process = world.spawn(slot);
  const clock = world.clockOf(process);
  const random = createRandom(world.seed, 7, process.id);
  const { model, toolbox, parts = [], time_zone, onStart } = cast.server(process, bugs);
  let worker: Worker | null = null;
  const store = faultyStore(world, process, storeOf(process));
  const rt: Runtime = {
    store: cast.wrapStore?.(store, () => worker?.pollNow()) ?? store,
    settings: simSettings(),
    companions: noCompanions,
    pickModel: () => model,
    toolbox,
    hooks: [],
    clock,
    ids: createIds(clock, (size) => bytesOf(random, size)),
    hash: nodeHash,
    faults: crashFaults(world, process),
    config: { ...DEFAULT_CONFIG, parts, turn_deadline_ms: 20_000, ...(time_zone && { time_zone }) },
    running: new Set(),
    in_flight: createInFlightTurns(),
    cache: cacheFor(world),
  };
  worker = onStart?.(rt) ?? null;
  return { process, rt };
}

/** Asks one server after another, because a server that crashes never answers. */
export async function untilAnswered<T, R>(
  world: World,
  serverAt: ServerAt,
  first: number,
  ask: (server: CastServer) => Promise<T>,
  answer: (response: T) => R | null,
): Promise<R | null> {
  for (let i = 0; i < ROUNDS; i += 1) {
    const server = serverAt((first + i) % CAST_SLOTS);
    const died = new Promise<null>((resolve) => server.process.onDeath.push(() => resolve(null)));
    const response = await Promise.race([ask(server), died]);
    const found = response === null ? null : answer(response);
    if (found !== null) return found;
    await world.wait(null, "ask again", 700);
  }
  return null;
}
