// A gate: a durable question to a person. It is part of the state; at most one is open at a time.
import { z } from "zod";
import { Arguments } from "./decision/decision.ts";
import { GateId } from "./ids.ts";
import { EffectKind } from "./manifest.ts";
import { Step } from "./plan.ts";
import { IntendedReceipt } from "./receipt.ts";

/** A stored call: arguments inline up to 4 KB, otherwise in a blob of the thread. */
export const StoredCall = z.object({
  name: z.string(),
  manifest_version: z.string(),
  effect: EffectKind,
  arguments: Arguments.nullable(),
  arguments_blob: z.string().nullable(),
  arguments_digest: z.string(),
  /** Digest of the model's proposal if a person or a hook changed it; the entry of the proposal has the text. */
  proposed_digest: z.string().nullable(),
  thought: z.string(),
});
export type StoredCall = z.infer<typeof StoredCall>;

/** Why a call had to be confirmed. */
export const GateReason = z.enum(["manifest", "hook", "risk", "taint", "model", "path"]);
export type GateReason = z.infer<typeof GateReason>;

const common = {
  id: GateId,
  text: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  /** The version of the record that opened it; part of every digest. */
  version: z.int().min(0),
};

export const PlanGate = z.object({
  ...common,
  kind: z.literal("plan"),
  digest: z.string(),
  steps: z.array(Step),
});
export const QuestionGate = z.object({
  ...common,
  kind: z.literal("question"),
  choices: z.array(z.string()).max(4),
  default: z.string().nullable(),
});
export const ConfirmationGate = z.object({
  ...common,
  kind: z.literal("confirmation"),
  digest: z.string(),
  call: StoredCall,
  /** The arguments as text for the person who decides: invisible characters are escaped. */
  shown: z.string().default(""),
  reasons: z.array(z.object({ code: GateReason, text: z.string() })),
});
export const DoubtGate = z.object({
  ...common,
  kind: z.literal("doubt"),
  call: StoredCall,
  intended: IntendedReceipt,
});

export const Gate = z.discriminatedUnion("kind", [PlanGate, QuestionGate, ConfirmationGate, DoubtGate]);
export type Gate = z.infer<typeof Gate>;
export type ConfirmationGate = z.infer<typeof ConfirmationGate>;
export type DoubtGate = z.infer<typeof DoubtGate>;
export type QuestionGate = z.infer<typeof QuestionGate>;
export type PlanGate = z.infer<typeof PlanGate>;

/** An expired gate is no longer open, even if no record says so yet. */
export const hasExpired = ({ expires_at }: Pick<Gate, "expires_at">, now: number): boolean =>
  expires_at !== null && now >= Date.parse(expires_at);
