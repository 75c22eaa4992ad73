// Defines what a child thread stores about its parent, and what a parent stores about the children that it waits for.
import * as z from "zod";
import { EffectId, ThreadId } from "../ids.ts";

export const CHILDREN_MAX = 8;
export const CHILD_DEPTH_MAX = 2;

/** The limits of a thread that a call of another thread created. They apply whatever its agent allows. */
export const ChildState = z.object({
  parent: ThreadId,
  effect_id: EffectId,
  depth: z.int().min(1),
  /** Names of the parent's tools that the child may use. */
  allowed: z.array(z.string()),
  roots: z.array(z.string()),
  shell: z.boolean(),
  readonly: z.boolean(),
  /** Why the child handed the work back to its parent; null if it did not. */
  escalated: z.string().nullable(),
});
export type ChildState = z.infer<typeof ChildState>;

/** The children of the running call. `run` is the run of the child that the parent waits for. */
export const Delegation = z.object({
  children: z.array(z.object({ thread: ThreadId, run: z.int().min(1) })).max(CHILDREN_MAX),
  /** True if job workers advance the children; otherwise the requests of the parent do. */
  by_worker: z.boolean(),
});
export type Delegation = z.infer<typeof Delegation>;
