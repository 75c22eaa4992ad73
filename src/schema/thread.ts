// The state of a thread after its newest record: all that the next turn needs besides the newest entries.
import { z } from "zod";
import { Gate, StoredCall } from "./gate.ts";
import { EffectId, ReceiptId } from "./ids.ts";
import { Plan } from "./plan.ts";
import { IntendedReceipt } from "./receipt.ts";

export const STATE_SCHEMA = 1;
export const GOAL_BYTES_MAX = 1024;
export const KEY_RING_MAX = 64;
export const STATE_BYTES_MAX = 16_384;

export const ThreadStateName = z.enum(["plan", "execute", "confirm", "deliver", "rest", "failed"]);
export type ThreadStateName = z.infer<typeof ThreadStateName>;
export const RunOutcome = z.enum(["completed", "aborted", "exhausted", "cancelled"]);
export type RunOutcome = z.infer<typeof RunOutcome>;
export const Mode = z.enum(["plan", "direct"]);
export type Mode = z.infer<typeof Mode>;

/** What the machine keeps: where it is, and no more than its guards need. */
export const MachineState = z.object({
  state: ThreadStateName,
  at: z.enum(["thinking", "asking", "approving", "deciding", "waiting", "acting", "doubting"]).nullable(),
  mode: Mode,
  step: z.int().min(0),
  steps: z.int().min(0),
  /** Where to go back after failed (reset) or exhausted (a raised budget). */
  back: z.enum(["plan", "execute"]).nullable(),
  outcome: RunOutcome.nullable(),
});
export type MachineState = z.infer<typeof MachineState>;

export const ProofKind = z.enum(["write", "observation", "reply"]);
export type ProofKind = z.infer<typeof ProofKind>;
export const Proof = z.object({ step: z.int().min(0), kind: ProofKind, receipt_id: ReceiptId, summary: z.string() });
export type Proof = z.infer<typeof Proof>;

const Amounts = z.object({ turns: z.int(), tokens: z.int(), usd: z.number(), seconds: z.number() });
export const Budget = z.object({
  limit: z.object({
    turns: z.int(),
    tokens: z.int().nullable(),
    usd: z.number().nullable(),
    /** Time spent inside turns; waiting for a person costs nothing. */
    seconds: z.number().nullable(),
  }),
  used: Amounts,
});
export type Budget = z.infer<typeof Budget>;

/** A call that is being carried out: written down before the tool runs. */
export const ActiveCall = z.object({
  call: StoredCall,
  intended: IntendedReceipt,
  /** Somebody asked to cancel while it ran; its owner delivers that when it settles. */
  cancel_requested: z.boolean(),
  /** How often the effect was sent, this time included. */
  tries: z.int().min(1).default(1),
});
export type ActiveCall = z.infer<typeof ActiveCall>;

/** What was settled by word, and what the tool itself said later. */
export const Contradiction = z.object({
  tool: z.string(),
  effect_id: EffectId.nullable(),
  receipt_id: ReceiptId,
  contradicts: ReceiptId,
  /** null: nobody knew. */
  said: z.boolean().nullable(),
  found: z.boolean().nullable(),
});
export type Contradiction = z.infer<typeof Contradiction>;
export const CONTRADICTIONS_MAX = 4;

export const TodoItem = z.object({
  id: z.string(),
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
});
export type TodoItem = z.infer<typeof TodoItem>;

/** A thread that drives itself: a worker advances it until the next gate or the end. */
export const Background = z.object({
  status: z.enum(["on", "paused", "dead"]),
  /** Why nobody drives it any more. */
  reason: z.string().nullable(),
});
export type Background = z.infer<typeof Background>;

export const ThreadState = z.object({
  schema: z.literal(STATE_SCHEMA),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  agent: z.string(),
  run: z.int().min(0),
  turn: z.int().min(0),
  machine: MachineState,
  goal: z.string(),
  plan: Plan.nullable(),
  plan_approval: z.enum(["ask", "auto"]),
  /** Whether a person approved the plan: only then a step may need no proof. */
  plan_approved: z.boolean(),
  gate: Gate.nullable(),
  acting: ActiveCall.nullable(),
  proofs: z.array(Proof),
  /** Steps with a failed or rejected write: there a look is no longer proof enough. */
  failed_writes: z.array(z.int().min(0)),
  evidence: z.enum(["proven", "none"]).nullable(),
  /** The newest ones; absent while there are none. */
  contradictions: z.array(Contradiction).optional(),
  budget: Budget,
  failures: z.object({ decisions: z.int().min(0), handlers: z.int().min(0) }),
  /** Turns in a row without a tool. */
  idle: z.int().min(0),
  /** arguments_digest of the newest receipt, to see a repeated call. */
  last_digest: z.string().nullable(),
  /** The receipt by which untrusted text first came in. Sticky. */
  taint: ReceiptId.nullable(),
  tools: z.record(z.string(), z.boolean()),
  auto_approve: z.array(z.string()),
  /** What left the loaded range: one line each, then only a count per tool. */
  folded: z.object({ lines: z.array(z.string()), counts: z.record(z.string(), z.int()) }),
  dialogue: z.object({ lines: z.array(z.string()), dropped: z.int().min(0) }),
  todo: z.array(TodoItem),
  todo_blob: z.string().nullable(),
  /** Hash of the blob that lists the virtual files; null without any. */
  files_blob: z.string().nullable(),
  /** Measured tokens per estimated token of the newest model. */
  estimate: z.object({ model: z.string(), factor: z.number().positive() }).nullable(),
  /** null: advanced by calls alone. */
  background: Background.nullable(),
  /** The last keys as "hash:first:newest". */
  key_ring: z.array(z.string()).max(KEY_RING_MAX),
  /** Sequence number of the next durable event. */
  event_seq: z.int().min(0),
});
export type ThreadState = z.infer<typeof ThreadState>;
