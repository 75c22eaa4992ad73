// Histories of parents with sub-agents and of workflows: each process has a job worker, deliveries arrive twice, and people cancel
// and resume.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createIds } from "../../../src/adapters/ids-random.ts";
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { withPollOnWrite } from "../../../src/hosts/shared/host-worker.ts";
import { createCrew } from "../../../src/jobs/crew/create-crew.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import { type DeliveryHandler, startWorker, type Worker } from "../../../src/jobs/worker.ts";
import type { Clock } from "../../../src/ports/clock.ts";
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
import type { Runtime } from "../../../src/turn/runtime.ts";
import { attachTestThread, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";
import { PAIR } from "../../support/workflow.ts";
import {
  type Cast,
  type CastOptions,
  type CastServer,
  type CastServerParts,
  playCast,
  type ServerAt,
  untilAnswered,
} from "../cast/play-cast.ts";
import { createToolboxPool } from "../cast/toolbox-pool.ts";
import { bytesOf, createRandom, roll, STREAMS } from "../random.ts";
import type { HistoryPlan, Process, World } from "../world.ts";
import { crewViolations } from "./invariants.ts";
import { crewModel } from "./model.ts";

/** A deliberately broken part, to check that the invariants detect it. */
export type CrewSabotage = {
  readonly crew?: (crew: Crew, rt: Runtime) => Crew;
  readonly store?: (store: ThreadStore) => ThreadStore;
};

const POLL_MS = 500;
const ROUNDS = 60;

/** Workflows load parts of themselves on first use. That takes real time, which the simulated clock does not see. */
let warmUp: Promise<unknown> | null = null;

export async function playCrew(plan: HistoryPlan, options: CastOptions = {}, sabotage: CrewSabotage = {}) {
  warmUp ??= playCast({ seed: 0 }, { store: "memory", fullEventLoop: true }, (world) => crewCast(world, {}));
  await warmUp;
  TOOLBOXES.returnAll();
  return playCast(plan, { ...options, brokenStore: sabotage.store }, (world) => crewCast(world, sabotage));
}

function crewCast(world: World, sabotage: CrewSabotage): Cast {
  let data: MemoryData | null = null;
  return {
    prepare: async (stored, store) => {
      data = stored;
      await seedWorkflow(world, store);
    },
    wrapStore: withPollOnWrite,
    server: (process, bugs) => serverParts(world, process, sabotage, () => nextDue(data), bugs),
    people: (serverAt) => simulatePeople(world, serverAt),
    settle: (serverAt, stored) => settle(world, serverAt, stored),
    violations: crewViolations,
  };
}

async function seedWorkflow(world: World, store: ThreadStore): Promise<void> {
  const clock = world.clockOf(null);
  const random = createRandom(world.seed, STREAMS.setup, 1);
  const ids = createIds(clock, (size) => bytesOf(random, size));
  const rt = { store, hash: nodeHash, clock, ids } as unknown as Runtime;
  unwrap(await saveWorkflow(rt, LOCAL_TENANT, PAIR));
}

type ToolOwner = { readonly clock: Clock; crew: Crew | null };

const TOOLBOXES = createToolboxPool<ToolOwner>((owner) => {
  const clock: Clock = { now: () => owner().clock.now(), sleep: (ms, signal) => owner().clock.sleep(ms, signal) };
  const portOf = (): Crew => {
    const { crew: port } = owner();
    if (!port) throw new Error("the process has not started");
    return port;
  };
  const port: Crew = {
    delegate: (call, tasks) => portOf().delegate(call, tasks),
    broadcast: (call, message, to) => portOf().broadcast(call, message, to),
  };
  const toolbox = createToolbox([look]);
  unwrap(toolbox.plug({ name: "crew", offered: "always", tools: crew.tools({ clock, crew: port } as never) }));
  return toolbox;
});

function serverParts(
  world: World,
  process: Process,
  sabotage: CrewSabotage,
  due: () => number,
  bugs: string[],
): CastServerParts {
  const owner: ToolOwner = { clock: world.clockOf(process), crew: null };
  const toolbox = TOOLBOXES.borrow(owner);
  const onStart = (rt: Runtime): Worker => {
    const { clock } = rt;
    owner.crew = sabotage.crew?.(createCrew(rt), rt) ?? createCrew(rt);
    return startWorker(
      { ...rt, clock: { now: clock.now, sleep: (ms, signal) => world.idle(process, ms, due, signal) } },
      {
        concurrency: 4,
        poll_ms: POLL_MS,
        handlers: { wake: twiceAtTimes(world, rt, process), tick: ignored, webhook: ignored },
        onError: (_due, error) => bugs.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      },
    );
  };
  return { model: crewModel(world, process), toolbox, parts: ["crew"], onStart };
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

function nextDue(data: MemoryData | null): number {
  let next = Number.POSITIVE_INFINITY;
  for (const {
    delivery: { due_at },
  } of data?.outbox.values() ?? [])
    if (due_at !== NEVER_DUE && due_at < next) next = due_at;
  return next;
}

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
  const create = ({ rt }: CastServer) => createThread(rt, { tenant: LOCAL_TENANT, actor: name, input, key });
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
