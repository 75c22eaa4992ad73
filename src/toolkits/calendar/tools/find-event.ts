// Finds the event or occurrence that an id names. The search starts at the date in the id, because most events have not moved.
import { ok, type Result } from "../../../schema/problem.ts";
import { MS_PER_DAY, startOfDay, weekdayOf } from "../events/local-days.ts";
import { ALL_TIME, type Occurrence, occurrencesOf } from "../events/occurrences.ts";
import { isSeries, type StoredObject } from "../events/stored-object.ts";
import { refuse } from "./arguments.ts";
import type { Session } from "./session.ts";
import { traceOccurrence } from "./trace-occurrence.ts";

const ID = /^e(\d{1,9})(?:@(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?)?$/;

export async function findEvent({ calendar, zone }: Session, field: string, id: string): Promise<Result<Occurrence>> {
  const [, number, date, clock] = ID.exec(id.trim()) ?? [];
  const shown = JSON.stringify(id.slice(0, 60));
  const unknown = refuse(`${field}: there is no event ${shown}; a list of events shows the ids.`);
  if (number === undefined) return unknown;
  const day = date === undefined ? null : Date.parse(`${date}T00:00:00Z`);
  if (day !== null && Number.isNaN(day)) return unknown;
  const isIt = (object: StoredObject) => object.seq === Number(number);
  const original = day === null ? null : Date.parse(`${date}T${clock ?? "00:00"}:00Z`);
  const named = (object: StoredObject) =>
    isSeries(object)
      ? (occurrenceNamed(object, original, zone) ??
        (clock === undefined ? onlyOccurrenceIn(object, day, 1, zone) : null))
      : single(object, zone);
  const near = day === null ? null : await calendar.inRange({ from: day - 2 * MS_PER_DAY, to: day + 3 * MS_PER_DAY });
  if (near && !near.ok) return near;
  const nearby = near?.value.find(isIt);
  const found = nearby ? named(nearby) : null;
  if (found) return ok(found);
  const all = await calendar.all();
  if (!all.ok) return all;
  const object = all.value.find(isIt);
  const newest = object ? named(object) : null;
  if (newest) return ok(newest);
  const current = new Map(all.value.map((one) => [one.key, one]));
  const history = { changes: calendar.head.changes, current, zone };
  const place = traceOccurrence(history, Number(number), named);
  const traced = place ? occurrenceNamed(place.object, place.original, zone) : null;
  if (traced) return ok(traced);
  const moved = object && isSeries(object) ? movedOnServer(object, day, zone) : null;
  return moved ? ok(moved) : unknown;
}

const single = (object: StoredObject, zone: string): Occurrence | null =>
  occurrencesOf(object, ALL_TIME, zone)[0] ?? null;

/** The occurrence with this original start or, if it is null, the one at the start of the series. */
function occurrenceNamed(object: StoredObject, original: number | null, zone: string): Occurrence | null {
  const at = original ?? object.start;
  const changed = object.overrides.find((one) => sameMinute(one.at, at));
  const near = changed ? changed.start : at;
  const range = { from: near - 2 * MS_PER_DAY, to: near + 2 * MS_PER_DAY + (object.end - object.start) };
  const found = occurrencesOf(object, range, zone);
  return found.find((one) => one.original !== null && sameMinute(one.original, at)) ?? null;
}

/**
 * Finds an occurrence that was moved on a calendar server, where changes are not recorded: the only one on the day of
 * the id, or else the only one in its week.
 */
function movedOnServer(object: StoredObject, day: number | null, zone: string): Occurrence | null {
  if (day === null) return null;
  const isRemoved = object.exdates.some((at) => startOfDay(at) === day);
  const monday = day - ((weekdayOf(day) + 6) % 7) * MS_PER_DAY;
  return onlyOccurrenceIn(object, day, 1, zone) ?? (isRemoved ? null : onlyOccurrenceIn(object, monday, 7, zone));
}

function onlyOccurrenceIn(object: StoredObject, first: number | null, days: number, zone: string): Occurrence | null {
  if (first === null) return null;
  const end = first + days * MS_PER_DAY;
  const range = { from: first - 2 * MS_PER_DAY, to: end + 2 * MS_PER_DAY };
  const found = occurrencesOf(object, range, zone).filter(
    ({ original }) => original !== null && original >= first && original < end,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

const sameMinute = (a: number, b: number): boolean => Math.floor(a / 60_000) === Math.floor(b / 60_000);
