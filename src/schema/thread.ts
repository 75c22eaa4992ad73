// Defines the state of a thread after its newest record: all that the next turn needs in addition to the newest entries.
import * as z from "zod";
import { Gate, RememberedApproval, StoredCall } from "./gate.ts";
import { EffectId, ReceiptId } from "./ids.ts";
import { Plan, PlanApproval } from "./plan.ts";
import { IntendedReceipt, type ReceiptSource } from "./receipt.ts";
import { ChildState, Delegation } from "./workflow/child.ts";
import { WorkflowState } from "./workflow/state.ts";

export const STATE_SCHEMA = 2;
export const GOAL_BYTES_MAX = 1024;
export const TITLE_CHARS_MAX = 120;
export const KEY_RING_MAX = 64;
export const STATE_BYTES_MAX = 16_384;

export const ThreadStateName = z.enum(["plan", "execute", "confirm", "deliver", "rest", "failed"]);
export type ThreadStateName = z.infer<typeof ThreadStateName>;
export const RunOutcome = z.enum(["completed", "aborted", "exhausted", "cancelled"]);
export type RunOutcome = z.infer<typeof RunOutcome>;
export const Mode = z.enum(["plan", "direct"]);
export type Mode = z.infer<typeof Mode>;

/** The stored state of the machine, with only the fields that its guards need. */
export const MachineState = z.object({
  state: ThreadStateName,
  at: z
    .enum(["thinking", "asking", "approving", "deciding", "suspended", "waiting", "acting", "delegating", "doubting"])
    .nullable(),
  mode: Mode,
  step: z.int().min(0),
  steps: z.int().min(0),
  /** The state to return to when a failed run is reset, or when the budget of an exhausted run is raised. */
  back: z.enum(["plan", "execute"]).nullable(),
  outcome: RunOutcome.nullable(),
});
export type MachineState = z.infer<typeof MachineState>;

export const ProofKind = z.enum(["write", "observation", "reply"]);
export type ProofKind = z.infer<typeof ProofKind>;
/** Maps the source of a successful receipt to what it proves. */
export const PROOF_KINDS: Readonly<Record<ReceiptSource, ProofKind>> = {
  tool_observation: "observation",
  write_receipt: "write",
  user_reply: "reply",
  // A client's report about its own tool is a statement of the client, even if it says that something was written.
  client_reply: "reply",
};
export const Proof = z.object({
  step: z.int().min(0),
  kind: ProofKind,
  receipt_id: ReceiptId,
  summary: z.string(),
  /** The files that the plan or the goal names and that the proving calls were about. Absent if the plan and the goal name no files. */
  files: z.array(z.string()).optional(),
});
export type Proof = z.infer<typeof Proof>;

/** States whether every step has the receipt that it needs. */
export const Evidence = z.enum(["proven", "none"]);
export type Evidence = z.infer<typeof Evidence>;
/** The strongest kind of receipt behind the result of a run. */
export const EvidenceKind = z.enum(["written", "observed", "replied", "none"]);
export type EvidenceKind = z.infer<typeof EvidenceKind>;

/** The result of a finished step, for the steps after it. */
export const StepResult = z.object({
  step: z.int().min(0),
  /** What the model said about the step, or the output of the tool that finished it. Empty if that output is untrusted. */
  text: z.string(),
  receipt_id: ReceiptId.nullable(),
  /** Name of the tool, if a tool call finished the step without a decision of the model. */
  tool: z.string().optional(),
});
export type StepResult = z.infer<typeof StepResult>;
export const STEP_RESULT_CHARS = 600;

/** A write that succeeded, in any run of the thread. */
export const Change = z.object({
  run: z.int().min(0),
  turn: z.int().min(0),
  tool: z.string(),
  receipt_id: ReceiptId,
  /** A summary of the change. If the output is untrusted, only the identifiers in the arguments of the call. */
  summary: z.string(),
});
export type Change = z.infer<typeof Change>;
export const CHANGES_MAX = 8;

const Amounts = z.object({ turns: z.int(), tokens: z.int(), usd: z.number(), seconds: z.number() });
export const Budget = z.object({
  limit: z.object({
    turns: z.int(),
    tokens: z.int().nullable(),
    usd: z.number().nullable(),
    /** Time spent inside turns. Waiting for a person does not count. */
    seconds: z.number().nullable(),
  }),
  used: Amounts,
});
export type Budget = z.infer<typeof Budget>;

