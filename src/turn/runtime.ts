// All that a turn needs from outside, as one plain object. Hosts build it; nothing here has a default that talks.
import type { Claims } from "../ports/claims.ts";
import type { Clock } from "../ports/clock.ts";
import type { Companions } from "../ports/companions.ts";
import type { Faults } from "../ports/faults.ts";
import type { StreamHash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { PickModel } from "../ports/model.ts";
import type { ProgressLog } from "../ports/progress-log.ts";
import type { SettingsStore } from "../ports/settings-store.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import type { LiveEvent } from "../schema/event.ts";
import type { ThreadRef } from "../schema/ids.ts";
import type { BudgetInput, TurnInput } from "../schema/input.ts";
import type { Budget } from "../schema/thread.ts";
import type { Hook } from "../tools/hooks.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { RuntimeCache } from "./runtime-cache.ts";
import type { InFlightTurns } from "./think/in-flight.ts";

export type Agent = {
  readonly instructions: string;
  /** null: every tool that is on. */
  readonly tools: readonly string[] | null;
};

export type RuntimeConfig = {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly default_agent: string;
  /** What the host can do beyond the core, such as "process": some tools need it. */
  readonly parts?: readonly string[];
  readonly budget: Budget["limit"];
  /** Confirmations only; null: they wait for ever. */
  readonly gate_expire_after_s: number | null;
  readonly turn_deadline_ms: number;
  /** Added to a tool's timeout before anybody may doubt a call that is being carried out. */
  readonly settle_grace_ms: number;
};

export type Runtime = {
  readonly store: ThreadStore;
  readonly settings: SettingsStore;
  readonly companions: Companions;
  readonly pickModel: PickModel;
  readonly toolbox: Toolbox;
  readonly hooks: readonly Hook[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: StreamHash;
  readonly faults: Faults;
  /** Left out: two instances may both think about a thread, and one of them in vain. */
  readonly claims?: Claims;
  /** Left out: what calls tell on their way is not kept beyond the summary in the record. */
  readonly operation_log?: ProgressLog;
  readonly config: RuntimeConfig;
  /** Keyed calls at work in this process: a double click is told to wait instead of paying for a second model call. */
  readonly running: Set<string>;
  /** Left out: a model call whose turn has lost already runs to its end. Not where a request must not touch another's. */
  readonly in_flight?: InFlightTurns;
  /** Left out: every turn reads and words everything anew. */
  readonly cache?: RuntimeCache;
};

export const DEFAULT_CONFIG: RuntimeConfig = {
  agents: { default: { instructions: "", tools: null } },
  default_agent: "default",
  budget: { turns: 60, tokens: null, usd: null, seconds: null },
  gate_expire_after_s: null,
  turn_deadline_ms: 60_000,
  settle_grace_ms: 5_000,
};

/** What one caller asks of one turn. Built once where the request comes in, and not changed on the way. */
export type TurnRequest = {
  readonly at: ThreadRef;
  readonly actor: string;
  readonly input: TurnInput | null;
  readonly budget: BudgetInput | null;
  readonly if_match: number | null;
  readonly key: { readonly hash: string; readonly body: string } | null;
  /** The request ends with this turn, whatever its outcome. */
  readonly last_turn: boolean;
  readonly deadline: number;
  /** A caller that awaits it is slowed down to the pace of its listener. */
  readonly emit: (event: LiveEvent) => unknown;
  readonly options?: TurnOptions;
};

/** Where a request comes from and what else its record does. All of it may be left out. */
export type TurnOptions = {
  /** The channel of the caller: some tools are offered on some channels only. "http" by default. */
  readonly channel?: string;
  /** A job worker holds the thread's wake-up and advances it further by itself. */
  readonly driven?: boolean;
  /** The record also says that job workers advance the thread from here on. */
  readonly in_background?: boolean;
  /** Queued messages that this turn brings in: they leave the inbox together with its record. */
  readonly taken?: readonly string[];
  /** Refuse a message while a job worker drives the thread. */
  readonly only_when_idle?: boolean;
  /** The input holds text from outside: it is data, and the thread is tainted from here on. */
  readonly untrusted?: boolean;
};
