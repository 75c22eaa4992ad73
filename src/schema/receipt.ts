// Defines a receipt: durable proof of what happened. Only the runtime creates one.
import * as z from "zod";
import { ApprovalId, EffectId, GateId, ReceiptId } from "./ids.ts";

export const ReceiptSource = z.enum(["tool_observation", "write_receipt", "user_reply", "client_reply"]);
export type ReceiptSource = z.infer<typeof ReceiptSource>;

/** What a call does, judged by its arguments: `unknown` if they do not tell, `nothing` if it reads nothing, such as `echo`, and so proves nothing. */
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
  /** Digest of the model's proposal if a person or a hook changed its arguments. */
  proposed_digest: z.string().nullable(),
  gate_id: GateId.nullable(),
  /** Who authorized the call: the name of a key, "policy", or null if it needed no approval. */
  actor: z.string().nullable(),
  /** The remembered approval that authorized the call. `gate_id` and `actor` are those of the person who gave it. */
  approval_id: ApprovalId.optional(),
  /** Id that is the same in the intended and the settled receipt of one effect. Null if the call is pure. */
  effect_id: EffectId.nullable(),
  output_trust: OutputTrust,
  /** Set only for a call whose arguments decide whether it changes anything. */
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
  /** Null if it is unknown whether the effect happened. */
  success: z.boolean().nullable(),
  /** True if the call did not run because a person rejected it or nobody confirmed it in time. `success` is then false. */
  rejected: z.literal(true).optional(),
  /** True if the call failed but its output is still an observation: a failing test run shows what fails. */
  observed: z.literal(true).optional(),
  /** True if the call asked a question and runs again with the answer. `success` is then false, although nothing failed. */
  asked: z.literal(true).optional(),
  summary: z.string(),
  finished_at: z.iso.datetime(),
  /** The size of the whole output, even if only a part of it was stored. */
  size: z.int().min(0),
  sha256: z.string().nullable(),
  /** The id of an earlier receipt for the same effect that this result of the tool contradicts. */
  contradicts: ReceiptId.optional(),
});
export type SettledReceipt = z.infer<typeof SettledReceipt>;

export const Receipt = z.discriminatedUnion("kind", [IntendedReceipt, SettledReceipt]);
export type Receipt = z.infer<typeof Receipt>;
