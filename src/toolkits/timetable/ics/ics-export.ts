// Exports a calendar as iCalendar text, with one event per position and one to-do per pending task. Class rules are not
// exported.
import ICAL from "ical.js";
import { instantIn, type LocalTime, localTimeIn } from "../../../tools/time-zone.ts";
import { dateOf, dayNumber } from "../dates.ts";
import type { Calendar, Position, Task } from "../schema/calendar.ts";
import { hourlySlots, minuteOf, type SlotTime } from "../slot-times.ts";

export type IcsExportOptions = {
  /** The date of day 1, by default `starts_on` of the calendar. */
  readonly starts_on?: string;
  /** The zone of the times, which are then written in UTC. Without it, they are local times without a zone. */
  readonly time_zone?: string;
  readonly slot_times?: readonly SlotTime[];
  /** The creation time of the file in milliseconds since 1970, by default the start of day 1. */
  readonly made_at?: number;
};

export function exportIcs(calendar: Calendar, options: IcsExportOptions = {}): string {
  const starts_on = options.starts_on ?? calendar.starts_on;
  if (starts_on === null) throw new Error("exportIcs needs starts_on for a calendar without a date");
  const context: ExportContext = {
    firstDay: dayNumber(starts_on),
    times: options.slot_times ?? hourlySlots,
    zone: options.time_zone ?? null,
    stamp: options.made_at ?? dayNumber(starts_on) * 86_400_000,
  };
  const root = new ICAL.Component("vcalendar");
  root.updatePropertyWithValue("version", "2.0");
  root.updatePropertyWithValue("prodid", "-//Pawl//Calendar//EN");
  for (const task of calendar.tasks) for (const entry of entriesOf(task, context)) root.addSubcomponent(entry);
  return `${root.toString()}\r\n`;
}

type ExportContext = {
  readonly firstDay: number;
  readonly times: readonly SlotTime[];
  readonly zone: string | null;
  readonly stamp: number;
};

function entriesOf(task: Task, context: ExportContext): ICAL.Component[] {
  if (task.status === "pending") return [todoComponent(task, context)];
  return task.slots.map((position, index) => eventComponent(task, position, index, context));
}

function eventComponent(task: Task, position: Position, index: number, context: ExportContext): ICAL.Component {
  const entry = baseComponent("vevent", task, uidOf(task, index), context);
  const [first, last] = [context.times[position.slot_start - 1], context.times[position.slot_end - 1]];
  // This cannot happen, because there are twelve slot times, and positions use slots 1 to 12.
  if (!first || !last) throw new Error("a slot without a time");
  const day = context.firstDay + position.day - 1;
  entry.updatePropertyWithValue("dtstart", timeOf({ day, minute: minuteOf(first.start) }, context));
  entry.updatePropertyWithValue("dtend", timeOf({ day, minute: minuteOf(last.end) }, context));
  entry.updatePropertyWithValue("transp", task.can_embed ? "TRANSPARENT" : "OPAQUE");
  entry.updatePropertyWithValue("x-pawl-status", task.status);
  if (task.event_type) entry.updatePropertyWithValue("x-pawl-type", task.event_type);
  if (task.embed_host !== null) entry.updatePropertyWithValue("x-pawl-host", String(task.embed_host));
  return entry;
}

function todoComponent(task: Task, context: ExportContext): ICAL.Component {
  const entry = baseComponent("vtodo", task, uidOf(task, 0), context);
  entry.updatePropertyWithValue("status", "NEEDS-ACTION");
  entry.updatePropertyWithValue("x-pawl-slots", String(task.duration));
  return entry;
}

function baseComponent(kind: string, task: Task, uid: string, context: ExportContext): ICAL.Component {
  const entry = new ICAL.Component(kind);
  entry.updatePropertyWithValue("uid", uid);
  entry.updatePropertyWithValue("dtstamp", toUtcTime(context.stamp));
  entry.updatePropertyWithValue("summary", task.name);
  if (task.category !== null) entry.updatePropertyWithValue("categories", task.category);
  entry.updatePropertyWithValue("x-pawl-task", String(task.state_id));
  return entry;
}

function uidOf(task: Task, index: number): string {
  const part = task.slots.length > 1 ? `-${index + 1}` : "";
  return task.source_id === null ? `task-${task.state_id}${part}@pawl` : `${task.source_id}${part}`;
}

const timeOf = (localTime: LocalTime, context: ExportContext): ICAL.Time =>
  context.zone === null
    ? toIcalTime(localTime, ICAL.Timezone.localTimezone)
    : toUtcTime(instantIn(context.zone, localTime));

const toUtcTime = (instant: number): ICAL.Time => toIcalTime(localTimeIn("UTC", instant), ICAL.Timezone.utcTimezone);

function toIcalTime(localTime: LocalTime, zone: ICAL.Timezone): ICAL.Time {
  const [year = 1970, month = 1, day = 1] = dateOf(localTime.day).split("-").map(Number);
  const [hour, minute] = [Math.floor(localTime.minute / 60), localTime.minute % 60];
  return ICAL.Time.fromData({ year, month, day, hour, minute, second: 0, isDate: false }, zone);
}
