// Assembles the runtime of any host from its store, its parts and its toolkits.
import { systemClock } from "../../adapters/clock-system.ts";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createIds } from "../../adapters/ids-random.ts";
import { createCrew } from "../../jobs/crew/create-crew.ts";
import { createSchedulesPort, createTriggersPort } from "../../jobs/tool-ports.ts";
import type { Claims } from "../../ports/claims.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Companions } from "../../ports/companions.ts";
import type { ThreadDocument } from "../../ports/documents.ts";
import { type Faults, noFaults } from "../../ports/faults.ts";
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import type { PickModel } from "../../ports/model.ts";
import type { ProgressLog } from "../../ports/progress-log.ts";
import type { SettingsStore } from "../../ports/settings-store.ts";
import type { ThreadStore } from "../../ports/thread-store.ts";
import { createMetrics } from "../../protocols/metrics/metrics.ts";
import { reportInBatches, type ScheduleReport } from "../../protocols/telemetry/batches.ts";
import { withTelemetry } from "../../protocols/telemetry/telemetry.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { withImportedDocuments } from "../../threads/imported-documents.ts";
import { FIRST_RELEASE_TOOLKITS } from "../../toolkits/named.ts";
import { type CallLine, callLogHooks } from "../../tools/call-log.ts";
import { confineToRoots } from "../../tools/confine-to-roots.ts";
import type { Hook } from "../../tools/hooks.ts";
import { plugToolkits } from "../../tools/plugged-toolkits.ts";
import { createRedactor, redactionHooks } from "../../tools/redaction/redact.ts";
import type { ToolkitRoute } from "../../tools/route.ts";
import { createToolbox } from "../../tools/toolbox.ts";
import type { AbsentToolkit, Parts, SampleTarget, Toolkit } from "../../tools/toolkit.ts";
import type { JobWorker, Runtime, RuntimeConfig, TurnMetrics } from "../../turn/runtime.ts";
import { createRuntimeCache } from "../../turn/runtime-cache.ts";
import type { InFlightTurns } from "../../turn/think/in-flight.ts";
import { VERSION } from "../../version.ts";
import type { Extension } from "./extension.ts";
import { withPollOnWrite } from "./host-worker.ts";

export type HostOptions = {
  readonly store: ThreadStore;
  readonly settings: SettingsStore;
  readonly pickModel: PickModel;
  readonly config: RuntimeConfig;
  readonly toolkits: readonly Toolkit[];
  /** Toolkits, tools, hooks and agents of the operator. `config` already contains the agents. */
  readonly extensions?: readonly Extension[];
  /** The parts that differ between hosts. Schedules and sub-agents exist on every host; the fetcher has its own option. */
  readonly parts?: Pick<
    Parts,
    | "files"
    | "process"
    | "powershell"
    | "documents"
    | "data"
    | "skills"
    | "code"
    | "channels"
    | "dav"
    | "search"
    | "images"
  >;
  readonly fetcher?: Fetcher & AddressGuard;
  readonly claims?: Claims;
  readonly companions?: Companions;
  readonly clock?: Clock;
  readonly faults?: Faults;
  readonly operation_log?: ProgressLog;
  readonly in_flight?: InFlightTurns;
  readonly hooks?: readonly Hook[];
  /** Called for every tool call, whatever its result. */
  readonly onCall?: (line: CallLine) => void;
  /** Values that are redacted in every tool result. */
  readonly secrets?: readonly string[];
  /** If set, turns are reported in batches, and the host must call `metrics.flush` before it ends. */
  readonly scheduleReport?: ScheduleReport;
};

export type Host = {
  /** `worker.running` is set by the code that starts a job worker for this runtime. */
  readonly rt: Runtime & { readonly worker: JobWorker };
  readonly routes: readonly ToolkitRoute[];
  /** Absent because this host lacks a part that they need. */
  readonly absent: readonly AbsentToolkit[];
  readonly sample: (target: SampleTarget) => Promise<Result<void>>;
};

