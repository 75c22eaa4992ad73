// Converts between local times and instants for many events at once. Offsets are looked up once per zone and day, because most days have only one.
import { instantOfLocal, offsetAt } from "../time-zone.ts";

const MS_PER_DAY = 86_400_000;
/** Maximum number of days in the table of a zone, about ten years. A full table is cleared. */
const DAYS_MAX = 4000;
const ZONES_MAX = 32;

const offsetsByZone = new Map<string, Map<number, number>>();

function offsetsOf(zone: string): Map<number, number> {
  const known = offsetsByZone.get(zone);
  if (known && known.size < DAYS_MAX) return known;
  if (offsetsByZone.size >= ZONES_MAX) offsetsByZone.clear();
  const fresh = new Map<number, number>();
  offsetsByZone.set(zone, fresh);
  return fresh;
}

function offsetAtMidnight(offsets: Map<number, number>, zone: string, day: number): number {
  const known = offsets.get(day);
  if (known !== undefined) return known;
  const found = offsetAt(day * MS_PER_DAY, zone);
  offsets.set(day, found);
  return found;
}

/** Null if the offset is not the same on all these UTC days. */
function constantOffset(zone: string, firstDay: number, lastDay: number): number | null {
  const offsets = offsetsOf(zone);
  const offset = offsetAtMidnight(offsets, zone, firstDay);
  for (let day = firstDay + 1; day <= lastDay + 1; day += 1) {
    if (offsetAtMidnight(offsets, zone, day) !== offset) return null;
  }
  return offset;
}

/** What a clock in the zone shows, in milliseconds as if it showed UTC. */
export function localOf(zone: string, instant: number): number {
  if (zone === "UTC") return instant;
  const day = Math.floor(instant / MS_PER_DAY);
  return instant + (constantOffset(zone, day, day) ?? offsetAt(instant, zone));
}

/** If a local time occurs twice, the first one counts; a skipped one moves forward. */
export function instantOf(zone: string, local: number): number {
  if (zone === "UTC") return local;
  const day = Math.floor(local / MS_PER_DAY);
  const offset = constantOffset(zone, day - 1, day + 1);
  return offset === null ? instantOfLocal(zone, local) : local - offset;
}

/** On most days start and end have the same offset. */
export function instantsOf(zone: string, start: number, end: number): { start: number; end: number } {
  if (zone === "UTC") return { start, end };
  const offset = constantOffset(zone, Math.floor(start / MS_PER_DAY) - 1, Math.floor(end / MS_PER_DAY) + 1);
  if (offset !== null) return { start: start - offset, end: end - offset };
  return { start: instantOf(zone, start), end: instantOf(zone, end) };
}

/** An end in the second of two equal hours becomes one hour later, because a local time means the first. */
export function localEndOf(zone: string, instant: number): number {
  const local = localOf(zone, instant);
  return local + (instant - instantOf(zone, local));
}

/** True if the instant is in the second of two equal hours, which no local time refers to. */
export const isSecondHour = (zone: string, instant: number): boolean =>
  localEndOf(zone, instant) !== localOf(zone, instant);

export const isSkipped = (zone: string, local: number): boolean => localOf(zone, instantOf(zone, local)) !== local;
