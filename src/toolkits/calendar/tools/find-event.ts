// Finds the event or occurrence that an id names. The date in the id says where to look first; an event that moved is searched for.
import { ok, type Result } from "../../../schema/problem.ts";
import { type Occurrence, occurrencesOf } from "../events/occurrences.ts";
import { MS_PER_DAY } from "../events/rule-dates.ts";
import { isSeries, type StoredObject } from "../events/stored-object.ts";
import { refuse } from "./arguments.ts";
import type { Session } from "./session.ts";

const ID = /^e(\d{1,9})(?:@(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?)?$/;

export async function findEvent({ calendar, zone }: Session, field: string, id: string): Promise<Result<Occurrence>> {
  const [, number, date, clock] = ID.exec(id.trim()) ?? [];
  const unknown = refuse(
    `${field}: there is no event ${JSON.stringify(id.slice(0, 60))}; a list of events shows the ids.`,
  );
  if (number === undefined) return unknown;
  const day = date === undefined ? null : Date.parse(`${date}T00:00:00Z`);
  if (day !== null && Number.isNaN(day)) return unknown;
  const isIt = (object: StoredObject) => object.seq === Number(number);
  const near = day === null ? null : await calendar.inRange({ from: day - 2 * MS_PER_DAY, to: day + 3 * MS_PER_DAY });
  if (near && !near.ok) return near;
  let object = near?.value.find(isIt);
  if (!object) {
    const all = await calendar.all();
    if (!all.ok) return all;
    object = all.value.find(isIt);
  }
  if (!object) return unknown;
  const original = day === null ? null : Date.parse(`${date}T${clock ?? "00:00"}:00Z`);
  const found = isSeries(object)
    ? (occurrenceNamed(object, original, zone) ?? onlyOneOf(object, day, zone))
    : single(object, zone);
  return found ? ok(found) : unknown;
}

const ALL_TIME = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

const single = (object: StoredObject, zone: string): Occurrence | null =>
  occurrencesOf(object, ALL_TIME, zone)[0] ?? null;

/** Without a time, the first occurrence. */
function occurrenceNamed(object: StoredObject, original: number | null, zone: string): Occurrence | null {
  const at = original ?? object.start;
  const changed = object.overrides.find((one) => sameMinute(one.at, at));
  const near = changed ? changed.start : at;
  const range = { from: near - 2 * MS_PER_DAY, to: near + 2 * MS_PER_DAY + (object.end - object.start) };
  const found = occurrencesOf(object, range, zone);
  return found.find((one) => one.original !== null && sameMinute(one.original, at)) ?? null;
}

/** A series has at most one occurrence a day by its rule, so its day names it, also after the series moved to another time of day. */
function onlyOneOf(object: StoredObject, day: number | null, zone: string): Occurrence | null {
  if (day === null) return null;
  const range = { from: day - 2 * MS_PER_DAY, to: day + 3 * MS_PER_DAY };
  const found = occurrencesOf(object, range, zone).filter(
    ({ original }) => original !== null && Math.floor(original / MS_PER_DAY) * MS_PER_DAY === day,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

const sameMinute = (a: number, b: number): boolean => Math.floor(a / 60_000) === Math.floor(b / 60_000);
