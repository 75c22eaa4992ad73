// One history from its seed: people and faults, then calm, then every thread driven to an end, every answer asked again,
// and the evidence handed to the invariants.
import { createMemoryData, createMemoryStore, type MemoryData } from "../../src/adapters/store-memory.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { TenantId, type ThreadAt } from "../../src/schema/ids.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { askAgain, driveHome, hearAll, showAgain } from "./calm.ts";
import { loseEndpoints } from "./changes/calm.ts";
import { archivingStore, makeChanges, notedSettings, wasUnderWay } from "./changes/facts.ts";
import { collect, type Evidence } from "./evidence.ts";
import { violationsOf } from "./invariants.ts";
import type { Botch } from "./jobs/driver.ts";
import { makeFacts } from "./jobs/facts.ts";
import { playJobs } from "./jobs/play.ts";
import { prepareJobs } from "./jobs/prepare.ts";
import { watchedStore } from "./jobs/watch.ts";
import { createNetwork, type Network } from "./network.ts";
import { type Board, live, type Person } from "./people.ts";
import { createRandom, roll, STREAMS } from "./random.ts";
import type { Durable } from "./server.ts";
import { simSettings } from "./settings.ts";
import { createWorld, type HistoryKind, type HistoryPlan, type Process, type World } from "./world.ts";

/** A store made wrong on purpose, to see whether anybody notices. */
export type Sabotage = (world: World, data: MemoryData, process: Process) => ThreadStore;

export type HistoryOptions = {
  readonly sabotage?: Sabotage;
  readonly botch?: Botch;
  /** Settings that are not what was saved. */
  readonly mislay?: (settings: SettingsStore) => SettingsStore;
  /** A header that never arrives. */
  readonly strips?: string;
  readonly keepTrace?: boolean;
  /** Whoever does not trust ticks waits for the whole event loop between two steps. */
  readonly patient?: boolean;
};

const CHANGES_SHARE = 0.1;
/** Of a hundred others: so many are of each kind. */
const SHARES: readonly (readonly [HistoryKind, number])[] = [
  ["turns", 40],
  ["turns_web", 12],
  ["jobs", 36],
  ["jobs_web", 12],
];

export function kindOf({ seed, kind }: HistoryPlan): HistoryKind {
  if (kind) return kind;
  // From a stream of its own: whichever seeds are left keep the kind they had.
  if (roll(seed, STREAMS.changes, 0) < CHANGES_SHARE) return "changes";
  let left = roll(seed, STREAMS.kind, 0) * 100;
  for (const [name, share] of SHARES) {
    left -= share;
    if (left < 0) return name;
  }
  return "turns";
}

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
  readonly evidence: Evidence;
};

const SECRET = "sk-canary-7f3a9c51e2";
const TENANTS = ["acme", "borg"].map((name) => TenantId.parse(name));

export async function runHistory(plan: HistoryPlan, options: HistoryOptions = {}): Promise<HistoryResult> {
  const kind = kindOf(plan);
  const world = createWorld(plan, options.keepTrace, options.patient);
  const data = createMemoryData();
  const durable = makeDurable(world, data, kind, options);
  const network = createNetwork(world, durable);
  const people = populate(world, durable.model.mood, kind);
  durable.changes?.boards.push(...new Set(people.map(({ board }) => board)));
  if (durable.jobs) await prepareJobs(world, durable, durable.jobs, TENANTS);
  if (durable.jobs && durable.changes) loseEndpoints(world, durable.jobs);
  const found = await play(world, network, durable, data, people);
  network.close();
  const evidence = collect(world, network, durable, data, people, SECRET);
  const violations = [...found, ...network.bugs.map((bug) => `bug: ${bug}`), ...violationsOf(evidence)];
  world.trace.note(evidence.threads.map(({ rows }) => rows.map((row) => row.entry + row.state).join("\n")).join("\n"));
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

function makeDurable(world: World, data: MemoryData, kind: HistoryKind, options: HistoryOptions): Durable {
  const { setup } = world;
  const { sabotage, mislay = (settings) => settings } = options;
  const changes = kind === "changes" ? makeChanges() : null;
  const settings = simSettings();
  const jobs = kind.startsWith("jobs") || changes ? makeFacts(createRandom(world.seed, STREAMS.jobs, 1), data) : null;
  const store = createMemoryStore(data);
  const deeds: Durable["outside"]["deeds"] = [];
  const isIntended: Durable["outside"]["isIntended"] = ({ tenant, thread, idempotency_key }) =>
    (data.records.get(`${tenant}/${thread}`) ?? []).some(
      ({ entry }) => idempotency_key !== null && entry.includes(idempotency_key),
    ) || wasUnderWay(changes, { tenant, thread } as ThreadAt, idempotency_key ?? "");
  return {
    store: (process) => {
      const made = sabotage ? sabotage(world, data, process) : store;
      const kept = changes ? archivingStore(world, changes, data, made) : made;
      return jobs ? watchedStore(world, jobs, data, kept) : kept;
    },
    jobs,
    changes,
    strips: options.strips ?? null,
    data,
    web: kind.endsWith("_web") || changes !== null,
    botch: options.botch ?? ((_rt, works) => works),
    settings: mislay(changes ? notedSettings(world, changes, settings) : settings),
    outside: { deeds, isIntended, secret: SECRET },
    models: { asked: [] },
    live: [],
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
      mood: setup.weighted({ good: 8, bad: 2, awful: 1 }),
    },
  };
}

/** Two or three people at one tenant's threads, one at the other's. */
function populate(world: World, mood: string, kind: HistoryKind): readonly Person[] {
  const boards = TENANTS.map(
    (tenant): Board => ({ tenant, threads: [], views: new Map(), gates: [], heard: new Map(), schedules: [] }),
  );
  const names = world.setup.chance(0.3) ? ["a0", "a1", "a2", "b0"] : ["a0", "a1", "b0"];
  return names.flatMap((name): Person[] => {
    const board = boards[name.startsWith("a") ? 0 : 1];
    const actions = 2 + world.setup.int(5) + (mood === "awful" ? 5 : 0);
    // Workers do the rest.
    const share = kind.startsWith("turns") ? actions : Math.ceil(actions / 2);
    return board ? [{ name, board, actions: kind === "changes" ? share + 2 : share }] : [];
  });
}

async function play(
  world: World,
  network: Network,
  durable: Durable,
  data: MemoryData,
  people: readonly Person[],
): Promise<readonly string[]> {
  const found: string[] = [];
  const until = async (what: string, work: Promise<unknown>): Promise<void> => {
    let over = false;
    void work.then(() => {
      over = true;
    });
    const ended = await world.run(() => over);
    if (ended !== "done") found.push(`I6 ${what} does not end: ${ended}`);
    // Whatever somebody stopped waiting for goes on until nothing is left of it.
    if (ended === "done") await world.run(() => false);
  };
  network.boot();
  const lives = Promise.all(people.map((person, i) => live(world, network, person, i)));
  if (durable.jobs) await playJobs(world, network, durable, data, people, lives, found);
  else {
    await until("the history", lives);
    world.calm();
    await world.run(() => false);
  }
  await until("driving home", driveHome(world, network, people, found));
  await until("asking again", askAgain(network, data, found));
  await until("showing prompts", showAgain(world, network, durable, data, found));
  await until("listening to the end", hearAll(world, network, people));
  return found;
}
