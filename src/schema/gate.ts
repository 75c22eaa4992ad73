// Defines a gate: a durable question to a person. It is part of the state, and at most one is open at a time.
import * as z from "zod";
import { Arguments } from "./decision/decision.ts";
import { AskedQuestion, CHOICES_MAX, QUESTIONS_MAX } from "./decision/questions.ts";
import { ApprovalId, GateId } from "./ids.ts";
import { lastsUntil } from "./jobs/time-limit.ts";
import { EffectKind } from "./manifest.ts";
import { Step } from "./plan.ts";
import { CallAccess, IntendedReceipt, OutputTrust } from "./receipt.ts";

/** Arguments are inline up to 4 KB, otherwise in a blob of the thread. */
export const StoredCall = z.object({
  name: z.string(),
  manifest_version: z.string(),
  effect: EffectKind,
  arguments: Arguments.nullable(),
  arguments_blob: z.string().nullable(),
  arguments_digest: z.string(),
  /** Digest of the model's proposal if a person or a hook changed it. The entry of the proposal contains the original arguments. */
  proposed_digest: z.string().nullable(),
  thought: z.string(),
  finishes_step: z.literal(true).optional(),
  /** Set for a call whose arguments decide whether it changes anything, such as a command. */
  access: CallAccess.optional(),
  /** The paths that the call can change, if its tool can tell. */
  changes: z.array(z.string()).optional(),
});
export type StoredCall = z.infer<typeof StoredCall>;

export const GateReason = z.enum(["manifest", "hook", "risk", "taint", "model", "path"]);
export type GateReason = z.infer<typeof GateReason>;

const common = {
  id: GateId,
  text: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  /** The version of the record that opened the gate. Part of every digest. */
  version: z.int().min(0),
};

export const PlanGate = z.object({
  ...common,
  kind: z.literal("plan"),
  digest: z.string(),
  steps: z.array(Step),
  /** A call that only reads. It runs when the plan is approved. */
  first_call: StoredCall.optional(),
});
/** A call that asked a question. It runs again with the answer and the state that it saved. */
export const ContinuedCall = z.object({
  call: StoredCall,
  gate_id: GateId.nullable(),
  actor: z.string().nullable(),
  state_blob: z.string(),
});
export const QuestionGate = z.object({
  ...common,
  kind: z.literal("question"),
  choices: z.array(z.string()).max(CHOICES_MAX),
  default: z.string().nullable(),
  /** Set for several questions, or for one with several answers. `text` lists them for clients that support only one question. */
  questions: z.array(AskedQuestion).min(1).max(QUESTIONS_MAX).optional(),
  /** The call that asked the question. Absent for a question of the model. */
  continues: ContinuedCall.optional(),
});
export const ConfirmationGate = z.object({
  ...common,
  kind: z.literal("confirmation"),
  digest: z.string(),
  call: StoredCall,
  /** The arguments as text for the person who decides. Invisible characters are escaped. */
  shown: z.string().default(""),
  /** What the tool says the call would change. An approval is valid only while the tool still says so. */
  preview: z.string().nullable().optional(),
  reasons: z.array(
    z.object({
      code: GateReason,
      text: z.string(),
      /** Identifies what the reason is about, such as the codes of a risk. Remembered approvals are compared by it. */
      kinds: z.array(z.string()).optional(),
    }),
  ),
  /** Null if the approval may not be remembered. `words` is null if only this exact call may be, not commands with the same beginning. */
  remember: z
    .object({ words: z.array(z.string()).nullable() })
    .nullable()
    .optional(),
});
export const DoubtGate = z.object({
  ...common,
  kind: z.literal("doubt"),
  call: StoredCall,
  intended: IntendedReceipt,
});

/** A gate for a call that the client runs. The lease tells other workers that the call is in progress; it proves nothing. */
export const ExternalGate = z.object({
  ...common,
  kind: z.literal("external"),
  digest: z.string(),
  call: StoredCall,
  /** The name of the tool in the protocol of the client. */
  client_name: z.string(),
  output_trust: OutputTrust,
  lease: z.object({ id: z.string(), actor: z.string(), until: z.iso.datetime() }).nullable(),
});
/** A gate for a role that cannot continue without a person. `text` says what it needs. The input `resume` answers it. */
export const SuspendGate = z.object({
  ...common,
  kind: z.literal("suspend"),
  role: z.string(),
  /** True if the role did not ask, because its output was invalid or it gave up. */
  failed: z.boolean(),
});

export const Gate = z.discriminatedUnion("kind", [
  PlanGate,
  QuestionGate,
  ConfirmationGate,
  DoubtGate,
  ExternalGate,
  SuspendGate,
]);
export type Gate = z.infer<typeof Gate>;
export type ConfirmationGate = z.infer<typeof ConfirmationGate>;
export type DoubtGate = z.infer<typeof DoubtGate>;
export type ExternalGate = z.infer<typeof ExternalGate>;
export type QuestionGate = z.infer<typeof QuestionGate>;
export type PlanGate = z.infer<typeof PlanGate>;
export type SuspendGate = z.infer<typeof SuspendGate>;

export const GateKind = z.enum([
  "plan",
  "question",
  "confirmation",
  "doubt",
  "external",
  "suspend",
] satisfies Gate["kind"][]);

/** Maximum number of remembered approvals. Beyond it the oldest is removed, and its calls need an approval again. */
export const APPROVALS_MAX = 8;
export const PREFIX_WORDS_MAX = 8;

/** How long an approval is remembered: until the run ends, or as long as the thread exists. */
export const RememberScope = z.enum(["run", "thread"]);
export type RememberScope = z.infer<typeof RememberScope>;

export const CommandPrefix = z.array(z.string().min(1).max(200)).min(2).max(PREFIX_WORDS_MAX);

/** The calls that an approval covers: those with exactly these arguments, or commands that begin with these words in this folder. */
export const ApprovalMatch = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exact"), arguments_digest: z.string() }),
  z.object({ kind: z.literal("prefix"), words: CommandPrefix, folder: z.string() }),
]);
export type ApprovalMatch = z.infer<typeof ApprovalMatch>;

/** Also covers later calls of the same thread. It is never copied to another thread. */
export const RememberedApproval = z.object({
  id: ApprovalId,
  tool: z.string(),
  manifest_version: z.string(),
  match: ApprovalMatch,
  /** The arguments, shortened, for the person who reviews the list. */
  shown: z.string(),
  /** The reasons why the approval was needed. A call with any other reason needs a new approval. */
  reasons: z.array(z.string()),
  remember: RememberScope,
  run: z.int().min(0),
  /** In a workflow, the role whose call was approved. Calls of other roles still need an approval. */
  role: z.string().optional(),
  gate_id: GateId,
  actor: z.string(),
  at: z.iso.datetime(),
});
export type RememberedApproval = z.infer<typeof RememberedApproval>;

/** An expired gate is no longer open, even if no record says so yet. */
export const hasExpired = ({ expires_at }: Pick<Gate, "expires_at">, now: number): boolean =>
  expires_at !== null && now >= Date.parse(expires_at);

export const CALL_LEASE_MAX_S = 3_600;

/** True if a worker has taken the call that the gate waits for. */
export const isLeased = (gate: Gate, now: number): boolean =>
  gate.kind === "external" &&
  gate.lease !== null &&
  lastsUntil(Date.parse(gate.lease.until), now, CALL_LEASE_MAX_S * 1000);
