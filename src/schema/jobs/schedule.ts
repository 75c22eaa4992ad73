// A schedule: when, and what to start then. Times are ISO strings; the zone matters only to cron expressions.
import { z } from "zod";
import { ThreadId } from "../ids.ts";
import { CreateInput, MessageInput } from "../input.ts";

export const ScheduleId = z
  .string()
  .regex(/^sch_[0-9a-z]{26}$/, "must be sch_ and 26 characters")
  .brand<"ScheduleId">();
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

/** A thread of its own each time, or a message to one that is there. */
export const ScheduleAction = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("thread"), create: CreateInput.omit({ run: true }).required({ goal: true }) }),
  z.strictObject({ kind: z.literal("message"), thread: ThreadId, message: MessageInput }),
]);
export type ScheduleAction = z.infer<typeof ScheduleAction>;

export const ScheduleInput = z.strictObject({
  /** Stands in records as the one who did it. */
  name: z
    .string()
    .min(1)
    .max(120)
    .regex(/^(?=.*\S)[^\p{Cc}\u202a-\u202e\u2066-\u2069]+$/u, "not blank, and without control characters"),
  when: ScheduleWhen,
  what: ScheduleAction,
  /** Spread over so many seconds, always the same for the same due time. */
  jitter_s: z.int().min(0).max(3600).optional(),
  /** What to do with due times that passed while nobody was there: nothing, or one run for all of them. */
  missed: z.enum(["skip", "run_once"]).optional(),
  ends_at: z.iso.datetime().optional(),
  enabled: z.boolean().optional(),
});
export type ScheduleInput = z.infer<typeof ScheduleInput>;
/** As a caller writes it. */
export type ScheduleCreateParams = z.input<typeof ScheduleInput>;

/** What is not named stays as it is; null ends the end. */
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
  /** The due time that comes next, before jitter; null when there is none any more. */
  next_at: z.iso.datetime().nullable(),
  last: z.object({ due_at: z.iso.datetime(), thread: z.string().nullable(), outcome: z.string() }).nullable(),
  runs: z.int().min(0),
  /** Its words come from a thread that held untrusted text: what it starts is tainted from the beginning. */
  untrusted: z.boolean().default(false),
  /** Hash of what it was created with, by which the same create is known again. */
  written: z.string().nullable().default(null),
});
export type Schedule = z.infer<typeof Schedule>;
