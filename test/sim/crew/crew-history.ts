// Plays histories of parents with sub-agents and of workflows. Each process has a job worker, deliveries arrive twice,
// and users cancel and resume.
import { z } from "zod";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createIds } from "../../../src/adapters/ids-random.ts";
import { createMemoryStore, type MemoryData } from "../../../src/adapters/store-memory.ts";
import { withPollOnWrite } from "../../../src/hosts/shared/host-worker.ts";
import { createCrew } from "../../../src/jobs/crew/create-crew.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import { type DeliveryHandler, startWorker, type Worker } from "../../../src/jobs/worker.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Crew } from "../../../src/ports/crew/crew.ts";
import { NEVER_DUE, type ThreadStore } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createManualClock } from "../../../src/testing/manual-clock.ts";
import { loadWorkflow, saveWorkflow } from "../../../src/threads/workflows.ts";
import { crew } from "../../../src/toolkits/crew/toolkit.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { loadWorkflowTurns } from "../../../src/turn/workflow/load-turns.ts";
import { unwrap } from "../../support/runtime.ts";
import { createWriteTool, look } from "../../support/tools.ts";
import { PAIR } from "../../support/workflow.ts";
import { type Cast, type CastOptions, type CastServerParts, playCast } from "../cast/play-cast.ts";
import { createToolboxPool } from "../cast/toolbox-pool.ts";
import { drawDelay } from "../ports.ts";
import { bytesOf, createRandom, STREAMS } from "../random.ts";
import type { HistoryPlan, Process, World } from "../world.ts";
import { crewViolations } from "./invariants.ts";
import { crewModel } from "./model.ts";
import { settle, simulatePeople } from "./people.ts";

/** A deliberately broken part, to check that the invariants detect it. */
export type CrewSabotage = {
  readonly crew?: (crew: Crew, rt: Runtime) => Crew;
  readonly store?: (store: ThreadStore) => ThreadStore;
};

const POLL_MS = 500;

/**
 * Workflows load parts of themselves on first use, which takes real time that the simulated clock does not see. A
 * workflow that was read once stays in the memory of the process, so that later histories would otherwise read less
 * than the first one.
 */
let warmUp: Promise<unknown> | null = null;

async function loadParts(): Promise<void> {
  await Promise.all([loadWorkflowTurns(), import("../../../src/workflow/parse.ts")]);
  const clock = createManualClock();
  const ids = createIds(clock, (size) => new Uint8Array(size));
  const rt = { store: createMemoryStore(), hash: nodeHash, clock, ids } as unknown as Runtime;
  const { hash } = unwrap(await saveWorkflow(rt, LOCAL_TENANT, PAIR));
  unwrap(await loadWorkflow(rt, LOCAL_TENANT, hash));
}

export async function playCrew(plan: HistoryPlan, options: CastOptions = {}, sabotage: CrewSabotage = {}) {
  warmUp ??= loadParts();
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
    people: (serverAt) => simulatePeople(world, serverAt, () => data),
    settle: (serverAt, stored) => settle(world, serverAt, stored),
    violations: (stored) => crewViolations(world, stored),
  };
}

async function seedWorkflow(world: World, store: ThreadStore): Promise<void> {
  const clock = world.clockOf(null);
  const random = createRandom(world.seed, STREAMS.setup, 1);
  const ids = createIds(clock, (size) => bytesOf(random, size));
  const rt = { store, hash: nodeHash, clock, ids } as unknown as Runtime;
  unwrap(await saveWorkflow(rt, LOCAL_TENANT, PAIR));
}

type ToolOwner = { readonly clock: Clock; readonly pause: () => Promise<unknown>; crew: Crew | null };

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
  const toolbox = createToolbox([look, noteTool(() => owner().pause()), createWriteTool([])]);
  unwrap(toolbox.plug({ name: "crew", offered: "always", tools: crew.tools({ clock, crew: port } as never) }));
  return toolbox;
});

/** A write that needs no approval, during which a process can stop. */
const noteTool = (pause: () => Promise<unknown>) =>
  defineTool(
    {
      name: "note",
      description: "Notes a line.",
      permission: "WRITE",
      effect: "keyed",
      requires_confirmation: false,
      input: z.object({ line: z.string() }),
      output: z.string(),
    },
    async () => {
      await pause();
      return "noted";
    },
  );

/** One list for all histories, so that they share resolved tools. */
const PARTS = ["crew"];

function serverParts(
  world: World,
  process: Process,
  sabotage: CrewSabotage,
  due: () => number,
  bugs: string[],
): CastServerParts {
  // The call takes long enough that a cancellation often arrives during it.
  const pause = () => world.wait(process, "tool", 1_500 + drawDelay(world, "tool"));
  const owner: ToolOwner = { clock: world.clockOf(process), pause, crew: null };
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
  return { model: crewModel(world, process), toolbox, parts: PARTS, onStart };
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
