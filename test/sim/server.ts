// Simulates a server process with a whole runtime on unreliable ports, and a worker in histories with background runs.
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import type { MemoryData } from "../../src/adapters/store-memory.ts";
import { withPollOnWrite } from "../../src/hosts/shared/host-worker.ts";
import type { IfBusy } from "../../src/jobs/inbox/double-texting.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import { noCompanions } from "../../src/ports/companions.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import type { DurableEvent, LiveEvent } from "../../src/schema/event.ts";
import type { TenantId, ThreadRef } from "../../src/schema/ids.ts";
import type { BudgetInput, CreateInput, TurnInput } from "../../src/schema/input.ts";
import type { Problem } from "../../src/schema/problem.ts";
import type { TurnResult } from "../../src/schema/turn-result.ts";
import type { Hook } from "../../src/tools/hooks.ts";
import type { Runtime, RuntimeConfig, TurnMetrics } from "../../src/turn/runtime.ts";
import { createInFlightTurns } from "../../src/turn/think/in-flight.ts";
import type { ChangesState } from "./changes/changes-state.ts";
import type { ImportDuel } from "./changes/import-duel.ts";
import { startDriver, type WorkSabotage } from "./jobs/driver.ts";
import { simFetcher } from "./jobs/endpoints.ts";
import type { JobsState } from "./jobs/jobs-state.ts";
import { type ModelLog, type ModelOptions, simModel } from "./model.ts";
import { type ClaimRows, crashFaults, faultyClaims, faultyRemoval, faultySettings, faultyStore } from "./ports.ts";
import { bytesOf, createRandom } from "./random.ts";
import { cacheFor } from "./shared-cache.ts";
import { type ExternalSystems, simHooks, simToolbox } from "./tools.ts";
import { borrowApp, type WebApp } from "./web-app.ts";
import type { Process, World } from "./world.ts";

/** A client request. `until` is the number of turns, or null for one turn. */
export type SimRequest =
  | {
      readonly kind: "create";
      readonly tenant: TenantId;
      readonly actor: string;
      readonly input: CreateInput;
      readonly key: string | null;
    }
  | {
      readonly kind: "turn";
      readonly at: ThreadRef;
      readonly actor: string;
      readonly input: TurnInput | null;
      readonly budget: BudgetInput | null;
      readonly if_match: number | null;
      readonly key: string | null;
      readonly until: number | null;
      /** Set only in histories with background runs. */
      readonly if_busy?: IfBusy;
      /**
       * Set if the turn is streamed. Events are recorded as they arrive; after `disconnect_after` events the client
       * disconnects.
       */
      readonly stream?: { readonly events: DurableEvent[]; readonly disconnect_after: number | null };
    }
  /** Starts, pauses or resumes a background run. */
  | {
      readonly kind: "switch";
      readonly at: ThreadRef;
      readonly actor: string;
      readonly key: string | null;
      readonly to: "run" | "pause" | "resume";
    }
  /** Any other HTTP request. */
  | ApiRequest
  | { readonly kind: "read"; readonly at: ThreadRef }
  /** A reconnecting client requests the events after its last one. */
  | { readonly kind: "events"; readonly at: ThreadRef; readonly after: number }
  | { readonly kind: "fork"; readonly at: ThreadRef; readonly turn: number }
  /** Requests the prompt of an earlier turn. */
  | { readonly kind: "prompt"; readonly at: ThreadRef; readonly turn: number };

export type ApiRequest = {
  readonly kind: "api";
  readonly tenant: TenantId;
  readonly actor: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The content type. The default is JSON. */
  readonly type?: string;
  readonly if_match?: number;
  /** True if the thread, webhook or schedule belongs to another tenant. */
  readonly other_tenant?: true;
  readonly path: string;
  readonly body: string | null;
  readonly form: boolean;
  readonly key: string | null;
  /** The signature of an external sender. */
  readonly sign: { readonly secret: string; readonly id: string } | null;
  /** The gate that the request answers. */
  readonly gate: { readonly id: string; readonly decision: "approve" | "reject" } | null;
};

export type SimResponse = {
  /** "ok" or the problem code. */
  readonly code: string;
  readonly body: string;
  readonly replayed: boolean;
  /** The thread in the response, or null for a problem that stored nothing. */
  readonly outcome: Pick<TurnResult, "thread" | "turn" | "next"> | null;
  readonly problem: Problem | null;
  /** True if the request is completed, so that repeating it returns the same bytes. */
  readonly final: boolean;
};

