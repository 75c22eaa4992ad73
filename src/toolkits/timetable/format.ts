// Formats tasks, positions and days for tool results, in plain English, one line each, without advice.
import { dateOfDay } from "./dates.ts";
import { freeRanges, guestAt, loadOf, type Occupant, occupantsOn, type SlotRange, slotCount } from "./occupancy.ts";
import { type Calendar, type Position, SLOTS_PER_DAY, type Task } from "./schema/calendar.ts";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export const taskLabel = (task: Pick<Task, "state_id" | "name">): string => `[${task.state_id}] ${task.name}`;

export const slotRangeText = (range: SlotRange): string =>
  range.slot_start === range.slot_end ? `slot ${range.slot_start}` : `slots ${range.slot_start}-${range.slot_end}`;

export const plural = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;

export const weekdayName = (weekday: number): string => WEEKDAYS[weekday - 1] ?? `weekday ${weekday}`;

export function dayName(calendar: Calendar, day: number): string {
  const entry = calendar.days[day - 1];
  return entry ? `day ${day} (week ${entry.week}, ${weekdayName(entry.weekday)})` : `day ${day}`;
}

/** A day at the start of a line, with its date if the calendar has dates. */
export function datedName(calendar: Calendar, day: number): string {
  const date = dateOfDay(calendar, day);
  return `${capitalize(dayName(calendar, day))}${date ? `, ${date}` : ""}`;
}

export const positionText = (calendar: Calendar, position: Position): string =>
  `${dayName(calendar, position.day)} ${slotRangeText(position)}`;

export const positionsText = (calendar: Calendar, slots: readonly Position[]): string =>
  slots.length === 0 ? "nowhere (pending)" : slots.map((one) => positionText(calendar, one)).join(", ");

export const dayOutOfRange = (calendar: Calendar, field: string, day: number): string =>
  `${field}: day ${day} is outside this calendar, which has days 1 to ${calendar.total_days}.`;

export const unknownTask = (calendar: Calendar, field: string, id: number): string => {
  const ids = calendar.tasks.map((task) => task.state_id);
  const range = ids.length === 0 ? "there are none" : `ids go from ${Math.min(...ids)} to ${Math.max(...ids)}`;
  return `${field}: there is no task ${id}; ${range}.`;
};

export function freeText(ranges: readonly SlotRange[]): string {
  if (ranges.length === 0) return "Free: nothing.";
  return `Free: ${ranges.map((one) => `${slotRangeText(one)} (${slotCount(one)})`).join(", ")}.`;
}

/** Distinguishes sharing from a conflict: a guest names its host, and a host shows whether it has room. */
export function occupantText(calendar: Calendar, { task, position }: Occupant): string {
  const tags: string[] = [task.status];
  if (task.locked) tags.push("fixed");
  const guest = guestAt(calendar.tasks, task, position);
  if (task.can_embed) tags.push(guest ? `holds [${guest.state_id}], no room` : "embeddable, free to share");
  if (task.embed_host !== null) tags.push(`inside [${task.embed_host}]`);
  return `${taskLabel(task)}, ${slotRangeText(position)} (${tags.join(", ")})`;
}

export function loadText(calendar: Calendar, day: number): string {
  const load = loadOf(calendar.tasks, day);
  const of = (amount: number) => `${amount}/${SLOTS_PER_DAY}`;
  return `${of(load.total)} slots in use (courses ${of(load.courses)}, tasks ${of(load.tasks)})`;
}

/** The load, tasks and free slots of a day, to show after a change or a conflict. */
export function dayText(calendar: Calendar, day: number): string {
  const occupants = occupantsOn(calendar.tasks, day);
  const lines = occupants.map((one) => `- ${occupantText(calendar, one)}`);
  const head = `${datedName(calendar, day)}: ${loadText(calendar, day)}.`;
  return [head, ...(lines.length > 0 ? lines : ["- nothing"]), freeText(freeRanges(calendar.tasks, day))].join("\n");
}

const DAYS_IN_FULL = 4;

/** Many days are shown with their load only, to keep the model's context small. */
export function daysText(calendar: Calendar, days: readonly number[]): string {
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  const short = (day: number) => `${capitalize(dayName(calendar, day))}: ${loadText(calendar, day)}.`;
  return sorted.map((day) => (sorted.length > DAYS_IN_FULL ? short(day) : dayText(calendar, day))).join("\n");
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
