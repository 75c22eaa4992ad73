// One history of parents with sub-agents and of workflows, from its seed: two processes with a job worker each that crash and restart,
// a store that fails, loses replies and acts late or twice, deliveries that arrive twice, and people who cancel and resume.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createIds } from "../../../src/adapters/ids-random.ts";
import { createMemorySettings } from "../../../src/adapters/settings-memory.ts";
import { createMemoryData, createMemoryStore, type MemoryData } from "../../../src/adapters/store-memory.ts";
import { withPollOnWrite } from "../../../src/hosts/shared/host-worker.ts";
import { createCrew } from "../../../src/jobs/crew/create-crew.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import { type DeliveryHandler, startWorker, type Worker } from "../../../src/jobs/worker.ts";
import { noCompanions } from "../../../src/ports/companions.ts";
import type { Crew } from "../../../src/ports/crew/crew.ts";
import { NEVER_DUE, type ThreadStore } from "../../../src/ports/thread-store.ts";
import type { Gate } from "../../../src/schema/gate.ts";
import { LOCAL_TENANT, type ThreadId } from "../../../src/schema/ids.ts";
import type { CreateInput, TurnInput } from "../../../src/schema/input.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import { createThread } from "../../../src/threads/create.ts";
import { saveWorkflow } from "../../../src/threads/workflows.ts";
import { crew } from "../../../src/toolkits/crew/toolkit.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { bodyHash, keyHash } from "../../../src/turn/commit/idempotency-keys.ts";
import { DEFAULT_CONFIG, type Runtime } from "../../../src/turn/runtime.ts";
import { createRuntimeCache } from "../../../src/turn/runtime-cache.ts";
import { createInFlightTurns } from "../../../src/turn/think/in-flight.ts";
import { loadWorkflowTurns } from "../../../src/turn/workflow/load-turns.ts";
import { attachTestThread, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";
import { PAIR } from "../../support/workflow.ts";
import { crashFaults, faultyStore } from "../ports.ts";
import { bytesOf, createRandom, roll, STREAMS } from "../random.ts";
import { createWorld, type Process, type World } from "../world.ts";
import { crewViolations } from "./invariants.ts";
import { crewModel } from "./model.ts";

/** A deliberately broken part, to check that the invariants detect it. */
export type CrewSabotage = {
  readonly crew?: (crew: Crew, rt: Runtime) => Crew;
  readonly store?: (store: ThreadStore) => ThreadStore;
};

type Server = { readonly process: Process; readonly rt: Runtime; readonly worker: Worker };
const SLOTS = 2;
const POLL_MS = 500;
const ROUNDS = 60;

export async function runCrewHistory(seed: number, sabotage: CrewSabotage = {}): Promise<readonly string[]> {
  const world = createWorld({ seed });
  const data = createMemoryData();
  const store = sabotage.store?.(createMemoryStore(data)) ?? createMemoryStore(data);
  const bugs: string[] = [];
  const servers: Server[] = [];
  const serverAt = (slot: number): Server => {
    const current = servers[slot];
    if (current?.process.alive) return current;
    const started = startServer(world, slot, { data, store, sabotage, bugs });
    servers[slot] = started;
    started.process.onDeath.push(() => {
      const delay = Math.floor(200 + 3000 * roll(seed, STREAMS.restart, started.process.id));
      void world.wait(null, "restart", delay).then(() => serverAt(slot));
    });
    return started;
  };
  await seedWorkflow(world, data);
  for (let slot = 0; slot < SLOTS; slot += 1) serverAt(slot);
  const found: string[] = [];
  const play = async (what: string, work: Promise<unknown>): Promise<void> => {
    let finished = false;
    void work.then(() => {
      finished = true;
    });
    const ended = await world.run(() => finished);
    if (ended !== "done") found.push(`C5 ${what} does not end: ${ended}`);
  };
  await play("the history", simulatePeople(world, serverAt));
  await world.run(() => false);
  world.stopFaults();
  await play("settling", settle(world, serverAt, data));
  await world.run(() => false);
  return [...found, ...bugs.map((bug) => `bug: ${bug}`), ...crewViolations(data)];
}

async function seedWorkflow(world: World, data: MemoryData): Promise<void> {
  // Loaded on demand in a server. Within the history that would take real time, which the simulated clock does not see.
  await Promise.all([loadWorkflowTurns(), import("../../../src/turn/workflow/start.ts")]);
  const clock = world.clockOf(null);
  const rt = { store: createMemoryStore(data), hash: nodeHash, clock, ids: createIds(clock) } as unknown as Runtime;
  unwrap(await saveWorkflow(rt, LOCAL_TENANT, PAIR));
}

type Shared = {
  readonly data: MemoryData;
  readonly store: ThreadStore;
  readonly sabotage: CrewSabotage;
  readonly bugs: string[];
};

function startServer(world: World, slot: number, { data, store, sabotage, bugs }: Shared): Server {
  const process = world.spawn(slot);
  const clock = world.clockOf(process);
  const random = createRandom(world.seed, 7, process.id);
  const model = crewModel(world, process);
  let worker: Worker | null = null;
  const rt: Runtime = {
    store: withPollOnWrite(faultyStore(world, process, store), () => worker?.pollNow()),
    settings: createMemorySettings(),
    companions: noCompanions,
    pickModel: () => model,
    toolbox: createToolbox([look]),
    hooks: [],
    clock,
    ids: createIds(clock, (size) => bytesOf(random, size)),
    hash: nodeHash,
    faults: crashFaults(world, process),
    config: { ...DEFAULT_CONFIG, parts: ["crew"], turn_deadline_ms: 20_000 },
    running: new Set(),
    in_flight: createInFlightTurns(),
    cache: createRuntimeCache({ trust_own_rows: false }),
  };
  const port = sabotage.crew?.(createCrew(rt), rt) ?? createCrew(rt);
  unwrap(rt.toolbox.plug({ name: "crew", offered: "always", tools: crew.tools({ clock, crew: port } as never) }));
  worker = startWorker(
    { ...rt, clock: { now: clock.now, sleep: (ms, signal) => world.idle(process, ms, () => nextDue(data), signal) } },
    {
      concurrency: 4,
      poll_ms: POLL_MS,
      handlers: { wake: twiceAtTimes(world, rt, process), tick: ignored, webhook: ignored },
      onError: (_due, error) => bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    },
  );
  return { process, rt, worker };
}

const ignored: DeliveryHandler = async () => ({ kind: "gone" }) as never;

function twiceAtTimes(world: World, rt: Runtime, { id }: Process): DeliveryHandler {
  const options = { owner: `worker-${id}`, lease_ms: 5_000, slice_turns: 4, until: Number.POSITIVE_INFINITY };
  const work: DeliveryHandler = (due, stopping) =>
    runSlice(rt, due, { ...options, attempts_max: 1_000, emit: () => undefined, stopping });
  return async (due, stopping) => {
    if (!world.fault("trigger", { twice: 1 }, 2)) return work(due, stopping);
    const [first] = await Promise.all([work(due, stopping), work(due, stopping)]);
    return first;
  };
}

function nextDue(data: MemoryData): number {
  let next = Number.POSITIVE_INFINITY;
  for (const {
    delivery: { due_at },
  } of data.outbox.values())
    if (due_at !== NEVER_DUE && due_at < next) next = due_at;
  return next;
}

type ServerAt = (slot: number) => Server;

async function simulatePeople(world: World, serverAt: ServerAt): Promise<void> {
  const inputs: readonly CreateInput[] = [
    { goal: "Parent one", mode: "direct", run: "background" },
    { goal: "Parent two", mode: "direct", run: "background" },
    { workflow: "pair", prompt: "Rain.", run: "background" },
  ];
  await Promise.all(inputs.map((input, i) => simulatePerson(world, serverAt, input, i)));
}

/** Creates a thread, again and again until it exists, and at times cancels it while it works. */
async function simulatePerson(world: World, serverAt: ServerAt, input: CreateInput, i: number): Promise<void> {
  const name = `person-${i}`;
  const key = { name, hash: keyHash(nodeHash, name), body: bodyHash(nodeHash, { route: "x", query: {}, body: input }) };
  const create = ({ rt }: Server) => createThread(rt, { tenant: LOCAL_TENANT, actor: name, input, key });
  const thread = await untilAnswered(world, serverAt, i, create, (made) =>
    made.ok ? made.value.outcome.thread.id : null,
  );
  if (!thread || roll(world.seed, 51, i) > 0.35) return;
  await world.wait(null, "cancel", Math.floor(4_000 * roll(world.seed, 52, i)));
  await untilAnswered(
    world,
    serverAt,
    i + 1,
    ({ rt }) => attachTestThread(rt, thread).turn({ type: "cancel" }),
    (sent) =>
      sent.ok || sent.problem.code === "nothing_to_do" || sent.problem.code === "signal_refused" ? true : null,
  );
}

/** Asks one server after the other; a server that crashes never answers. */
async function untilAnswered<T, R>(
  world: World,
  serverAt: ServerAt,
  first: number,
  ask: (server: Server) => Promise<T>,
  answer: (response: T) => R | null,
): Promise<R | null> {
  for (let i = 0; i < ROUNDS; i += 1) {
    const server = serverAt((first + i) % SLOTS);
    const died = new Promise<null>((resolve) => server.process.onDeath.push(() => resolve(null)));
    const response = await Promise.race([ask(server), died]);
    const found = response === null ? null : answer(response);
    if (found !== null) return found;
    await world.wait(null, "ask again", 700);
  }
  return null;
}

/** Without faults: suspended roles are resumed, and every background run comes to rest. */
async function settle(world: World, serverAt: ServerAt, data: MemoryData): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const open = [...data.records].filter(([key, rows]) => {
      const state = JSON.parse(rows.at(-1)?.state ?? "{}") as ThreadState;
      return key.includes("/thr_") && state.machine.state !== "rest" && state.machine.state !== "failed";
    });
    if (open.length === 0) return;
    for (const [key, rows] of open) {
      const { gate } = JSON.parse(rows.at(-1)?.state ?? "{}") as ThreadState;
      const input = gate ? answerTo(gate, round) : null;
      if (!input) continue;
      const { rt } = serverAt(0);
      await attachTestThread(rt, (key.split("/")[1] ?? "") as ThreadId).turn(input, {
        options: { in_background: true },
      });
    }
    await world.wait(null, "settle", 10_000);
  }
}

/** A call whose result is unknown is sent again: the same call finds the same children. One that was cancelled is given up. */
function answerTo(gate: Gate, round: number): TurnInput | null {
  if (gate.kind === "doubt") return { type: "resolve", gate_id: gate.id, outcome: round > 2 ? "abort" : "try_again" };
  if (gate.kind !== "suspend") return null;
  return round > 8 ? { type: "cancel" } : { type: "resume", supplement: "Go on." };
}
