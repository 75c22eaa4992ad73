// Defines a thread's calendar as callers see it: the document without its history, the applied changes, and the
// proposed one.
import * as z from "zod";
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

export const CalendarImportResult = z.object({
  version: z.int().min(1),
  imported: z.int().min(0),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type CalendarImportResult = z.infer<typeof CalendarImportResult>;

/** The effect of a call on the current calendar. */
export const CalendarProposal = z.object({
  tool: z.string(),
  possible: z.boolean(),
  /** The result text of the tool, or the text of its refusal. */
  text: z.string(),
  changes: z.array(TaskChange),
});
export type CalendarProposal = z.infer<typeof CalendarProposal>;

export const CalendarView = z.object({
  calendar: ShownCalendar.nullable(),
  /** The applied effects, oldest first. `effect_id` is the same as in the receipt. */
  effects: z.array(z.object({ effect_id: z.string(), tool: z.string(), changes: z.array(TaskChange) })),
  /** The call that is waiting for approval, or null if there is none or it does not concern the calendar. */
  proposed: CalendarProposal.nullable(),
});
export type CalendarView = z.infer<typeof CalendarView>;
