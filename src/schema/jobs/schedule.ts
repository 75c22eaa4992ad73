// Defines a schedule: when it is due, and what it starts. Times are ISO strings; the time zone affects only cron expressions.
import * as z from "zod";
import { prefixedId, ThreadId } from "../ids.ts";
import { CreateInput, MessageInput } from "../input.ts";

export const ScheduleId = prefixedId("sch", "ScheduleId");
export type ScheduleId = z.infer<typeof ScheduleId>;

export const ScheduleWhen = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("cron"),
    expression: z.string().min(1).max(120),
    time_zone: z.string().min(1).max(64),
  }),
  z.strictObject({
    kind: z.literal("interval"),
    every_s: z.int().min(10).max(31_536_000),
    from: z.iso.datetime().optional(),
  }),
  z.strictObject({ kind: z.literal("once"), at: z.iso.datetime() }),
]);
export type ScheduleWhen = z.infer<typeof ScheduleWhen>;

export const ScheduleAction = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("thread"), create: CreateInput.omit({ run: true }).required({ goal: true }) }),
  z.strictObject({ kind: z.literal("message"), thread: ThreadId, message: MessageInput }),
]);
export type ScheduleAction = z.infer<typeof ScheduleAction>;

export const textOf = (what: ScheduleAction): string => (what.kind === "thread" ? what.create.goal : what.message.text);

export const ScheduleInput = z.strictObject({
  /** The name that records show as the actor. */
  name: z
    .string()
    .min(1)
    .max(120)
    .regex(/^(?=.*\S)[^\p{Cc}\u202a-\u202e\u2066-\u2069]+$/u, "not blank, and without control characters"),
  when: ScheduleWhen,
  what: ScheduleAction,
  /** Spreads the starts over this many seconds. The same due time always has the same delay. */
  jitter_s: z.int().min(0).max(3600).optional(),
  /** What to do with due times missed during downtime: nothing, or one run for all of them. */
  missed: z.enum(["skip", "run_once"]).optional(),
  ends_at: z.iso.datetime().optional(),
  enabled: z.boolean().optional(),
});
export type ScheduleInput = z.infer<typeof ScheduleInput>;
export type ScheduleCreateParams = z.input<typeof ScheduleInput>;

/** A change of a schedule. Omitted fields stay unchanged; `ends_at: null` removes the end. */
export const SchedulePatch = ScheduleInput.partial().extend({ ends_at: z.iso.datetime().nullable().optional() });
export type SchedulePatch = z.infer<typeof SchedulePatch>;
export type ScheduleUpdateParams = z.input<typeof SchedulePatch>;

export const Schedule = z.object({
  schema: z.literal(1),
  id: ScheduleId,
  name: z.string(),
  when: ScheduleWhen,
  what: ScheduleAction,
  jitter_s: z.int().min(0),
  missed: z.enum(["skip", "run_once"]),
  ends_at: z.iso.datetime().nullable(),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  /** The next due time, before jitter. Null if there is none. */
  next_at: z.iso.datetime().nullable(),
  last: z.object({ due_at: z.iso.datetime(), thread: z.string().nullable(), outcome: z.string() }).nullable(),
  runs: z.int().min(0),
  /** True if a thread with untrusted text created the schedule. What the schedule starts is then tainted from the beginning. */
  untrusted: z.boolean().default(false),
  /** Hash of the create request, used to recognize a repeated one. */
  written: z.string().nullable().default(null),
});
export type Schedule = z.infer<typeof Schedule>;
