// Creates the runtime inside your own program, without ports or files. Everything except the model has a default.
import { createMemorySettings } from "../adapters/settings-memory.ts";
import { createMemoryStore } from "../adapters/store-memory.ts";
import type { Log } from "../http/env.ts";
import type { Worker } from "../jobs/worker.ts";
import type { Claims } from "../ports/claims.ts";
import type { Clock } from "../ports/clock.ts";
import type { Companions } from "../ports/companions.ts";
import type { AddressGuard, Fetcher } from "../ports/fetcher.ts";
import type { Model, PickModel } from "../ports/model.ts";
import type { SettingsStore } from "../ports/settings-store.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import type { LiveEvent } from "../schema/event.ts";
import { LOCAL_TENANT, TenantId, type ThreadRef } from "../schema/ids.ts";
import { JobsConfig } from "../schema/jobs/jobs-config.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { Hook } from "../tools/hooks.ts";
import type { Toolkit } from "../tools/toolkit.ts";
import { DEFAULT_CONFIG, type Runtime, type RuntimeConfig } from "../turn/runtime.ts";
import { createInFlightTurns } from "../turn/think/in-flight.ts";
import type { EmbeddedCaller } from "./embedded-app.ts";
import { createHost, type HostOptions } from "./shared/create-host.ts";
import { startHostWorker } from "./shared/host-worker.ts";
import { lazyFetcher } from "./shared/lazy-adapters.ts";

export type RuntimeOptions = {
  /** One model for all purposes, or a function that picks one by agent and purpose. */
  readonly model: Model | PickModel;
  readonly tools?: readonly Tool[];
  /** A toolkit whose parts are missing is absent. One that is offered on request must be listed by the agent. */
  readonly toolkits?: readonly Toolkit[];
  /** The parts that toolkits need, such as operations on the files of a folder. */
  readonly parts?: NonNullable<HostOptions["parts"]>;
  /** Fetches URLs for tools and schedules. */
  readonly fetcher?: Fetcher & AddressGuard;
  readonly hooks?: readonly Hook[];
  /** By default, threads are stored in memory and lost when the process ends. */
  readonly store?: ThreadStore;
  readonly settings?: SettingsStore;
  /** Claims, with which only one of several processes that share a store calls the model for a turn. */
  readonly claims?: Claims;
  readonly companions?: Companions;
  readonly clock?: Clock;
  readonly config?: Partial<RuntimeConfig>;
};

export function createRuntime(options: RuntimeOptions): Runtime {
  const { model, tools = [], toolkits = [] } = options;
  const host = createHost({
    store: options.store ?? createMemoryStore(),
    settings: options.settings ?? createMemorySettings(),
    pickModel: typeof model === "function" ? model : () => model,
    config: { ...DEFAULT_CONFIG, ...options.config },
    toolkits,
    extensions: [{ tools }],
    in_flight: createInFlightTurns(),
    ...pickDefined(options, ["hooks", "claims", "companions", "clock", "parts", "fetcher"]),
  });
  if (!host.ok) throw new Error(host.problem.message);
  return host.value.rt;
}

/** Omits fields that are undefined, so that `createHost` uses its defaults for them. */
function pickDefined<T extends object, K extends keyof T>(source: T, keys: readonly K[]): Pick<Partial<T>, K> {
  const defined = keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]] as const);
  return Object.fromEntries(defined) as Pick<Partial<T>, K>;
}

export type StartWorkerOptions = {
  /** Sets the number of concurrent runs, the poll interval and the duration of a lease. */
  readonly jobs?: Partial<Omit<JobsConfig, "enabled">>;
  /** Sends webhooks. The default allows only public addresses. */
  readonly fetcher?: Fetcher & AddressGuard;
  /** Receives the events of the runs that this worker advances. */
  readonly emit?: (at: ThreadRef, event: LiveEvent) => void;
  readonly log?: Log;
};

/**
 * Starts a job worker in this process. Until `drain` is called, it advances background runs, fires schedules and sends
 * webhooks of the runtime's store. Several processes may run workers on the same store.
 */
export function startWorker(rt: Runtime, options: StartWorkerOptions = {}): Worker {
  const { emit = () => undefined, log = SILENT_LOG, fetcher = lazyFetcher([]) } = options;
  const owner = `worker-${process.pid}`;
  const worker = startHostWorker(rt, {
    owner,
    jobs: { ...JobsConfig.parse({}), ...options.jobs },
    emit,
    log,
    sendWebhook: async (due) => {
      const { sendWebhook } = await import("../jobs/webhooks/send-webhook.ts");
      return sendWebhook(rt, due, { fetcher, links: null, owner });
    },
  });
  if (rt.worker) Object.assign(rt.worker, { running: true, pollNow: worker.pollNow });
  return {
    pollNow: worker.pollNow,
    async drain() {
      if (rt.worker) Object.assign(rt.worker, { running: false, pollNow: undefined });
      await worker.drain();
    },
  };
}

const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Returns the whole HTTP API as a function, for a client in the same process or for your own server. It does not
 * authenticate callers, so do that before you call it.
 */
export function createFetch(rt: Runtime, caller: EmbeddedCaller = {}): typeof fetch {
  const tenant = caller.tenant === undefined ? LOCAL_TENANT : TenantId.parse(caller.tenant);
  let app: Promise<{ readonly fetch: (request: Request) => Response | Promise<Response> }> | null = null;
  const loadApp = async () => (await import("./embedded-app.ts")).createEmbeddedApp(rt, tenant, caller, SILENT_LOG);
  return async (input, init) => {
    // The first request loads the app, because a program that only calls `advance` does not need it.
    app ??= loadApp();
    return (await app).fetch(input instanceof Request && init === undefined ? input : new Request(input, init));
  };
}
