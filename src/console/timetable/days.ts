// Returns labels for calendar days, and the tasks on each day. It is independent of the UI.
import type { Position, Task } from "../../toolkits/timetable/schema/calendar.ts";
import { t } from "../messages/messages.ts";
import { formatDate } from "../parts/format.ts";
import type { ShownCalendar } from "./changes.ts";

export const SLOTS_PER_DAY = 12;
const MS_PER_DAY = 86_400_000;
/** An arbitrary Monday, from which only weekdays are formatted. */
const MONDAY = Date.UTC(2024, 0, 1);

export type PlacedTask = { readonly task: Task; readonly position: Position };

export const tasksOnDay = (calendar: ShownCalendar, day: number): readonly PlacedTask[] =>
  calendar.tasks
    .flatMap((task) => task.slots.map((position) => ({ task, position })))
    .filter(({ position }) => position.day === day)
    // An embedded task is rendered on top of its host.
    .sort((a, b) => Number(a.task.embed_host !== null) - Number(b.task.embed_host !== null));

export function dayLabel(calendar: ShownCalendar, day: number): { readonly name: string; readonly date: string } {
  const entry = calendar.days[day - 1];
  const name = formatDate(MONDAY + ((entry?.weekday ?? 1) - 1) * MS_PER_DAY, { weekday: "short" });
  if (!calendar.starts_on) return { name, date: t().timetable.day(day) };
  const date = Date.parse(calendar.starts_on) + (day - 1) * MS_PER_DAY;
  return { name, date: formatDate(date, { day: "numeric", month: "short" }) };
}

export const weekOf = (calendar: ShownCalendar, day: number): number => calendar.days[day - 1]?.week ?? 1;

export const daysOfWeek = (calendar: ShownCalendar, week: number): readonly number[] =>
  calendar.days.filter((one) => one.week === week).map((one) => one.day);

export const weekCount = (calendar: ShownCalendar): number => calendar.days.at(-1)?.week ?? 1;

export const slotLabel = ({ slot_start, slot_end }: Position): string => t().timetable.slotRange(slot_start, slot_end);

export const positionsLabel = (calendar: ShownCalendar, positions: readonly Position[]): string =>
  positions
    .map((position) => {
      const { name, date } = dayLabel(calendar, position.day);
      return `${name} ${date}, ${slotLabel(position)}`;
    })
    .join("; ") || t().timetable.notScheduled;
