// Defines the response to a caller: the current thread, the work of the turn, and the possible next actions.
import * as z from "zod";
import { ExecuteDecision, PlanDecision } from "./decision/decision.ts";
import { Gate, RememberedApproval } from "./gate.ts";
import { ThreadId } from "./ids.ts";
import { Judgement } from "./judgement.ts";
import { Plan } from "./plan.ts";
import { Problem } from "./problem.ts";
import { Receipt } from "./receipt.ts";
import { Correction, Observation, Usage } from "./record.ts";
import {
  Background,
  Budget,
  Contradiction,
  Evidence,
  EvidenceKind,
  Mode,
  Proof,
  RunOutcome,
  ThreadStateName,
  TodoItem,
} from "./thread.ts";

export const NextAction = z.enum(["advance", "answer", "confirm", "resolve", "tool_result", "resume", "none"]);
export type NextAction = z.infer<typeof NextAction>;

export const WorkflowStatus = z.enum(["idle", "running", "suspended", "end", "cancelled", "failed", "corrupt"]);
export const WorkflowView = z.object({
  name: z.string(),
  thread: ThreadId,
  /** Hash of the workflow as it was when the thread started. */
  workflow: z.string(),
  /** Hash of the newest step, or of the start. */
  head: z.string(),
  status: WorkflowStatus,
  current_role: z.string().nullable(),
  suspended_role: z.string().nullable(),
  suspend_message: z.string().nullable(),
  done: z.boolean(),
  /** The reason that the newest attempt of the current role failed or, if `status` is `corrupt`, what cannot be read. Null if neither applies. */
  error: z.string().nullable(),
  /** Hashes of the failed attempts of the current role, oldest first. `GET /v1/threads/{id}/steps/{hash}` shows one. */
  attempts: z.array(z.string()),
  /** Number of steps from the start to the head. */
  count: z.int(),
  /** The newest steps, oldest first. `GET /v1/threads/{id}/steps` lists all. */
  steps: z.array(z.object({ n: z.int(), role: z.string(), status: z.string(), step: z.string(), turn: z.int() })),
});
export type WorkflowView = z.infer<typeof WorkflowView>;

export const ThreadView = z.object({
  id: ThreadId,
  version: z.int(),
  turn: z.int(),
  run: z.int(),
  state: ThreadStateName,
  at: z.string().nullable(),
  outcome: RunOutcome.nullable(),
  evidence: Evidence.nullable(),
  /** The strongest kind of receipt behind the result. Null before the delivery. */
  evidence_kind: EvidenceKind.nullable(),
  /** Tool results that contradict what was settled before, newest last. */
  contradictions: z.array(Contradiction),
  goal: z.string(),
  /** The title that a person gave, or the goal of the first run once there is a second run. */
  title: z.string().optional(),
  agent: z.string(),
  mode: Mode,
  plan: Plan.nullable(),
  step: z.int(),
  steps: z.int(),
  proofs: z.array(Proof),
  /** Indexes of the steps that are proven by receipts, under the same rules as the evidence of the run. */
  proven_steps: z.array(z.int()).optional(),
  gate: Gate.nullable(),
  cancel_requested: z.boolean(),
  todo: z.array(TodoItem),
  budget: Budget,
  background: Background.nullable(),
  /** The thread that created this one. */
  parent: ThreadId.optional(),
  /** The child threads that a call waits for. */
  children: z.array(ThreadId).optional(),
  /** The role workflow that the thread runs. Absent for an ordinary thread. */
  workflow: WorkflowView.optional(),
  tainted: z.boolean(),
  /** Approvals that cover later calls, oldest first. `active` is false for one that no longer covers any call. */
  remembered_approvals: z.array(RememberedApproval.extend({ active: z.boolean() })),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ThreadView = z.infer<typeof ThreadView>;

export const TurnView = z.object({
  number: z.int(),
  versions: z.array(z.int()),
  actor: z.string(),
  /** The model that was called. Null for a turn without a model call. */
  model: z.string().nullable(),
  decision: z.union([ExecuteDecision, PlanDecision]).nullable(),
  speak: z.string().nullable(),
  judgement: Judgement.nullable(),
  corrections: z.array(Correction),
  receipts: z.array(Receipt),
  observation: Observation.nullable(),
  usage: Usage.nullable(),
  problem: Problem.nullable(),
});
export type TurnView = z.infer<typeof TurnView>;

const common = { thread: ThreadView, turn: TurnView.nullable(), next: NextAction };
export const TurnResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("advanced"), ...common }),
  z.object({ kind: z.literal("waiting"), ...common, gate: Gate }),
  z.object({ kind: z.literal("delivered"), ...common, outcome: RunOutcome }),
  z.object({ kind: z.literal("running"), ...common }),
  z.object({ kind: z.literal("failed"), ...common, problem: Problem }),
]);
export type TurnResult = z.infer<typeof TurnResult>;
