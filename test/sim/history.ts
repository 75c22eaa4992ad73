// Runs one history from its seed: first with clients and faults, then without faults until every thread has finished.
// Then every request is repeated, and the evidence is passed to the invariants. Modules are loaded beforehand, because
// a simulated history does not wait for one that is loaded on demand.
import "../../src/turn/workflow/deliver-role.ts";
import "../../src/turn/workflow/resume.ts";
import "../../src/turn/workflow/start.ts";
import "../../src/workflow/parse.ts";
import "../../src/toolkits/memory/rank.ts";
import "../../src/toolkits/shell/risk/classify.ts";
import "../../src/toolkits/shell/simple-command.ts";
import { createMemoryData, createMemoryStore, type MemoryData } from "../../src/adapters/store-memory.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { TenantId, type ThreadRef } from "../../src/schema/ids.ts";
import type { Hook } from "../../src/tools/hooks.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { createChangesState, recordingSettings, removalRecordingStore, wasInFlight } from "./changes/changes-state.ts";
import { createImportDuel } from "./changes/import-duel.ts";
import { retireEndpoints } from "./changes/settle-changes.ts";
import { type Person, type SharedState, simulatePerson } from "./clients.ts";
import { playCrew } from "./crew/crew-history.ts";
import { collectEvidence, type Evidence } from "./evidence.ts";
import { type HistoryKind, historyKind } from "./history-kinds.ts";
import { violationsOf } from "./invariants.ts";
import type { WorkSabotage } from "./jobs/driver.ts";
import { createJobsState } from "./jobs/jobs-state.ts";
import { prepareJobs } from "./jobs/prepare.ts";
import { jobRecordingStore } from "./jobs/recording-store.ts";
import { runJobPhases } from "./jobs/run-phases.ts";
import { useLightResponses } from "./light-http.ts";
import { createNetwork, type Network } from "./network.ts";
import { createRandom, roll, STREAMS } from "./random.ts";
import type { DurableState } from "./server.ts";
import { simSettings } from "./settings.ts";
import { drainEvents, finishThreads, resendRequests, verifyPrompts } from "./settle.ts";
import { validatesByDefault } from "./shared-cache.ts";
import { mirrorStore } from "./stores/mirror-store.ts";
import { defaultStore, openStore, type StoreKind } from "./stores/stores.ts";
import { playToolkits } from "./toolkits/toolkits-history.ts";
import { createWorld, type HistoryPlan, type Process, type World } from "./world.ts";

/** A deliberately broken store, to check that the invariants detect it. */
export type StoreSabotage = (world: World, data: MemoryData, process: Process) => ThreadStore;

export type HistoryOptions = {
  readonly sabotageStore?: StoreSabotage;
  readonly sabotageWork?: WorkSabotage;
  /** Changes the settings store so that it returns settings other than the saved ones. */
  readonly sabotageSettings?: (settings: SettingsStore) => SettingsStore;
  readonly sabotageHooks?: (hooks: readonly Hook[], data: MemoryData) => readonly Hook[];
  /** The name of a request header that is removed. */
  readonly strippedHeader?: string;
  /** The store to run on in addition to the memory store. The default is SQLite for a share of the histories. */
  readonly store?: StoreKind;
  readonly keepTrace?: boolean;
  readonly hashTrace?: boolean;
  /** Waits for a full event loop round between two steps, to verify that ticks are enough. */
  readonly fullEventLoop?: boolean;
  /**
   * Validates the rows that the runtime wrote, and uses the platform's requests and responses, to verify that trusting
   * the rows and lighter objects give the same result. The default is to do so in a share of the histories.
   */
  readonly validateRows?: boolean;
};

export type HistoryResult = {
  readonly seed: number;
  readonly kind: HistoryKind;
  readonly violations: readonly string[];
  readonly hash: string;
  readonly fired: readonly number[];
  readonly actions: readonly string[];
  readonly steps: number;
  readonly turns: number;
  readonly lines: readonly string[];
  readonly evidence?: Evidence;
};

