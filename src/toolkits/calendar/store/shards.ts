// Divides events into shards by month, so that a query of a month reads only that month. Every query also reads the
// shard of the series and of the events that span several months.
import { localOf } from "../../../tools/ical/zone-offsets.ts";
import { ALL_TIME, occurrencesOf, type TimeRange } from "../events/occurrences.ts";
import { isSeries, type StoredObject } from "../events/stored-object.ts";

export const SERIES_SHARD = "long";
export const KEPT = "kept";
/** The smallest document limit of the supported stores is 400 KB, and a character takes up to three bytes. */
const PART_CHARS_MAX = 120_000;
const MONTHS_MAX = 1200;

const monthOf = (local: number): string => new Date(local).toISOString().slice(0, 7);

export function shardOf(object: StoredObject, zone: string): string {
  if (isSeries(object)) return SERIES_SHARD;
  // A cancelled event has no occurrences, but it stays in its shard.
  const [only] = occurrencesOf({ ...object, cancelled: false }, ALL_TIME, zone);
  if (!only) return SERIES_SHARD;
  const first = monthOf(localOf(zone, only.start));
  const last = monthOf(localOf(zone, Math.max(only.start, only.end - 1)));
  return first === last ? first : SERIES_SHARD;
}

/** The shards that a query reads, whether or not they exist. */
export function shardsFor({ from, to }: TimeRange, zone: string): string[] {
  const end = monthOf(localOf(zone, to - 1));
  const months: string[] = [];
  const at = new Date(`${monthOf(localOf(zone, from))}-01T00:00:00Z`);
  for (let n = 0; n < MONTHS_MAX && monthOf(at.getTime()) <= end; n += 1) {
    months.push(monthOf(at.getTime()));
    at.setUTCMonth(at.getUTCMonth() + 1);
  }
  return [SERIES_SHARD, ...months];
}

/** Divides a list into documents that every store accepts. */
export function packParts<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  let size = PART_CHARS_MAX;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    if (size + length > PART_CHARS_MAX) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(item);
    size += length;
  }
  return parts;
}
