// Follows an occurrence through the changes of its series since the id was created, such as a move to another day or a
// division.

import { MS_PER_DAY } from "../events/local-days.ts";
import { type Occurrence, occurrencesOf } from "../events/occurrences.ts";
import { isSeries, type StoredObject } from "../events/stored-object.ts";
import type { CalendarChange } from "../store/head.ts";

export type SeriesHistory = {
  /** The recorded changes, oldest first. */
  readonly changes: readonly CalendarChange[];
  /** The newest state of every object, by key. */
  readonly current: ReadonlyMap<string, StoredObject>;
  readonly zone: string;
};

/** An occurrence, identified by its start according to the rule, as local time in the zone of the series. */
export type OccurrencePlace = { readonly object: StoredObject; readonly original: number };

/** Finds the occurrence that an id refers to in one state of its series. */
export type OccurrenceFinder = (object: StoredObject) => Occurrence | null;

/** Returns null if no recorded state of the series had this occurrence, or if it was removed later. */
export function traceOccurrence(history: SeriesHistory, seq: number, find: OccurrenceFinder): OccurrencePlace | null {
  for (const [index, { before }] of [...history.changes.entries()].reverse()) {
    const object = Object.values(before ?? {}).find((one) => one.object?.seq === seq)?.object;
    if (!object || !isSeries(object)) continue;
    const original = find(object)?.original ?? null;
    if (original !== null) return follow(history, index, { object, original });
  }
  return null;
}

/** Follows the occurrence through the changes from the index `since` on. */
function follow(history: SeriesHistory, since: number, place: OccurrencePlace): OccurrencePlace | null {
  const index = nextChangeOf(history, place.object.key, since);
  if (index === -1) return history.current.has(place.object.key) ? place : null;
  const next = afterChange(history, index, place);
  return next && follow(history, index + 1, next);
}

const nextChangeOf = ({ changes }: SeriesHistory, key: string, since: number): number =>
  changes.findIndex(({ before }, index) => index >= since && before?.[key] !== undefined);

function stateAfter(history: SeriesHistory, index: number, key: string): StoredObject | null {
  const next = nextChangeOf(history, key, index + 1);
  return next === -1 ? (history.current.get(key) ?? null) : (history.changes[next]?.before?.[key]?.object ?? null);
}

function afterChange(history: SeriesHistory, index: number, { object, original }: OccurrencePlace) {
  const after = stateAfter(history, index, object.key);
  const moved = after && placeIn(history, after, original + after.start - object.start);
  if (moved) return moved;
  const divided = firstWithout(history, object, { after, original });
  if (divided === null) return null;
  const created = Object.entries(history.changes[index]?.before ?? {}).filter(([, one]) => one.object === null);
  for (const [key] of created) {
    const rest = stateAfter(history, index, key);
    const found = rest && placeIn(history, rest, original - divided + rest.start);
    if (found) return found;
  }
  return null;
}

function placeIn({ zone }: SeriesHistory, object: StoredObject, original: number): OccurrencePlace | null {
  const has = startsUntil(object, original, zone).includes(original);
  return has ? { object, original } : null;
}

/** The original start of the first occurrence that is no longer in the series, where the series was divided. */
function firstWithout(
  { zone }: SeriesHistory,
  object: StoredObject,
  { after, original }: { after: StoredObject | null; original: number },
): number | null {
  const left = new Set(after ? startsUntil(after, original, zone) : []);
  return startsUntil(object, original, zone).find((at) => !left.has(at)) ?? null;
}

/** The original starts up to `last` in order, even if changed occurrences take place in another order. */
function startsUntil(object: StoredObject, last: number, zone: string): number[] {
  const moved = object.overrides.filter(({ at }) => at <= last);
  const range = {
    from: Math.min(object.start, ...moved.map(({ start }) => start)) - 2 * MS_PER_DAY,
    to: Math.max(last, ...moved.map(({ end }) => end)) + 2 * MS_PER_DAY,
  };
  const starts = occurrencesOf(object, range, zone).map((one) => one.original ?? object.start);
  return starts.filter((at) => at <= last).sort((a, b) => a - b);
}