/** What the metrics of all processes received. */
export type Telemetry = {
  /** The number of reports that contain a record, by commit id. */
  readonly reports: Map<string, number>;
  /** The process whose append of a record was acknowledged, by commit id. */
  readonly committers: Map<string, Process>;
};

/** State that outlives every process. */
export type DurableState = {
  readonly store: (process: Process) => ThreadStore;
  readonly settings: SettingsStore;
  readonly outside: ExternalSystems;
  readonly models: ModelLog;
  readonly live: { readonly at: ThreadRef; readonly event: LiveEvent }[];
  readonly telemetry: Telemetry;
  /** Null if the host has no claims. */
  readonly claims: ClaimRows | null;
  readonly config: RuntimeConfig;
  readonly model: ModelOptions;
  /** Null if there are no background runs. */
  readonly jobs: JobsState | null;
  /** Null if only turns change state. */
  readonly changes: ChangesState | null;
  /** Null if nothing is imported while it is created and no toolkit stores data. */
  readonly duel: ImportDuel | null;
  /** The name of a request header that is removed, which happens only in a broken variant. */
  readonly strippedHeader: string | null;
  readonly data: MemoryData;
  /** True if all requests use HTTP, not only those that have no alternative. */
  readonly web: boolean;
  readonly sabotageWork: WorkSabotage;
  readonly sabotageHooks: (hooks: readonly Hook[]) => readonly Hook[];
};

export type Server = {
  readonly process: Process;
  readonly rt: Runtime;
  readonly worker: Worker | null;
  readonly web: () => WebApp;
};

export function startServer(
  world: World,
  slot: number,
  durable: DurableState,
  onBug: (error: unknown) => void,
): Server {
  const process = world.spawn(slot);
  const clock = world.clockOf(process);
  const random = createRandom(world.seed, 7, process.id);
  const model = simModel(world, process, durable.model, durable.models);
  let worker: Worker | null = null;
  const faulty = faultyStore(world, process, durable.store(process));
  const store = durable.changes ? faultyRemoval(world, process, faulty) : faulty;
  const observed = observedStore(process, durable.telemetry, store);
  const rt: Runtime = {
    store: durable.jobs ? withPollOnWrite(observed, () => worker?.pollNow()) : observed,
    metrics: reportingMetrics(durable.telemetry),
    settings: faultySettings(world, process, durable.settings),
    companions: noCompanions,
    pickModel: () => model,
    toolbox: simToolbox(world, process, durable.outside),
    hooks: durable.sabotageHooks(simHooks(durable.outside)),
    clock,
    ids: createIds(clock, (size) => bytesOf(random, size)),
    hash: nodeHash,
    faults: crashFaults(world, process),
    ...(durable.claims ? { claims: faultyClaims(world, process, durable.claims) } : {}),
    config: durable.config,
    running: new Set(),
    in_flight: createInFlightTurns(),
    cache: cacheFor(world),
    ...durable.duel?.partsOf(process, store),
  };
  const emit = (at: ThreadRef, event: LiveEvent): void => void durable.live.push({ at, event });
  let web: WebApp | null = null;
  const { jobs, data, sabotageWork } = durable;
  if (jobs) {
    const fetcher = simFetcher(world, process, data, jobs, durable.changes);
    worker = startDriver({ world, process, rt, jobs, fetcher, emit, onBug, sabotageWork });
  }
  return {
    process,
    rt,
    worker,
    web: () => {
      web ??= borrowApp({ rt, emit, onBug });
      return web;
    },
  };
}

const observedStore = (process: Process, { committers }: Telemetry, store: ThreadStore): ThreadStore => ({
  ...store,
  async append(at, record, also) {
    const appended = await store.append(at, record, also);
    if (appended.ok) committers.set(record.commit_id, process);
    return appended;
  },
});

const reportingMetrics = ({ reports }: Telemetry): TurnMetrics => ({
  observe: ({ records }) => {
    for (const { entry } of records) reports.set(entry.commit_id, (reports.get(entry.commit_id) ?? 0) + 1);
  },
  text: () => "",
});