const SECRET = "sk-canary-7f3a9c51e2";
const TENANTS = ["acme", "borg"].map((name) => TenantId.parse(name));

export async function runHistory(plan: HistoryPlan, options: HistoryOptions = {}): Promise<HistoryResult> {
  const kind = historyKind(plan);
  if (kind === "crew") return { kind, ...(await playCrew(plan, options)) };
  if (kind === "toolkits") return { kind, ...(await playToolkits(plan, options)) };
  return runClients(plan, kind, options);
}

async function runClients(plan: HistoryPlan, kind: HistoryKind, options: HistoryOptions): Promise<HistoryResult> {
  const { keepTrace, hashTrace, fullEventLoop, validateRows = validatesByDefault(plan.seed) } = options;
  const world = createWorld(plan, { keepTrace, hashTrace, fullEventLoop, validateRows });
  const data = createMemoryData();
  const real = options.sabotageStore ? null : await openStore(options.store ?? defaultStore(plan.seed));
  const mirrored = real && mirrorStore(real, data, world);
  const durable = createDurableState(world, data, kind, {
    ...options,
    ...(mirrored ? { sabotageStore: (_world, _data, process) => mirrored.store(process) } : {}),
  });
  const network = createNetwork(world, durable);
  const people = createPeople(world, durable.model.reliability, kind);
  durable.changes?.boards.push(...new Set(people.map(({ shared }) => shared)));
  if (durable.jobs) await prepareJobs(world, durable, durable.jobs, TENANTS);
  if (durable.jobs && durable.changes) retireEndpoints(world, durable.jobs);
  if (TENANTS[0]) await durable.duel?.prepare(TENANTS[0]);
  const restore = validateRows ? null : useLightResponses();
  const found = await runPhases(world, network, durable, data, people).finally(restore);
  network.close();
  await mirrored?.close();
  const evidence = collectEvidence(world, network, durable, data, people, SECRET);
  const violations = [
    ...found,
    ...(mirrored?.differences ?? []),
    ...network.bugs.map((bug) => `bug: ${bug}`),
    ...violationsOf(evidence),
  ];
  world.trace.note(() => evidence.threads.flatMap(({ rows }) => rows.map((row) => row.entry + row.state)).join("\n"));
  return {
    seed: plan.seed,
    kind,
    violations,
    hash: world.trace.hash(),
    fired: [...world.fired],
    actions: people.flatMap(({ name, actions }) => Array.from({ length: actions }, (_, i) => `${name}.${i}`)),
    steps: world.steps(),
    turns: evidence.threads.reduce((sum, { rows }) => sum + rows.length - 1, 0),
    lines: world.trace.lines,
    evidence,
  };
}

