// Finds free time between busy events, day by day within the permitted hours.
import { instantOf, localOf } from "../../../tools/ical/zone-offsets.ts";
import type { WorkingHours } from "../store/head.ts";
import { MS_PER_DAY, startOfDay, weekdayOf } from "./local-days.ts";
import type { Occurrence, TimeRange } from "./occurrences.ts";

export type DayHours = { readonly start: string; readonly end: string };
/** A range of free time, with the busy events next to it. */
export type Gap = {
  readonly from: number;
  readonly to: number;
  readonly previous: Occurrence | null;
  readonly next: Occurrence | null;
};

export type FreeTimeOptions = {
  readonly range: TimeRange;
  readonly zone: string;
  readonly hours: WorkingHours;
  /** Hours that replace the working hours on every day. They may pass midnight. */
  readonly within?: DayHours | undefined;
  /** Whether to skip a day, given as its local midnight. */
  readonly isAvoided?: (day: number) => boolean;
  /** The time to keep free before and after an event. */
  readonly bufferTo?: (event: Occurrence) => number;
};

/** `busy` must be ordered by start. */
export function freeGaps(busy: readonly Occurrence[], options: FreeTimeOptions): Gap[] {
  const { zone, range, hours, within, isAvoided = () => false, bufferTo = () => 0 } = options;
  const gaps: Gap[] = [];
  // Hours that pass midnight may have begun on the day before the range.
  const firstDay = startOfDay(localOf(zone, range.from)) - (within && closing(within) > MS_PER_DAY ? MS_PER_DAY : 0);
  let next = 0;
  const open: Occurrence[] = [];
  for (let day = firstDay; instantOf(zone, day) < range.to; day += MS_PER_DAY) {
    const used = within ?? hoursOn(hours, day);
    if (!used || isAvoided(day)) continue;
    const from = Math.max(range.from, instantOf(zone, day + clockMs(used.start)));
    const to = Math.min(range.to, instantOf(zone, day + closing(used)));
    if (from >= to) continue;
    // The buffer of an event up to a day away may extend into these hours. Events that ended earlier are dropped below.
    for (; next < busy.length && (busy[next]?.start ?? 0) < to + MS_PER_DAY; next += 1)
      open.push(busy[next] as Occurrence);
    const relevant = open.filter((one) => one.end > from - MS_PER_DAY);
    open.splice(0, open.length, ...relevant);
    gaps.push(...gapsBetween(relevant, { from, to }, bufferTo));
  }
  return gaps;
}

function gapsBetween(
  events: readonly Occurrence[],
  { from, to }: TimeRange,
  bufferTo: (event: Occurrence) => number,
): Gap[] {
  const gaps: Gap[] = [];
  let at = from;
  let previous: Occurrence | null = null;
  for (const event of events) {
    const buffer = bufferTo(event);
    const [start, end] = [event.start - buffer, event.end + buffer];
    if (start > at && at < to)
      gaps.push({ from: at, to: Math.min(start, to), previous, next: start <= to ? event : null });
    if (end <= at) continue;
    if (start >= to) return gaps;
    at = end;
    previous = event;
  }
  if (at < to) gaps.push({ from: at, to, previous, next: null });
  return gaps;
}

/** The working hours of a day, given as any local time in it. */
export const hoursOn = (hours: WorkingHours, local: number): DayHours | null =>
  hours[(weekdayOf(local) + 6) % 7] ?? null;

/** The end as time since the midnight before the start, so that 22:00 to 06:00 ends on the next day. */
const closing = ({ start, end }: DayHours): number => clockMs(end) + (clockMs(end) <= clockMs(start) ? MS_PER_DAY : 0);

export function clockMs(text: string): number {
  const [hour = 0, minute = 0] = text.split(":").map(Number);
  return (hour * 60 + minute) * 60_000;
}

const GRID_MS = 15 * 60_000;
/** Rounds up to the next quarter of an hour on the clock in this time zone. */
export function onGrid(instant: number, zone: string): number {
  const local = localOf(zone, instant);
  return instant + (Math.ceil(local / GRID_MS) * GRID_MS - local);
}
