// Defines one committed row of the log: the entry (what happened) and the state after it.
import * as z from "zod";
import { ExecuteDecision, PlanDecision } from "./decision/decision.ts";
import { StoredCall } from "./gate.ts";
import { CommitId, GateId, OperationId, ReceiptId, ThreadId } from "./ids.ts";
import { CreateInput, TurnInput } from "./input.ts";
import { Judgement } from "./judgement.ts";
import { Problem } from "./problem.ts";
import { Receipt } from "./receipt.ts";
import type { ThreadState } from "./thread.ts";

export const ENTRY_SCHEMA = 2;
export const OBSERVATION_INLINE_BYTES = 32_768;
export const ARGUMENTS_INLINE_BYTES = 4096;
export const CORRECTION_EXCERPT_CHARS = 200;
/** Number of entries that a load reads. Older ones are reduced to one line each in the state, and later to counts. */
export const LOADED_ENTRIES = 17;

export const Usage = z.object({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  usd: z.number().min(0),
  model_calls: z.int().min(0),
});
export type Usage = z.infer<typeof Usage>;

/** The part of a receipt that the model sees. */
export const Observation = z.object({
  receipt_id: ReceiptId.nullable(),
  text: z.string(),
  /** Size of the whole text in bytes. If `blob` is set, `text` is only an excerpt of it. */
  size: z.int().min(0),
  blob: z.string().nullable(),
  /** The output as data for display. Null if it is only text, or too large. The model reads the text. */
  raw: z.unknown().default(null),
});
export type Observation = z.infer<typeof Observation>;

/** A summary of the progress of a call. The full progress log is separate, on hosts that store one. */
export const CallProgress = z.object({
  id: OperationId,
  chunks: z.int().min(0),
  /** The first and the last stages. `n` counts chunks and stages together; `ms` is the time since the start. */
  stages: z.array(z.object({ n: z.int().min(0), stage: z.string(), ms: z.int().min(0) })),
  ms: z.int().min(0),
});
export type CallProgress = z.infer<typeof CallProgress>;

/** The message to the model when its reply was not accepted, with everything needed to rebuild the exact prompt. */
export const Correction = z.object({
  code: z.string(),
  message: z.string(),
  legal: z.array(z.string()),
  excerpt: z.string(),
});
export type Correction = z.infer<typeof Correction>;

export const RequestKey = z.object({
  /** The first nine bytes of the SHA-256 of the key, in hexadecimal. The state's key ring identifies the key by them. */
  hash: z.string(),
  body: z.string(),
  i: z.int().min(0),
  last: z.boolean(),
});
export type RequestKey = z.infer<typeof RequestKey>;

export const StoredDecision = z.discriminatedUnion("for", [
  z.object({ for: z.literal("plan"), value: PlanDecision }),
  z.object({ for: z.literal("execute"), value: ExecuteDecision }),
]);
export type StoredDecision = z.infer<typeof StoredDecision>;

export const Entry = z.object({
  schema: z.literal(ENTRY_SCHEMA),
  commit_id: CommitId,
  at: z.iso.datetime(),
  actor: z.string(),
  run: z.int().min(0),
  turn: z.int().min(0),
  /** The input of the request that created the thread. Null in every record but the first. */
  create: CreateInput.nullable(),
  input: TurnInput.nullable(),
  /** Hash of message [0]. Null for a turn without a model call. */
  prompt_hash: z.string().nullable(),
  /** The newest prompt of the turn: the values that the records do not contain, and a hash to compare a rebuilt prompt with. */
  prompt: z
    .object({
      now: z.string(),
      hash: z.string(),
      /** Present if messages were merged for a provider that requires alternating user and assistant roles. */
      roles: z.literal("alternating").optional(),
    })
    .optional(),
  model: z.string().nullable(),
  estimate_factor: z.number().nullable(),
  corrections: z.array(Correction),
  decision: StoredDecision.nullable(),
  judgement: Judgement.nullable(),
  /** The text shown to the user: the speech of the decision, a question, or the delivery. */
  speak: z.string().nullable(),
  thought: z.string().nullable(),
  call: StoredCall.nullable(),
  receipts: z.array(Receipt),
  observation: Observation.nullable(),
  /** Null if no tool ran. */
  operation: CallProgress.nullable().default(null),
  signals: z.array(z.string()),
  /** The gate that the record closed. `text` is what the model reads about it if the gate expired without an answer. */
  closed_gate: z.object({ id: GateId, kind: z.string(), how: z.string(), text: z.string().nullable() }).nullable(),
  /** The failure that ended the turn: the third time in the turn that a reply was invalid or a decision was refused. */
  problem: Problem.nullable(),
  usage: Usage.nullable(),
  key: RequestKey.nullable(),
  /** Set if a message rolled back the run in progress. The message went to the thread `to`, a copy of the records up to `version`. */
  rolled_back: z.object({ to: ThreadId, version: z.int().min(0) }).optional(),
  renamed: z.string().optional(),
  events: z.object({ first: z.int().min(0), count: z.int().min(0) }),
});
export type Entry = z.infer<typeof Entry>;

export type ThreadRecord = { readonly version: number; readonly entry: Entry; readonly state: ThreadState };

/** A thread as a turn sees it: the state of the head and the newest entries, oldest first. */
export type Thread = {
  readonly version: number;
  readonly state: ThreadState;
  readonly entries: readonly { readonly version: number; readonly entry: Entry }[];
};
