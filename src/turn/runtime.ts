// Everything a turn needs from outside, as one plain object. Hosts build it; nothing here does I/O by default.
import type { Claims } from "../ports/claims.ts";
import type { Clock } from "../ports/clock.ts";
import type { Companions } from "../ports/companions.ts";
import type { DocumentStore } from "../ports/documents.ts";
import type { Faults } from "../ports/faults.ts";
import type { StreamHash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { ModelReply, ModelRequest, PickModel, Purpose } from "../ports/model.ts";
import type { ProgressLog } from "../ports/progress-log.ts";
import type { SettingsStore } from "../ports/settings-store.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadRef } from "../schema/ids.ts";
import type { BudgetInput, TurnInput } from "../schema/input.ts";
import type { ClientTools } from "../schema/protocols/client-tool.ts";
import type { ProtocolsConfig } from "../schema/protocols/protocols-config.ts";
import type { Thread, ThreadRecord } from "../schema/record.ts";
import type { Budget } from "../schema/thread.ts";
import type { EscalationRule } from "../schema/workflow/escalation.ts";
import type { Hook } from "../tools/hooks.ts";
import type { ToolkitRoute } from "../tools/route.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { RuntimeCache } from "./runtime-cache.ts";
import type { InFlightTurns } from "./think/in-flight.ts";

export type Agent = {
  readonly instructions: string;
  /** The agent gets exactly these tools and those of `toolkits`; null: the toolkits decide. */
  readonly tools: readonly string[] | null;
  /** Toolkits besides those that are always offered; none by default. */
  readonly toolkits?: readonly string[] | "all";
  /** When the agent hands over, and to whom. */
  readonly escalation?: readonly EscalationRule[];
};

export type RuntimeConfig = {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly default_agent: string;
  /** Capabilities of the host beyond the core, such as "process": some tools require them. */
  readonly parts?: readonly string[];
  /** The toolkits of threads that were created before threads had toolkits; all by default. */
  readonly first_release_toolkits?: readonly string[];
  readonly budget: Budget["limit"];
  /** The agent of a role by workflow and role name; the default agent for all others. */
  readonly agent_overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Calls that need no person in a thread with untrusted text, as `tool:label`. Default: none. */
  readonly taint_allow?: readonly string[];
  /** Applies to confirmations only; null: they never expire. */
  readonly gate_expire_after_s: number | null;
  readonly turn_deadline_ms: number;
  /** Added to a tool's timeout before another process may treat a running call as unsettled. */
  readonly settle_grace_ms: number;
  /** The time zone of dates in the prompt; by default UTC. */
  readonly time_zone?: string;
  /** The locale of the users, such as de-DE, if it is known. */
  readonly locale?: string | null;
  /** Routes for clients of other protocols; defaults if absent. */
  readonly protocols?: ProtocolsConfig;
  /** Whether spans may contain content; by default they do not. */
  readonly telemetry?: { readonly content: boolean };
};

export type Runtime = {
  readonly store: ThreadStore;
  readonly settings: SettingsStore;
  readonly companions: Companions;
  /** Where toolkits store their data. If it is absent, toolkits store nothing. */
  readonly documents?: DocumentStore;
  readonly pickModel: PickModel;
  readonly toolbox: Toolbox;
  readonly hooks: readonly Hook[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: StreamHash;
  readonly faults: Faults;
  /** If it is absent, two instances may both call the model for a thread, and one of the calls is wasted. */
  readonly claims?: Claims;
  /** If it is absent, only the summary in the record shows the progress of calls. */
  readonly operation_log?: ProgressLog;
  readonly config: RuntimeConfig;
  /** Keyed requests in progress in this process: a repeated request must wait instead of paying for a second model call. */
  readonly running: Set<string>;
  /** If it is absent, as on hosts where one request must not affect another, a superseded model call runs to its end and is paid for. */
  readonly in_flight?: InFlightTurns;
  /** If it is absent, every turn reads and renders everything again. */
  readonly cache?: RuntimeCache;
  /** If it is absent, turns are not counted. */
  readonly metrics?: TurnMetrics;
  /** Routes of the toolkits, for an HTTP interface to this runtime. */
  readonly toolkit_routes?: readonly ToolkitRoute[];
  /** Whether a job worker runs in this process. Omitted by hosts that run job workers themselves. */
  readonly worker?: JobWorker;
};

/**
 * Names the span of the caller. `message`: the request of a protocol named it, which is more exact than the HTTP request that carries it.
 * `queue`: the caller queued the run and has not waited.
 */
export type TraceParent = {
  readonly from: "headers" | "message" | "queue";
  readonly carrier: Pick<ReadonlyMap<string, string>, "keys"> & {
    readonly get: (name: string) => string | null | undefined;
  };
};
/** The trace of a turn while it runs. */
export type TurnTrace = {
  /** What a call sends to another system, so that the spans of that system are below the span of the call. */
  readonly headersOf: (call: TracedCall) => Readonly<Record<string, string>>;
};
export type TracedCall = {
  readonly operation_id: string;
  readonly name: string;
  readonly agent: string;
  readonly started: number;
};

/** What turns report when they end. It must not throw, and must not store the content of messages. */
export type TurnMetrics = {
  /** Absent: turns are counted, but not traced. */
  readonly trace?: (parent: TraceParent | null, started: number) => TurnTrace;
  readonly observe: (turn: ObservedTurn) => void;
  /** All metrics of this process so far, as Prometheus text. */
  readonly text: () => string;
};
/** One request to a model; times in milliseconds since the epoch. */
export type ObservedModelCall = {
  readonly model: string;
  /** The name that the provider reports; null without a reply. */
  readonly response_model: string | null;
  readonly purpose: Purpose;
  readonly started: number;
  readonly ended: number;
  readonly usage: ModelReply["usage"];
  /** The code of the problem; null for a reply. */
  readonly problem: string | null;
  /** The content of the call. It leaves the process only if the configuration allows it. */
  readonly messages: ModelRequest["messages"];
  readonly text: string | null;
};
export type ObservedTurn = {
  readonly thread: string;
  readonly started: number;
  readonly ended: number;
  readonly model_calls: readonly ObservedModelCall[];
  /** null if the turn failed before its thread was loaded. */
  readonly agent: string | null;
  /** The code of the problem; null for a turn that ended well. */
  readonly problem: string | null;
  readonly records: readonly ThreadRecord[];
  /** The trace that `trace` returned at the start of the turn. */
  readonly trace?: TurnTrace | undefined;
};

/** The job worker of this process. Without one, a background run would never advance. */
export type JobWorker = {
  running: boolean;
  /** Makes it poll now instead of at the next interval. */
  pollNow?: () => void;
};

export const DEFAULT_CONFIG: RuntimeConfig = {
  agents: { default: { instructions: "", tools: null } },
  default_agent: "default",
  agent_overrides: {},
  budget: { turns: 60, tokens: null, usd: null, seconds: null },
  taint_allow: [],
  gate_expire_after_s: null,
  turn_deadline_ms: 60_000,
  settle_grace_ms: 5_000,
};

/** What one caller requests of one turn. Built once when the request arrives, and not changed afterwards. */
export type TurnRequest = {
  readonly at: ThreadRef;
  readonly actor: string;
  readonly input: TurnInput | null;
  readonly budget: BudgetInput | null;
  readonly if_match: number | null;
  readonly key: { readonly hash: string; readonly body: string } | null;
  /** The request ends with this turn, regardless of its outcome. */
  readonly last_turn: boolean;
  readonly deadline: number;
  /** A caller that awaits the result is slowed down to the pace of its subscriber. */
  readonly emit: (event: LiveEvent) => unknown;
  readonly trace_parent?: TraceParent;
  readonly options?: TurnOptions;
};

/** Where a request comes from and what else its record does. Every field is optional. */
export type TurnOptions = {
  /** The channel of the caller; some tools are offered on some channels only. Default: "http". */
  readonly channel?: string;
  /** True if the sender has disconnected: its message does not interrupt again after another turn was faster. */
  readonly isAbandoned?: () => boolean;
  /** A job worker holds the thread's wake-up and will advance it further. */
  readonly by_worker?: boolean;
  /** The thread as its worker has just stored it, instead of loading it again. If it has moved since, the commit fails. */
  readonly thread?: Thread;
  /** From this record on, job workers advance the thread. */
  readonly in_background?: boolean;
  /** Queued messages that this turn processes: they leave the inbox together with its record. */
  readonly processed?: readonly string[];
  /** The parent of this sub-agent sends the request, and is about to wait for the result. */
  readonly from_parent?: boolean;
  /** Refuse a message while a job worker is advancing the thread. */
  readonly only_when_idle?: boolean;
  /** Tools that the caller runs itself, from this turn on: they replace those declared before. Absent: no change. */
  readonly client_tools?: ClientTools;
  /** A request for several turns also ends when a role of a workflow has delivered. */
  readonly until_step?: boolean;
  /** The input contains untrusted text: it is data, and the thread is tainted from here on. */
  readonly untrusted?: boolean;
  /** Called after each request to a model. */
  readonly onModelCall?: (call: ObservedModelCall) => void;
  readonly trace?: TurnTrace | undefined;
};
