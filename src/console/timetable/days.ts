// Labels for calendar days, and the tasks on each day. Independent of the UI.
import type { Position, Task } from "../../toolkits/timetable/schema/calendar.ts";
import type { ShownCalendar } from "./changes.ts";

export const SLOTS_PER_DAY = 12;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MS_PER_DAY = 86_400_000;
const shortDate = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", timeZone: "UTC" });

export type PlacedTask = { readonly task: Task; readonly position: Position };

export const tasksOnDay = (calendar: ShownCalendar, day: number): readonly PlacedTask[] =>
  calendar.tasks
    .flatMap((task) => task.slots.map((position) => ({ task, position })))
    .filter(({ position }) => position.day === day)
    // An embedded task is rendered on top of its host.
    .sort((a, b) => Number(a.task.embed_host !== null) - Number(b.task.embed_host !== null));

export function dayLabel(calendar: ShownCalendar, day: number): { readonly name: string; readonly date: string } {
  const entry = calendar.days[day - 1];
  const name = WEEKDAYS[(entry?.weekday ?? 1) - 1] ?? "";
  if (!calendar.starts_on) return { name, date: `day ${day}` };
  return { name, date: shortDate.format(Date.parse(calendar.starts_on) + (day - 1) * MS_PER_DAY) };
}

export const weekOf = (calendar: ShownCalendar, day: number): number => calendar.days[day - 1]?.week ?? 1;

export const daysOfWeek = (calendar: ShownCalendar, week: number): readonly number[] =>
  calendar.days.filter((one) => one.week === week).map((one) => one.day);

export const weekCount = (calendar: ShownCalendar): number => calendar.days.at(-1)?.week ?? 1;

export const slotLabel = ({ slot_start, slot_end }: Position): string =>
  slot_start === slot_end ? `slot ${slot_start}` : `slots ${slot_start} to ${slot_end}`;

/** For example "Mon Sep 7, slots 3 to 4", or "not scheduled". */
export const positionsLabel = (calendar: ShownCalendar, positions: readonly Position[]): string =>
  positions
    .map((position) => {
      const { name, date } = dayLabel(calendar, position.day);
      return `${name} ${date}, ${slotLabel(position)}`;
    })
    .join("; ") || "not scheduled";
