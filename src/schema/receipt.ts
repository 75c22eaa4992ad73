// A receipt: durable proof of what happened. Only the runtime creates one.
import * as z from "zod";
import { ApprovalId, EffectId, GateId, ReceiptId } from "./ids.ts";

export const ReceiptSource = z.enum(["tool_observation", "write_receipt", "user_reply", "client_reply"]);
export type ReceiptSource = z.infer<typeof ReceiptSource>;

/** What a call does, judged by its arguments. `unknown`: the check cannot tell. */
/** "nothing": the call reads nothing, such as `echo`, so it proves nothing. */
export const CallAccess = z.enum(["read", "write", "unknown", "nothing"]);
export type CallAccess = z.infer<typeof CallAccess>;

export const OutputTrust = z.enum(["trusted", "untrusted"]);
export type OutputTrust = z.infer<typeof OutputTrust>;

const common = {
  id: ReceiptId,
  run: z.int().min(0),
  turn: z.int().min(0),
  /** Binds the proof to one step, so that an old observation cannot prove a new step. */
  step_index: z.int().min(0),
  source: ReceiptSource,
  name: z.string().min(1),
  manifest_version: z.string().nullable(),
  arguments_digest: z.string().nullable(),
  /** Digest of the model's proposal if a person edited the arguments before approving. */
  proposed_digest: z.string().nullable(),
  gate_id: GateId.nullable(),
  /** Who authorized it: the name of a key, "policy", or null for a call that needed no approval. */
  actor: z.string().nullable(),
  /** The remembered approval that authorized it; `gate_id` and `actor` are those of the person who gave it. */
  approval_id: ApprovalId.optional(),
  /** The intended and the settled receipt of one effect have the same id; null if the call is pure. */
  effect_id: EffectId.nullable(),
  output_trust: OutputTrust,
  /** Only for a call whose arguments decide whether it changes anything. */
  access: CallAccess.optional(),
  started_at: z.iso.datetime(),
};

export const IntendedReceipt = z.object({
  ...common,
  kind: z.literal("intended"),
  settle_by: z.iso.datetime(),
  success: z.null(),
  summary: z.string(),
});
export type IntendedReceipt = z.infer<typeof IntendedReceipt>;

export const SettledReceipt = z.object({
  ...common,
  kind: z.literal("settled"),
  /** null: it is unknown whether the effect happened. */
  success: z.boolean().nullable(),
  /** The call did not run, because a person rejected it or nobody confirmed it in time. `success` is false then. */
  rejected: z.literal(true).optional(),
  /** The call failed, but its output is still an observation: a test run that fails shows what fails. */
  observed: z.literal(true).optional(),
  /** The call asked for something and runs again with the answer. `success` is false, and nothing failed. */
  asked: z.literal(true).optional(),
  summary: z.string(),
  finished_at: z.iso.datetime(),
  /** The size of the whole output, even if only its head and tail were stored. */
  size: z.int().min(0),
  sha256: z.string().nullable(),
  /** The id of an earlier receipt for the same effect that this result of the tool contradicts. */
  contradicts: ReceiptId.optional(),
});
export type SettledReceipt = z.infer<typeof SettledReceipt>;

export const Receipt = z.discriminatedUnion("kind", [IntendedReceipt, SettledReceipt]);
export type Receipt = z.infer<typeof Receipt>;
