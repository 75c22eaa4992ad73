// The small row beside a thread's log, by which threads and open gates are listed. It moves with the record that changes it.
import { z } from "zod";
import { Arguments } from "./decision/decision.ts";
import { Gate } from "./gate.ts";
import { ThreadId } from "./ids.ts";
import { Background, RunOutcome, ThreadStateName } from "./thread.ts";

export const METADATA_BYTES_MAX = 2048;
export const META_GOAL_CHARS = 160;

export const Meta = z.object({
  thread: ThreadId,
  state: ThreadStateName,
  at: z.string().nullable(),
  outcome: RunOutcome.nullable(),
  agent: z.string(),
  goal: z.string(),
  gate: Gate.nullable(),
  /** Of a thread that workers advance, or advanced until they gave it up. */
  background: Background.shape.status.optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int().min(0),
  /** Given at create; null in an append: the stored row keeps its own. */
  metadata: Arguments.nullable(),
});
export type Meta = z.infer<typeof Meta>;