/** A running call. It is stored before the tool runs. */
export const ActiveCall = z.object({
  call: StoredCall,
  intended: IntendedReceipt,
  /** True if a cancellation was requested while it ran. Its owner delivers the cancellation when the call settles. */
  cancel_requested: z.boolean(),
  /** How often the effect was sent, including this time. */
  tries: z.int().min(1).default(1),
  delegation: Delegation.optional(),
});
export type ActiveCall = z.infer<typeof ActiveCall>;

/** A contradiction between how an effect was settled, for example by a person, and what the tool itself reported later. */
export const Contradiction = z.object({
  tool: z.string(),
  effect_id: EffectId.nullable(),
  receipt_id: ReceiptId,
  contradicts: ReceiptId,
  /** Whether the effect happened according to the receipt that is contradicted. Null if that receipt left it open. */
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

/** The background run of a thread: a worker advances it until the next gate or the end. */
export const Background = z.object({
  status: z.enum(["on", "paused", "dead"]),
  /** Why retries were given up; null if they were not. */
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
  /** The title that a person gave, or the goal of the first run once there is a second run. If absent, the goal is the title. */
  title: z.string().optional(),
  plan: Plan.nullable(),
  plan_approval: PlanApproval,
  /** True if a person approved the plan. Without approval, only a last step that just tells the user something may need no proof. */
  plan_approved: z.boolean(),
  gate: Gate.nullable(),
  acting: ActiveCall.nullable(),
  proofs: z.array(Proof),
  /** Steps with a failed or rejected write. Observations no longer prove them. */
  failed_writes: z.array(z.int().min(0)),
  evidence: Evidence.nullable(),
  /** The strongest kind of receipt behind the result of the run. Null before the delivery. */
  evidence_kind: EvidenceKind.nullable(),
  /** Results of the finished steps of this plan, oldest first. */
  results: z.array(StepResult),
  /** The newest changes of all runs, oldest first. */
  changes: z.array(Change).max(CHANGES_MAX),
  /** The newest contradictions. Absent if there are none. */
  contradictions: z.array(Contradiction).optional(),
  budget: Budget,
  failures: z.object({ decisions: z.int().min(0), handlers: z.int().min(0) }),
  /** Number of consecutive turns without a tool call. */
  idle: z.int().min(0),
  /** `arguments_digest` of the newest receipt, used to detect a repeated call. */
  last_digest: z.string().nullable(),
  /** The receipt that first brought in untrusted text. Never cleared. */
  taint: ReceiptId.nullable(),
  tools: z.record(z.string(), z.boolean()),
  /** Toolkits requested in addition to those of the agent. If null, the thread is older than toolkits and keeps the tools that it had. */
  toolkits: z.array(z.string()).nullable(),
  /** The metadata that the thread was created with, for its tools. Absent if there is none. Null if only the first record contains it. */
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
  auto_approve: z.array(z.string()),
  /** Approvals that a person let the runtime remember, oldest first. Absent if there are none. */
  approvals: z.array(RememberedApproval).optional(),
  /** How often a person rejected each tool in this run. Absent if nothing was rejected. */
  rejections: z.record(z.string(), z.int().min(1)).optional(),
  /** Entries older than the loaded range: at first one line each, later only a count per tool. */
  folded: z.object({ lines: z.array(z.string()), counts: z.record(z.string(), z.int()) }),
  dialogue: z.object({ lines: z.array(z.string()), dropped: z.int().min(0) }),
  todo: z.array(TodoItem),
  todo_blob: z.string().nullable(),
  /** Hash of the blob that lists the virtual files. Null if there are none. */
  files_blob: z.string().nullable(),
  /** Hash of the blob with the tools that the caller declared. Absent if there are none. */
  client_tools_blob: z.string().optional(),
  /** Ratio of measured to estimated tokens for the newest model. */
  estimate: z.object({ model: z.string(), factor: z.number().positive() }).nullable(),
  /** Null if only requests advance the thread. */
  background: Background.nullable(),
  /** `traceparent` of the request that started the background run or last sent an input to it. Absent if that request named no trace. */
  trace_parent: z.string().max(55).optional(),
  /** The most recent idempotency keys as "hash:first:newest", with the versions of the first and the newest record of the key. */
  key_ring: z.array(z.string()).max(KEY_RING_MAX),
  /** Sequence number of the next durable event. */
  event_seq: z.int().min(0),
  /** The limits of a thread that another thread created. Absent for every other thread. */
  child: ChildState.optional(),
  /** The role workflow that the thread runs. Absent for an ordinary thread. */
  workflow: WorkflowState.optional(),
});
export type ThreadState = z.infer<typeof ThreadState>;
