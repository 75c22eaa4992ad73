// Occurrences for people and programs: ids, local times, one line each.
import { localOf } from "../../../tools/ical/zone-offsets.ts";
import type { EventView } from "../schema/views.ts";
import type { Occurrence } from "./occurrences.ts";
import { isSeries } from "./stored-object.ts";

const iso = (local: number): string => new Date(local).toISOString();
const dateText = (local: number): string => iso(local).slice(0, 10);

/** `e12@2026-03-02` for an event, `e12@2026-03-02T09:15` for an occurrence of a series, by its original start. */
export function occurrenceId({ object, original, start }: Occurrence, zone: string): string {
  if (original === null) return `e${object.seq}@${dateText(localOf(zone, start))}`;
  return `e${object.seq}@${iso(original).slice(0, object.all_day ? 10 : 16)}`;
}

/** `2026-03-02T09:15:00+01:00`. */
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
  // The due date of a to-do is the day that it ends.
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