export function createHost(options: HostOptions): Result<Host> {
  const { extensions = [], clock = systemClock } = options;
  const worker: JobWorker = { running: false };
  const toolbox = createToolbox([]);
  // Toolkits need schedules, and schedules need the runtime, so the runtime gets the toolkits' contributions last.
  const companions: Companions[] = options.companions ? [options.companions] : [];
  const routes: ToolkitRoute[] = [];
  const partNames: string[] = [...(options.config.parts ?? [])];
  const rt: Host["rt"] = {
    store: withPollOnWrite(options.store, () => worker.pollNow?.()),
    settings: options.settings,
    companions: combineCompanions(companions),
    pickModel: options.pickModel,
    toolbox,
    hooks: createHooks(options),
    clock,
    ids: createIds(clock),
    hash: nodeHash,
    faults: options.faults ?? noFaults,
    config: { first_release_toolkits: FIRST_RELEASE_TOOLKITS, ...options.config, parts: partNames },
    running: new Set(),
    cache: createRuntimeCache(),
    metrics: createTurnMetrics(options),
    worker,
    toolkit_routes: routes,
    ...(options.parts?.documents ? { documents: options.parts.documents } : {}),
    ...(options.claims ? { claims: options.claims } : {}),
    ...(options.operation_log ? { operation_log: options.operation_log } : {}),
    ...(options.in_flight ? { in_flight: options.in_flight } : {}),
  };
  const parts = partsOf(rt, options);
  partNames.push(...Object.keys(parts).filter((name) => name !== "clock" && !partNames.includes(name)));
  const toolkits = [...options.toolkits, ...extensions.flatMap((extension) => extension.toolkits ?? [])];
  const plugged = plugToolkits(toolbox, toolkits, parts);
  if (!plugged.ok) return plugged;
  const registered = toolbox.register(...extensions.flatMap(({ tools = [] }) => tools));
  if (!registered.ok) return registered;
  companions.push(plugged.value.companions);
  routes.push(...plugged.value.routes);
  return ok({ rt, routes, absent: plugged.value.absent, sample: plugged.value.sample });
}

function partsOf(rt: Runtime, { parts: given, fetcher }: HostOptions): Parts {
  const parts = {
    ...given,
    ...(given?.documents ? { documents: withImportedDocuments(given.documents, rt.store) } : {}),
    ...(given?.files ? { files: confineToRoots(given.files) } : {}),
    ...(given?.process ? { process: confineToRoots(given.process) } : {}),
  };
  const schedules = createSchedulesPort(rt);
  const crew = createCrew(rt);
  if (!fetcher) return { clock: rt.clock, ...parts, schedules, crew };
  return { clock: rt.clock, ...parts, schedules, crew, fetch: fetcher, triggers: createTriggersPort(rt, fetcher) };
}

function createTurnMetrics({ config, secrets, scheduleReport }: HostOptions): TurnMetrics {
  const content = config.telemetry?.content ? createRedactor(secrets) : null;
  const metrics = withTelemetry(createMetrics(), VERSION, content);
  // Recorded prompts are not batched: the batch would keep them in memory, and searching them for secrets is slow.
  return scheduleReport && !content ? reportInBatches(metrics, scheduleReport) : metrics;
}

/** The call log is first, so that it sees every call. Redaction is last, so that no other hook adds a secret after it. */
function createHooks({ onCall, hooks = [], extensions = [], secrets }: HostOptions): readonly Hook[] {
  return [
    ...(onCall ? callLogHooks(onCall) : []),
    ...hooks,
    ...extensions.flatMap((extension) => extension.hooks ?? []),
    ...(secrets ? redactionHooks(createRedactor(secrets)) : []),
  ];
}

/** Called in order. The list is read at each call, because it grows until the host is complete. */
function combineCompanions(list: readonly Companions[]): Required<Omit<Companions, "imported">> {
  const each = async (run: (one: Companions) => Promise<Result<void>> | undefined): Promise<Result<void>> => {
    for (const one of list) {
      const done = await run(one);
      if (done && !done.ok) return done;
    }
    return ok(undefined);
  };
  return {
    created: (tenant, input) => each((one) => one.created?.(tenant, input)),
    forked: (from, to) => each((one) => one.forked(from, to)),
    removed: (at) => each((one) => one.removed(at)),
    async exported(at) {
      const data: Record<string, unknown> = {};
      for (const one of list) {
        const exported = await one.exported?.(at);
        if (exported && !exported.ok) return exported;
        Object.assign(data, exported?.value);
      }
      return ok(data);
    },
    async staged(at, data) {
      const documents: ThreadDocument[] = [];
      for (const one of list) {
        const staged = one.staged ? await one.staged(at, data) : ((await one.imported?.(at, data)) ?? ok(undefined));
        if (!staged.ok) return staged;
        documents.push(...(staged.value ?? []));
      }
      return ok(documents);
    },
    withdrawn: (at, data) => each((one) => one.withdrawn?.(at, data)),
  };
}
