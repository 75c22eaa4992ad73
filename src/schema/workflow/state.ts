// Defines what a thread stores about its workflow. The size is bounded: older steps are a chain of blobs that begins at the head.
import * as z from "zod";

/** Number of newest steps that the state lists. Older ones are read from the chain of blobs. */
export const WORKFLOW_STEPS_MAX = 8;
export const WORKFLOW_ATTEMPTS_MAX = 4;
export const STATUS_CHARS_MAX = 64;

const hash = z.string();

export const StepDigest = z.object({
  n: z.int().min(1),
  role: z.string(),
  status: z.string(),
  step_blob: hash,
  turn: z.int().min(0),
});
export type StepDigest = z.infer<typeof StepDigest>;

export const WorkflowState = z.object({
  name: z.string(),
  /** Hash of the workflow as it was when the thread started. Later versions do not affect it. */
  workflow_blob: hash,
  role: z.string().nullable(),
  /** The agent that the creator chose for all roles. If null, the configuration decides per role. */
  agent: z.string().nullable(),
  start_blob: hash,
  /** Hash of the newest step, or of the start. It changes only in the commit that stores a step. */
  head_blob: hash,
  /** Number of steps from the start to the head. */
  count: z.int().min(0),
  /** How often each role delivered, and the number of its newest step. */
  visits: z.record(z.string(), z.object({ times: z.int().min(1), last: z.int().min(1) })),
  /** The newest steps, oldest first. */
  steps: z.array(StepDigest).max(WORKFLOW_STEPS_MAX),
  prompt_blob: hash.nullable(),
  /** The record and the turn with which the current visit began. */
  since: z.object({ version: z.int().min(0), turn: z.int().min(0) }),
  /** Failed attempts of the current role, oldest first. The role's next step lists them. */
  attempts: z.array(z.object({ step_blob: hash })).max(WORKFLOW_ATTEMPTS_MAX),
  /** The step that the current visit replaces, after a poke. */
  replaces: z.object({ n: z.int().min(1), prev_blob: hash.nullable() }).nullable(),
});
export type WorkflowState = z.infer<typeof WorkflowState>;