function createDurableState(world: World, data: MemoryData, kind: HistoryKind, options: HistoryOptions): DurableState {
  const { setup } = world;
  const { sabotageStore, sabotageSettings = (settings) => settings } = options;
  const changes = kind === "changes" ? createChangesState() : null;
  const settings = simSettings();
  const jobs =
    kind.startsWith("jobs") || changes ? createJobsState(createRandom(world.seed, STREAMS.jobs, 1), data) : null;
  const store = createMemoryStore(data);
  const deeds: DurableState["outside"]["effects"] = [];
  const isIntended: DurableState["outside"]["isIntended"] = ({ tenant, thread, idempotency_key }) =>
    (data.records.get(`${tenant}/${thread}`) ?? []).some(
      ({ entry }) => idempotency_key !== null && entry.includes(idempotency_key),
    ) || wasInFlight(changes, { tenant, thread } as ThreadRef, idempotency_key ?? "");
  return {
    store: (process) => {
      const made = sabotageStore ? sabotageStore(world, data, process) : store;
      const kept = changes ? removalRecordingStore(world, changes, data, made) : made;
      return jobs ? jobRecordingStore(world, jobs, data, kept) : kept;
    },
    jobs,
    changes,
    duel: changes && createImportDuel(world),
    strippedHeader: options.strippedHeader ?? null,
    data,
    web: kind.endsWith("_web") || changes !== null,
    sabotageWork: options.sabotageWork ?? ((_rt, works) => works),
    settings: sabotageSettings(changes ? recordingSettings(world, changes, settings) : settings),
    sabotageHooks: (hooks) => options.sabotageHooks?.(hooks, data) ?? hooks,
    outside: {
      effects: deeds,
      hookCalls: [],
      isIntended,
      secret: SECRET,
      versionOf: ({ tenant, thread }) => (data.records.get(`${tenant}/${thread}`)?.length ?? 0) - 1,
    },
    models: { prompts: [] },
    live: [],
    telemetry: { reports: new Map(), committers: new Map() },
    claims: roll(world.seed, STREAMS.claims, 0) < 0.3 ? new Map() : null,
    config: {
      ...DEFAULT_CONFIG,
      budget: { turns: setup.pick([4, 10, 40]), tokens: null, usd: null, seconds: null },
      gate_expire_after_s: setup.pick([null, null, 1, 60]),
      turn_deadline_ms: 20_000,
      settle_grace_ms: setup.pick([0, 2000]),
    },
    model: {
      window: setup.pick([32_768, 32_768, 9000, 5000]),
      reliability: setup.weighted({ good: 8, bad: 2, awful: 1 }),
    },
  };
}

/** Creates two or three clients of one tenant and one of the other. */
function createPeople(world: World, faultRate: string, kind: HistoryKind): readonly Person[] {
  const boards = TENANTS.map(
    (tenant): SharedState => ({
      tenant,
      threads: [],
      views: new Map(),
      gates: [],
      receivedEvents: new Map(),
      schedules: [],
    }),
  );
  const names = world.setup.chance(0.3) ? ["a0", "a1", "a2", "b0"] : ["a0", "a1", "b0"];
  return names.flatMap((name): Person[] => {
    const board = boards[name.startsWith("a") ? 0 : 1];
    const actions = 2 + world.setup.int(5) + (faultRate === "awful" ? 5 : 0);
    // Workers do the rest of the work.
    const share = kind.startsWith("turns") ? actions : Math.ceil(actions / 2);
    return board ? [{ name, shared: board, actions: kind === "changes" ? share + 2 : share }] : [];
  });
}

async function runPhases(
  world: World,
  network: Network,
  durable: DurableState,
  data: MemoryData,
  people: readonly Person[],
): Promise<readonly string[]> {
  const found: string[] = [];
  const runUntilDone = async (what: string, work: Promise<unknown>): Promise<void> => {
    let finished = false;
    void work.then(() => {
      finished = true;
    });
    const ended = await world.run(() => finished);
    if (ended !== "done") found.push(`I6 ${what} does not end: ${ended}`);
    // Work that no client waits for continues until it is finished.
    if (ended === "done") await world.run(() => false);
  };
  network.boot();
  const { duel } = durable;
  const activity = Promise.all([
    ...people.map((person, i) => simulatePerson(world, network, person, i)),
    duel?.play(network),
  ]);
  if (durable.jobs) await runJobPhases(world, network, durable, data, people, activity, found);
  else {
    await runUntilDone("the history", activity);
    world.stopFaults();
    await world.run(() => false);
  }
  if (duel) await runUntilDone("completing imports", duel.settle(network));
  found.push(...((await duel?.violations(data)) ?? []));
  await runUntilDone("completing threads", finishThreads(world, network, people, found));
  await runUntilDone("repeating requests", resendRequests(network, data, found));
  await runUntilDone("showing prompts", verifyPrompts(world, network, durable, data, found));
  await runUntilDone("reading all events", drainEvents(world, network, people));
  return found;
}
