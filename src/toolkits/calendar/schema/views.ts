// Defines calendars, events and import reports as HTTP and tools return them.
import * as z from "zod";
import { CalendarSettings, WorkingHours } from "../store/head.ts";

export const CreateCalendar = z.strictObject({
  name: CalendarSettings.shape.name,
  time_zone: CalendarSettings.shape.time_zone,
  working_hours: WorkingHours.optional().describe(
    "Monday to Sunday; null: no working hours. Weekdays 09:00 to 17:00 by default.",
  ),
  default: z
    .boolean()
    .optional()
    .describe("Threads that name no calendar use this one. The first calendar is the default."),
});

export const CalendarView = z.object({
  id: z.string(),
  name: z.string(),
  time_zone: z.string(),
  working_hours: WorkingHours,
  owner: z.string(),
  default: z.boolean(),
});
export type CalendarView = z.infer<typeof CalendarView>;

export const CalendarDetails = CalendarView.extend({
  version: z.int().describe("Grows with every change."),
  source: z.enum(["caldav", "subscription"]).nullable().describe("Where it is connected to; null: nowhere."),
});

export const CalendarList = z.object({ calendars: z.array(CalendarView) });

const LocalTime = z.string().describe("With the offset of the calendar's zone; a date for whole days.");

export const EventView = z.object({
  id: z.string().describe("Names the event, or one occurrence of a series, for tools."),
  uid: z.string(),
  type: z.enum(["event", "todo"]),
  title: z.string(),
  start: LocalTime,
  end: LocalTime.describe("Exclusive."),
  all_day: z.boolean(),
  series: z.boolean(),
  busy: z.boolean(),
  movable: z.enum(["fixed", "flexible"]),
  location: z.string().nullable(),
  categories: z.array(z.string()),
  reminder_min: z.number().nullable(),
});
export type EventView = z.infer<typeof EventView>;

export const EventList = z.object({
  calendar: z.string(),
  time_zone: z.string(),
  version: z.int(),
  from: z.string(),
  to: z.string(),
  events: z.array(EventView),
});
export type EventList = z.infer<typeof EventList>;

const ChangePicture = z.object({
  days: z.array(z.string()).describe("The first days on which something differs."),
  more_days: z.int().describe("How many more there are."),
  before: z.array(EventView).describe("The events of these days as they are."),
  after: z.array(EventView).describe("The events of these days after the change."),
  leaving: z.array(z.string()).describe("Ids of events in `before` that change."),
  arriving: z.array(z.string()).describe("Ids of events in `after` that are new or changed."),
  conflicts: z.array(z.string()).describe("Ids of arriving events whose time is taken."),
});
export type ChangePicture = z.infer<typeof ChangePicture>;

export const ProposedCalendarChange = z.object({
  proposed: z
    .object({
      tool: z.string(),
      calendar: z.string(),
      time_zone: z.string(),
      possible: z.boolean().describe("False: the call would be refused; `text` says why."),
      text: z.string(),
      picture: ChangePicture.nullable().describe("Null: nothing that can be shown on days differs."),
    })
    .nullable(),
});
export type ProposedCalendarChange = z.infer<typeof ProposedCalendarChange>;

export const ImportReport = z.object({
  events: z.int().describe("Single events."),
  series: z.int().describe("Events that repeat."),
  todos: z.int().describe("To-dos with a due time."),
  notes: z
    .array(z.object({ uid: z.string().nullable(), title: z.string(), note: z.string() }))
    .describe("What is kept for the export but shown differently, or not shown, and why."),
  left_out: z
    .array(z.object({ uid: z.string().nullable(), title: z.string(), reason: z.string() }))
    .describe("What could not be stored. Empty: the export has everything that the file had."),
});
export type ImportReport = z.infer<typeof ImportReport>;
