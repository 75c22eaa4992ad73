// Formats occurrences for people and programs as ids, local times and lines of a list.
import { localOf } from "../../../tools/ical/zone-offsets.ts";
import type { EventView } from "../schema/views.ts";
import type { WorkingHours } from "../store/head.ts";
import { MS_PER_DAY, weekdayOf } from "./local-days.ts";
import type { Occurrence } from "./occurrences.ts";
import { isSeries } from "./stored-object.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const iso = (local: number): string => new Date(local).toISOString();
export const dateText = (local: number): string => iso(local).slice(0, 10);
const clockText = (local: number): string => iso(local).slice(11, local % 60_000 === 0 ? 16 : 19);
const dayText = (local: number): string => `${WEEKDAYS[weekdayOf(local)]} ${dateText(local)}`;

/** An id such as `e12@2026-03-02` or, for an occurrence of a series, `e12@2026-03-02T09:15` (its original start). */
export function occurrenceId({ object, original, start }: Occurrence, zone: string): string {
  if (original === null) return `e${object.seq}@${dateText(localOf(zone, start))}`;
  return `e${object.seq}@${iso(original).slice(0, object.all_day ? 10 : 16)}`;
}

/** An instant in a zone, such as `2026-03-02T09:15:00+01:00`. */
export function isoIn(zone: string, instant: number): string {
  const local = localOf(zone, instant);
  const minutes = Math.round((local - instant) / 60_000);
  const pad = (n: number) => String(n).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
  return `${iso(local).slice(0, 19)}${offset}`;
}

export function eventView(one: Occurrence, zone: string): EventView {
  const { object } = one;
  const time = (instant: number) => (one.all_day ? dateText(localOf(zone, instant)) : isoIn(zone, instant));
  // An all-day to-do is stored with the exclusive end of its due date as its start and end.
  const due = object.type === "todo" && one.all_day ? one.start - 1 : one.start;
  return {
    id: occurrenceId(one, zone),
    uid: object.key,
    type: object.type,
    title: one.title,
    start: time(due),
    end: time(object.type === "todo" ? due : one.end),
    all_day: one.all_day,
    series: isSeries(object),
    busy: one.busy,
    movable: object.movable,
    location: one.location,
    categories: object.categories,
    reminder_min: object.reminder_min,
  };
}

/** `Mon 2026-03-02 09:15–09:45`, `Mon 2026-03-02 (all day)`, or `Fri 2026-03-06 22:00 – Sat 2026-03-07 02:00`. */
export function spanText(
  { start, end, all_day }: { start: number; end: number; all_day: boolean },
  zone: string,
): string {
  const [from, to] = [localOf(zone, start), localOf(zone, end)];
  if (all_day) {
    const last = Math.max(from, to - MS_PER_DAY);
    return dateText(last) === dateText(from)
      ? `${dayText(from)} (all day)`
      : `${dayText(from)} – ${dayText(last)} (all day)`;
  }
  if (start === end) return `${dayText(from)} ${clockText(from)}`;
  const end_text = dateText(from) === dateText(to) ? `–${clockText(to)}` : ` – ${dayText(to)} ${clockText(to)}`;
  return `${dayText(from)} ${clockText(from)}${end_text}`;
}

export const instantText = (at: number, zone: string): string => spanText({ start: at, end: at, all_day: false }, zone);

/** Working hours such as `Mon–Fri 09:00–17:00, Sat 10:00–12:00`. */
export function hoursText(hours: WorkingHours): string {
  const days = hours.map((day) => (day ? `${day.start}–${day.end}` : null));
  const parts = days.flatMap((text, first) => {
    if (text === null || text === days[first - 1]) return [];
    const other = days.findIndex((one, i) => i > first && one !== text);
    const last = (other === -1 ? days.length : other) - 1;
    const name = (i: number) => WEEKDAYS[(i + 1) % 7];
    return [`${name(first)}${last > first ? `–${name(last)}` : ""} ${text}`];
  });
  return parts.join(", ") || "none";
}

export function occurrenceLine(one: Occurrence, zone: string): string {
  const { object } = one;
  if (object.type === "todo") {
    const due = one.all_day ? dayText(localOf(zone, one.start - 1)) : instantText(one.start, zone);
    return `${due}: deadline "${one.title}" [${occurrenceId(one, zone)}]`;
  }
  const tags = [
    ...(isSeries(object) ? ["repeats"] : []),
    ...(one.busy ? [] : ["free"]),
    ...(object.movable === "fixed" ? ["fixed"] : []),
    ...(one.location ? [`at ${one.location}`] : []),
  ];
  return `${spanText(one, zone)}: ${one.title}${tags.length > 0 ? ` (${tags.join(", ")})` : ""} [${occurrenceId(one, zone)}]`;
}
