// A thread's calendar as callers see it: the document without its memory, the changes made so far, and the one proposed.
import { z } from "zod";
import { CalendarDay, Task, TaskChange, TaskClass } from "./calendar.ts";

const ShownCalendar = z.object({
  version: z.int().min(0),
  total_days: z.int().min(1),
  starts_on: z.iso.date().nullable(),
  days: z.array(CalendarDay),
  tasks: z.array(Task),
  classes: z.array(TaskClass),
  outside: z.boolean(),
});

/** What became of a file that was brought in. */
export const CalendarImportResult = z.object({
  version: z.int().min(1),
  imported: z.int().min(0),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type CalendarImportResult = z.infer<typeof CalendarImportResult>;

/** What a call would do to the calendar as it is now. */
export const CalendarProposal = z.object({
  tool: z.string(),
  possible: z.boolean(),
  /** The sentence of the tool, or of its refusal. */
  text: z.string(),
  changes: z.array(TaskChange),
});
export type CalendarProposal = z.infer<typeof CalendarProposal>;

export const CalendarView = z.object({
  calendar: ShownCalendar.nullable(),
  /** Oldest first; `effect_id` is that of the receipt. */
  effects: z.array(z.object({ effect_id: z.string(), tool: z.string(), changes: z.array(TaskChange) })),
  /** Of the call that waits for a person; null when none does, or when it is none of the calendar's. */
  proposed: CalendarProposal.nullable(),
});
export type CalendarView = z.infer<typeof CalendarView>;
