// Builds threads, entries and receipts that are complete and valid by default, so that a test states only what matters
// to it.
import { Manifest } from "../../src/schema/manifest.ts";
import { SettledReceipt } from "../../src/schema/receipt.ts";
import { Entry, type Observation, type Thread } from "../../src/schema/record.ts";
import { ThreadState } from "../../src/schema/thread.ts";

export const TIMESTAMP = "2026-01-05T08:00:00.000Z";

/** Returns a valid id of any kind, for example `idOf("rcp", 7)`. */
export const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, "0")}`;

/** Returns a substitute for the digest of a call, equal for equal names and arguments. */
export const digestOf = (name: string, args: unknown): string => `digest of ${name} ${JSON.stringify(args)}`;

/** Allows plain strings in optional fields, which the schema then brands. */
type Loose<T> = { [K in keyof T]?: unknown };

const STATE = {
  schema: 2,
  created_at: TIMESTAMP,
  created_by: "tester",
  agent: "default",
  run: 1,
  turn: 0,
  machine: { state: "execute", at: "deciding", mode: "direct", step: 0, steps: 1, back: null, outcome: null },
  goal: "Put the reading task on a free morning",
  plan: null,
  plan_approval: "ask",
  plan_approved: false,
  gate: null,
  acting: null,
  proofs: [],
  failed_writes: [],
  evidence: null,
  evidence_kind: null,
  results: [],
  changes: [],
  budget: {
    limit: { turns: 60, tokens: null, usd: null, seconds: null },
    used: { turns: 0, tokens: 0, usd: 0, seconds: 0 },
  },
  failures: { decisions: 0, handlers: 0 },
  idle: 0,
  last_digest: null,
  taint: null,
  tools: {},
  toolkits: [],
  auto_approve: [],
  folded: { lines: [], counts: {} },
  dialogue: { lines: [], dropped: 0 },
  todo: [],
  todo_blob: null,
  files_blob: null,
  background: null,
  estimate: null,
  key_ring: [],
  event_seq: 0,
};

/** Returns a state. `machine` is merged into a direct run in the state "deciding". */
export function aState(over: Loose<ThreadState> = {}): ThreadState {
  const machine = { ...STATE.machine, ...(over.machine as object | undefined) };
  return ThreadState.parse({ ...STATE, ...over, machine });
}

const ENTRY = {
  schema: 2,
  at: TIMESTAMP,
  actor: "tester",
  run: 1,
  create: null,
  input: null,
  prompt_hash: null,
  model: null,
  estimate_factor: null,
  corrections: [],
  decision: null,
  judgement: null,
  speak: null,
  thought: null,
  call: null,
  receipts: [],
  observation: null,
  signals: [],
  closed_gate: null,
  problem: null,
  usage: null,
  key: null,
  events: { first: 0, count: 0 },
};

export function anEntry(over: Loose<Entry> = {}): Entry {
  const turn = typeof over.turn === "number" ? over.turn : 1;
  return Entry.parse({ ...ENTRY, turn, commit_id: idOf("cmt", turn), ...over });
}

export function aReceipt(over: Loose<SettledReceipt> = {}): SettledReceipt {
  return SettledReceipt.parse({
    id: idOf("rcp", 1),
    run: 1,
    turn: 1,
    step_index: 0,
    kind: "settled",
    source: "tool_observation",
    name: "query_range",
    manifest_version: "1",
    arguments_digest: null,
    proposed_digest: null,
    gate_id: null,
    actor: null,
    effect_id: null,
    output_trust: "trusted",
    started_at: TIMESTAMP,
    finished_at: TIMESTAMP,
    success: true,
    summary: "done",
    size: 0,
    sha256: null,
    ...over,
  });
}

export type CallEntryOptions = {
  readonly turn: number;
  readonly name?: string;
  readonly arguments?: Record<string, unknown>;
  readonly thought?: string;
  readonly text?: string;
  readonly success?: boolean | null;
  readonly trust?: "trusted" | "untrusted";
  readonly effect?: "pure" | "keyed" | "unkeyed";
  /** The size of the observation. If it is larger than the text, the rest is in a blob. */
  readonly size?: number;
  readonly speak?: string | null;
};

/**
 * Returns the entry of a turn that called a tool, with call, receipt and observation. The id of its receipt is
 * `idOf("rcp", turn)`.
 */
export function aCallEntry(facts: CallEntryOptions, over: Loose<Entry> = {}): Entry {
  const { turn, name = "query_range", effect = "pure", text = "free: 1-4" } = facts;
  const args = facts.arguments ?? { day: turn };
  const bytes = new TextEncoder().encode(text).length;
  const size = facts.size ?? bytes;
  const digest = digestOf(name, args);
  const observation: Loose<Observation> = {
    receipt_id: idOf("rcp", turn),
    text,
    size,
    blob: size > bytes ? "hash" : null,
  };
  return anEntry({
    turn,
    thought: facts.thought ?? null,
    speak: facts.speak ?? null,
    call: {
      name,
      manifest_version: "1",
      effect,
      arguments: args,
      arguments_blob: null,
      arguments_digest: digest,
      proposed_digest: null,
      thought: facts.thought ?? "",
    },
    receipts: [
      aReceipt({
        id: idOf("rcp", turn),
        turn,
        name,
        source: effect === "pure" ? "tool_observation" : "write_receipt",
        arguments_digest: digest,
        output_trust: facts.trust ?? "trusted",
        success: facts.success === undefined ? true : facts.success,
        size,
      }),
    ],
    observation,
    ...over,
  });
}

/** Returns a thread. The newest entry is the head, and versions count back from the thread's version. */
export function aThread(
  over: { readonly state?: Loose<ThreadState>; readonly entries?: readonly Entry[]; readonly version?: number } = {},
): Thread {
  const entries = over.entries ?? [];
  const version = over.version ?? Math.max(0, entries.length - 1);
  return {
    version,
    state: aState({ turn: entries.at(-1)?.turn ?? 0, ...over.state }),
    entries: entries.map((entry, i) => ({ version: version - entries.length + 1 + i, entry })),
  };
}

export function aManifest(over: Loose<Manifest> & { readonly name: string }): Manifest {
  const permission = over.permission ?? "READ";
  return Manifest.parse({
    version: "1",
    description: `The tool ${over.name}.`,
    toolset: "default",
    category: "general",
    origin: "builtin",
    input: { type: "object", properties: {} },
    output: null,
    permission,
    scope: "NONE",
    requires_confirmation: permission !== "READ",
    streaming: false,
    effect: permission === "READ" ? "pure" : "unkeyed",
    timeout_ms: 1000,
    max_output_chars: 32_768,
    core: false,
    prompt_hint: null,
    subagent_allowed: true,
    route: "worker-local",
    output_trust: "trusted",
    outward: false,
    supersedes: false,
    proves: true,
    asks: false,
    tags: [],
    examples: [],
    needs_tools: [],
    channels: null,
    ...over,
  });
}
