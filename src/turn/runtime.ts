// Defines everything that a turn needs from outside, as one plain object. Hosts build it; nothing here does I/O by default.
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
  /** The agent gets exactly these tools and those of `toolkits`. If null, it gets those of the toolkits. */
  readonly tools: readonly string[] | null;
  /** Toolkits in addition to those that are always offered. Default: none. */
  readonly toolkits?: readonly string[] | "all";
  /** Rules that say when the agent hands over, and to whom. */
  readonly escalation?: readonly EscalationRule[];
};

export type RuntimeConfig = {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly default_agent: string;
  /** Capabilities of the host beyond the core, such as "process". Some tools require them. */
  readonly parts?: readonly string[];
  /** The toolkits of threads that were created before threads had toolkits. Default: all. */
  readonly first_release_toolkits?: readonly string[];
  readonly budget: Budget["limit"];
  /** The agent of each role, by workflow and role name. All other roles use the default agent. */
  readonly agent_overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Calls that need no approval in a thread with untrusted text, written as `tool:label`. Default: none. */
  readonly taint_allow?: readonly string[];
  /** The number of seconds after which a confirmation expires. If null, it never does. Other gates are not affected. */
  readonly gate_expire_after_s: number | null;
  readonly turn_deadline_ms: number;
  /** Added to a tool's timeout before another process may treat a running call as unsettled. */
  readonly settle_grace_ms: number;
  /** The time zone of dates in the prompt. Default: UTC. */
  readonly time_zone?: string;
  /** The locale of the users, such as de-DE, if it is known. */
  readonly locale?: string | null;
  /** Routes for clients of other protocols. If absent, the defaults apply. */
  readonly protocols?: ProtocolsConfig;
  /** If `content` is true, spans may contain content. Default: false. */
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
  /** If it is absent, two instances may both call the model for a thread, and one call is wasted. */
  readonly claims?: Claims;
  /** If it is absent, the progress of calls appears only in the summary in the record. */
  readonly operation_log?: ProgressLog;
  readonly config: RuntimeConfig;
  /** Keyed requests in progress in this process. A repeated request must wait instead of paying for a second model call. */
  readonly running: Set<string>;
  /** If it is absent, a superseded model call runs to its end and is paid for. It is absent on hosts where one request must not affect another. */
  readonly in_flight?: InFlightTurns;
  /** If it is absent, every turn reads and renders everything again. */
  readonly cache?: RuntimeCache;
  /** If it is absent, turns are not counted. */
  readonly metrics?: TurnMetrics;
  /** Routes of the toolkits, for an HTTP interface to this runtime. */
  readonly toolkit_routes?: readonly ToolkitRoute[];
  /** The job worker in this process. Omitted by hosts that run job workers themselves. */
  readonly worker?: JobWorker;
};

/** The span of the caller. `message`: a protocol's message named it, not the HTTP request. `queue`: the caller queued the run and did not wait. */
export type TraceParent = {
  readonly from: "headers" | "message" | "queue";
  readonly carrier: Pick<ReadonlyMap<string, string>, "keys"> & {
    readonly get: (name: string) => string | null | undefined;
  };
};
export type TurnTrace = {
  /** Returns the headers that a call sends to another system, so that the spans of that system are below the span of the call. */
  readonly headersOf: (call: TracedCall) => Readonly<Record<string, string>>;
};
export type TracedCall = {
  readonly operation_id: string;
  readonly name: string;
  readonly agent: string;
  readonly started: number;
};

/** Receives what turns report when they end. It must not throw, and must not store the content of messages. */
export type TurnMetrics = {
  /** True if model calls are observed with their prompts and replies. */
  readonly content?: boolean;
  /** If absent, turns are counted but not traced. */
  readonly trace?: (parent: TraceParent | null, started: number) => TurnTrace;
  readonly observe: (turn: ObservedTurn) => void;
  /** Reports the turns that have ended and were not reported yet. If absent, each turn is reported when it ends. */
  readonly flush?: () => void;
  /** Returns all metrics of this process so far, as Prometheus text. */
  readonly text: () => string;
};
/** One request to a model. Times are in milliseconds since the epoch. */
export type ObservedModelCall = {
  readonly model: string;
  /** The model name that the provider reports, or null if there is no reply. */
  readonly response_model: string | null;
  readonly purpose: Purpose;
  readonly started: number;
  readonly ended: number;
  readonly usage: ModelReply["usage"];
  /** The code of the problem, or null for a reply. */
  readonly problem: string | null;
  /** The prompt and the reply, only if the metrics ask for them. */
  readonly content: ObservedContent | null;
};
export type ObservedContent = { readonly messages: ModelRequest["messages"]; readonly text: string | null };
export type ObservedTurn = {
  readonly thread: string;
  readonly started: number;
  readonly ended: number;
  readonly model_calls: readonly ObservedModelCall[];
  /** Null if the turn failed before its thread was loaded. */
  readonly agent: string | null;
  /** The code of the problem, or null for a turn that ended well. */
  readonly problem: string | null;
  readonly records: readonly ThreadRecord[];
  /** The trace that `trace` returned at the start of the turn. */
  readonly trace?: TurnTrace | undefined;
};

/** The job worker of this process. Without one, a background run would never advance. */
export type JobWorker = {
  running: boolean;
  /** Makes the worker poll now instead of at the next interval. */
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

/** Built once when the request arrives, and not changed afterwards. */
export type TurnRequest = {
  readonly at: ThreadRef;
  readonly actor: string;
  readonly input: TurnInput | null;
  readonly budget: BudgetInput | null;
  readonly if_match: number | null;
  readonly key: { readonly hash: string; readonly body: string } | null;
  /** True if the request ends with this turn, regardless of its outcome. */
  readonly last_turn: boolean;
  readonly deadline: number;
  /** Emits a live event. A caller that awaits the result is slowed down to the pace of its subscriber. */
  readonly emit: (event: LiveEvent) => unknown;
  readonly trace_parent?: TraceParent;
  readonly options?: TurnOptions;
};

/** Options of a turn: where the request comes from, and additional effects of its record. */
export type TurnOptions = {
  /** The channel of the caller. Some tools are offered only on some channels. Default: "http". */
  readonly channel?: string;
  /** Returns true if the sender has disconnected. Its message then does not interrupt again if another turn commits first. */
  readonly isAbandoned?: () => boolean;
  /** True if a job worker holds the thread's wake-up and will continue to advance it. */
  readonly by_worker?: boolean;
  /** The thread as its worker has just stored it, so that it is not loaded again. If it has moved since, the commit fails. */
  readonly thread?: Thread;
  /** True if job workers advance the thread from this record on. */
  readonly in_background?: boolean;
  /** Queued messages that this turn processes. They leave the inbox together with its record. */
  readonly processed?: readonly string[];
  /** True if the parent of this sub-agent sends the request and is about to wait for the result. */
  readonly from_parent?: boolean;
  /** True to refuse a message while a job worker is advancing the thread. */
  readonly only_when_idle?: boolean;
  /** Tools that the caller runs itself, from this turn on. They replace those declared before. If absent, nothing changes. */
  readonly client_tools?: ClientTools;
  /** True if a request for several turns also ends when a role of a workflow has delivered. */
  readonly until_step?: boolean;
  /** True if the input contains untrusted text. It is treated as data, and the thread is tainted from here on. */
  readonly untrusted?: boolean;
};
