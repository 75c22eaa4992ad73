// The runtime inside somebody's own program: defaults for everything but the model. Opens no port and no file.
import { systemClock } from "../adapters/clock-system.ts";
import { nodeHash } from "../adapters/hash-node.ts";
import { createIds } from "../adapters/ids-random.ts";
import { createMemorySettings } from "../adapters/settings-memory.ts";
import { createMemoryStore } from "../adapters/store-memory.ts";
import { createApp } from "../http/app.ts";
import { SCOPES } from "../http/edge/caller.ts";
import { createHub } from "../http/live/hub.ts";
import type { Claims } from "../ports/claims.ts";
import type { Clock } from "../ports/clock.ts";
import { type Companions, noCompanions } from "../ports/companions.ts";
import { noFaults } from "../ports/faults.ts";
import type { Model, PickModel } from "../ports/model.ts";
import type { SettingsStore } from "../ports/settings-store.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import { LOCAL_TENANT, TenantId } from "../schema/ids.ts";
import { ok } from "../schema/problem.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { Hook } from "../tools/hooks.ts";
import { createToolbox } from "../tools/toolbox.ts";
import { DEFAULT_CONFIG, type Runtime, type RuntimeConfig } from "../turn/runtime.ts";
import { createRuntimeCache } from "../turn/runtime-cache.ts";
import { createInFlightTurns } from "../turn/think/in-flight.ts";
import { VERSION } from "../version.ts";

export type RuntimeOptions = {
  /** One for everything, or a choice by agent and purpose. */
  readonly model: Model | PickModel;
  readonly tools?: readonly Tool[];
  readonly hooks?: readonly Hook[];
  /** Memory without one: gone with the process. */
  readonly store?: ThreadStore;
  readonly settings?: SettingsStore;
  /** So that of several processes on one store only one asks the model. */
  readonly claims?: Claims;
  readonly companions?: Companions;
  readonly clock?: Clock;
  readonly config?: Partial<RuntimeConfig>;
};

export function createRuntime(options: RuntimeOptions): Runtime {
  const { model, clock = systemClock } = options;
  return {
    store: options.store ?? createMemoryStore(),
    settings: options.settings ?? createMemorySettings(),
    companions: options.companions ?? noCompanions,
    pickModel: typeof model === "function" ? model : () => model,
    toolbox: createToolbox(options.tools ?? []),
    hooks: options.hooks ?? [],
    clock,
    ids: createIds(clock),
    hash: nodeHash,
    faults: noFaults,
    config: { ...DEFAULT_CONFIG, ...options.config },
    running: new Set(),
    in_flight: createInFlightTurns(),
    cache: createRuntimeCache(),
    worker: { running: false },
    ...(options.claims ? { claims: options.claims } : {}),
  };
}

export type EmbeddedCaller = {
  readonly tenant?: string;
  /** Stands in records and receipts as the one who did it. */
  readonly name?: string;
};

const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const TURNS_PER_REQUEST_MAX = 20;

/**
 * The whole HTTP API as a function, for a client in the same process or a server of your own. Whoever can call it is
 * the caller: put your own checks before it.
 */
export function createFetch(rt: Runtime, caller: EmbeddedCaller = {}): typeof fetch {
  const tenant = caller.tenant === undefined ? LOCAL_TENANT : TenantId.parse(caller.tenant);
  const identity = { tenant, name: caller.name ?? "embedded", scopes: new Set(SCOPES) };
  const app = createApp({
    rt,
    hub: createHub(),
    authenticate: () => ok(identity),
    local_only: false,
    cors_origins: [],
    limits: { max_turns: TURNS_PER_REQUEST_MAX },
    rate_limit: () => ok(undefined),
    log: SILENT_LOG,
    release: VERSION,
  });
  return async (input, init) => app.fetch(new Request(input, init));
}
