// Defines the input of a turn. It is validated once at the HTTP boundary and trusted inside.
import * as z from "zod";
import { Arguments } from "./decision/decision.ts";
import { QUESTIONS_MAX, QuestionAnswer } from "./decision/questions.ts";
import { CALL_LEASE_MAX_S, CommandPrefix, RememberScope } from "./gate.ts";
import { ToolName } from "./manifest.ts";
import { PlanApproval } from "./plan.ts";
import { ClientTools } from "./protocols/client-tool.ts";

export const INPUT_BYTES_MAX = 16_384;

/** Does not check the form of the id, so that a malformed one is reported as an unknown gate. */
export const GateIdInput = z.string().min(1).max(64);

const LeaseId = z.string().min(8).max(64);

export const MessageInput = z.strictObject({
  type: z.literal("message"),
  text: z.string().min(1),
  replan: z.boolean().optional(),
});
export const AnswerInput = z.strictObject({
  type: z.literal("answer"),
  gate_id: GateIdInput,
  text: z.string().min(1).optional(),
  choice: z.string().min(1).optional(),
  /** The answers to a gate with `questions`: one for each question, in the same order. */
  answers: z.array(QuestionAnswer).min(1).max(QUESTIONS_MAX).optional(),
});
export const ConfirmInput = z.strictObject({
  type: z.literal("confirm"),
  gate_id: GateIdInput,
  digest: z.string().min(1),
  decision: z.enum(["approve", "reject"]),
  edited_arguments: Arguments.optional(),
  reason: z.string().optional(),
  /** Set if the approval also covers later calls with the same arguments, in this run or in this thread. */
  remember: RememberScope.optional(),
  /** If set, the approval covers all commands that begin with these words in the same folder. Valid only with `remember`, and only for a command. */
  prefix: CommandPrefix.optional(),
});
/** Allowed in every state. */
export const RevokeInput = z.strictObject({ type: z.literal("revoke"), approval_id: z.string().min(1).max(64) });
export const ResolveInput = z.strictObject({
  type: z.literal("resolve"),
  gate_id: GateIdInput,
  outcome: z.enum(["happened", "not_happened", "try_again", "abort"]),
  note: z.string().optional(),
});
/** The result of a call that the client ran: either `output`, which can be any JSON, or `error`. */
export const ToolResultInput = z.strictObject({
  type: z.literal("tool_result"),
  gate_id: GateIdInput,
  digest: z.string().min(1),
  output: z.unknown().optional(),
  error: z.string().min(1).optional(),
  lease_id: LeaseId.optional(),
});
/** Leases the call that an external gate waits for, extends the lease, or (with 0 seconds) ends it. */
export const LeaseInput = z.strictObject({
  type: z.literal("lease"),
  gate_id: GateIdInput,
  lease_id: LeaseId,
  lease_s: z.int().min(0).max(CALL_LEASE_MAX_S),
});
export const CancelInput = z.strictObject({ type: z.literal("cancel") });
export const ResetInput = z.strictObject({ type: z.literal("reset") });

export const ResumeInput = z.strictObject({ type: z.literal("resume"), supplement: z.string() });
/** Repeats the newest step of a workflow with another instruction. */
export const PokeInput = z.strictObject({ type: z.literal("poke"), text: z.string().min(1) });

export const TurnInput = z.discriminatedUnion("type", [
  MessageInput,
  AnswerInput,
  ConfirmInput,
  ResolveInput,
  RevokeInput,
  ToolResultInput,
  LeaseInput,
  CancelInput,
  ResetInput,
  ResumeInput,
  PokeInput,
]);
export type TurnInput = z.infer<typeof TurnInput>;

export const BudgetInput = z.strictObject({
  turns: z.int().min(1).max(10_000).optional(),
  tokens: z.int().min(1).optional(),
  usd: z.number().positive().optional(),
  seconds: z.int().min(1).optional(),
});
export type BudgetInput = z.infer<typeof BudgetInput>;

/** The lists of tools and toolkits are limited, because they are part of the state, which is limited in size. */
const TOOLS_MAX = 64;
const TOOLKITS_MAX = 32;

export const CreateInput = z.strictObject({
  goal: z.string().min(1).optional(),
  agent: z.string().min(1).max(64).optional(),
  mode: z.enum(["plan", "direct"]).optional(),
  plan_approval: PlanApproval.optional(),
  budget: BudgetInput.optional(),
  tools: z
    .record(ToolName, z.boolean())
    .refine((tools) => Object.keys(tools).length <= TOOLS_MAX, `at most ${TOOLS_MAX} tools`)
    .optional(),
  toolkits: z.array(z.string().min(1).max(64)).max(TOOLKITS_MAX).optional(),
  client_tools: ClientTools.optional(),
  auto_approve: z.array(ToolName).max(TOOLS_MAX).optional(),
  metadata: Arguments.optional(),
  /** The calendar that the thread works on, stored as `metadata.calendar`. Default: the tenant's default calendar. */
  calendar: z.string().min(1).max(80).optional(),
  /** The name or hash of a stored workflow, with its task in `prompt`. It replaces the goal. */
  workflow: z.string().min(1).max(128).optional(),
  prompt: z.string().min(1).optional(),
  /** With "background", job workers advance the thread until the next gate or the end. */
  run: z.literal("background").optional(),
});
export type CreateInput = z.infer<typeof CreateInput>;
