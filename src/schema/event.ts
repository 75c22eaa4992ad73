// Defines the events sent to clients. Durable events are derived from records and have sequence numbers without gaps; the others are live only.
import * as z from "zod";
import { Gate } from "./gate.ts";
import { Plan } from "./plan.ts";
import { Receipt } from "./receipt.ts";
import { RunOutcome } from "./thread.ts";

const eventFields = {
  seq: z.int().min(0),
  thread: z.string(),
  version: z.int().min(0),
  turn: z.int().min(0),
  at: z.iso.datetime(),
};

export const DurableEvent = z.discriminatedUnion("type", [
  z.object({ ...eventFields, type: z.literal("thread.created") }),
  z.object({
    ...eventFields,
    type: z.literal("tool.completed"),
    receipt: Receipt,
    /** The same in all events of a call. Null if nothing ran. */
    operation_id: z.string().nullable(),
  }),
  z.object({ ...eventFields, type: z.literal("gate.closed"), gate_id: z.string(), kind: z.string(), how: z.string() }),
  z.object({ ...eventFields, type: z.literal("plan.set"), plan: Plan }),
  z.object({ ...eventFields, type: z.literal("step.advanced"), step: z.int(), steps: z.int() }),
  z.object({ ...eventFields, type: z.literal("gate.opened"), gate: Gate }),
  z.object({ ...eventFields, type: z.literal("speak.completed"), text: z.string() }),
  z.object({
    ...eventFields,
    type: z.literal("run.delivered"),
    outcome: RunOutcome,
    evidence: z.string().nullable(),
    evidence_kind: z.string().nullable().optional(),
  }),
  z.object({ ...eventFields, type: z.literal("run.aborted"), outcome: RunOutcome }),
  z.object({ ...eventFields, type: z.literal("thread.failed") }),
  z.object({ ...eventFields, type: z.literal("turn.committed"), state: z.string(), next: z.string() }),
]);
export type DurableEvent = z.infer<typeof DurableEvent>;

export const EphemeralEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn.started"), thread: z.string(), turn: z.int() }),
  z.object({ type: z.literal("speak.delta"), thread: z.string(), turn: z.int(), text: z.string() }),
  z.object({ type: z.literal("speak.discarded"), thread: z.string(), turn: z.int(), reason: z.string() }),
  z.object({
    type: z.literal("tool.started"),
    thread: z.string(),
    turn: z.int(),
    name: z.string(),
    operation_id: z.string(),
  }),
  z.object({
    type: z.literal("tool.progress"),
    thread: z.string(),
    turn: z.int(),
    name: z.string(),
    operation_id: z.string(),
    kind: z.enum(["chunk", "stage", "done"]),
    /** Counts from 0 without gaps. */
    n: z.int(),
    at: z.iso.datetime(),
    stage: z.string().nullable(),
    text: z.string(),
  }),
]);
export type EphemeralEvent = z.infer<typeof EphemeralEvent>;
export type LiveEvent = DurableEvent | EphemeralEvent;
