// Represents a change before it is saved: the objects that it replaces, its preview, its conflicts and its deadline.
import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { localOf } from "../../../tools/ical/zone-offsets.ts";
import { dateText, instantText, isoIn, occurrenceLine, spanText } from "../events/describe.ts";
import { clockMs, hoursOn } from "../events/free-time.ts";
import { MS_PER_DAY, startOfDay } from "../events/local-days.ts";
import { byStart, type Occurrence, occurrencesIn, overlap, type TimeRange } from "../events/occurrences.ts";
import { isSeries, type StoredObject } from "../events/stored-object.ts";
import type { ObjectChange } from "../store/open-calendar.ts";
import { refuse } from "../tools/arguments.ts";
import type { Session } from "../tools/session.ts";

/** The number of days ahead for which a series is compared with other events. */
const HORIZON_DAYS = 366;
const SHOWN_MAX = 5;

const Span = z.object({ start: z.string(), end: z.string(), all_day: z.boolean() });
/** Null stands for a side on which the event does not exist. A series is shown by its first changed occurrence. */
export const EventChange = z.object({ title: z.string(), before: Span.nullable(), after: Span.nullable() });
export type EventChange = z.infer<typeof EventChange>;

export type PlannedChange = {
  readonly changes: readonly ObjectChange[];
  readonly shown: readonly EventChange[];
  readonly text: string;
};

export type SpanTimes = { readonly start: number; readonly end: number; readonly all_day: boolean };

export const spanView = ({ start, end, all_day }: SpanTimes, zone: string): z.infer<typeof Span> => {
  const text = (at: number) => (all_day ? dateText(localOf(zone, at)) : isoIn(zone, at));
  return { start: text(start), end: text(end), all_day };
};

/** What a change covers besides the named occurrence. */
export function scopeText(object: StoredObject, scope: "this" | "following" | "all"): string {
  if (!isSeries(object) || scope === "this") return "";
  return scope === "all" ? ", with the whole series" : ", with all following occurrences";
}

type Conflict = { readonly planned: Occurrence; readonly taken: Occurrence };

/** Overlaps that existed before the change are not conflicts. */
async function conflictsOf(session: Session, changes: readonly ObjectChange[]): Promise<Result<Conflict[]>> {
  const { zone, calendar } = session;
  const after = changes.flatMap((one) => one.after ?? []);
  if (after.length === 0) return ok([]);
  const range = comparedRange(after, session.now);
  const busyIn = (objects: readonly StoredObject[], within: TimeRange) =>
    occurrencesIn(objects, within, zone).filter((one) => one.busy);
  const before = changes.flatMap((one) => one.before ?? []);
  const placeOf = placesOf(changes);
  // Each place is left once: the rest of a series may move to the time of an occurrence that stays.
  const left = new Map<string, number>();
  for (const place of busyIn(before, range).map(placeOf)) left.set(place, (left.get(place) ?? 0) + 1);
  const planned = busyIn(after, range);
  const fresh = planned.filter((one) => {
    const place = placeOf(one);
    const count = left.get(place) ?? 0;
    left.set(place, count - 1);
    return count <= 0;
  });
  const [first] = fresh;
  if (!first) return ok([]);
  const used = { from: first.start, to: fresh.reduce((last, one) => Math.max(last, one.end), first.end) };
  const objects = await calendar.inRange(used);
  if (!objects.ok) return objects;
  const changed = new Set(changes.map((one) => (one.after ?? one.before)?.key));
  const others = objects.value.filter(({ key }) => !changed.has(key));
  return ok(overlapping(fresh, [...busyIn(others, used), ...planned].sort(byStart)));
}

/** Includes all single events, and the changed occurrences and added dates of series, however far they are apart. */
function comparedRange(objects: readonly StoredObject[], now: number): TimeRange {
  const spans = objects.flatMap(({ start, end, overrides, rdates }) => [
    { start, end },
    ...overrides,
    ...rdates.map((at) => ({ start: at, end: at + end - start })),
  ]);
  const first = Math.min(...spans.map(({ start }) => start));
  const last = Math.max(...spans.map(({ end }) => end));
  // The horizon of a series starts at its first event or now, whichever is later.
  const ahead = objects.filter(isSeries).map(({ start }) => Math.max(start, now) + HORIZON_DAYS * MS_PER_DAY);
  // The spans are local times, which differ from the instants by less than two days.
  return { from: first - 2 * MS_PER_DAY, to: Math.max(last, ...ahead) + 2 * MS_PER_DAY };
}

/**
 * Identifies the place of an occurrence in the calendar. It includes the original start, because an occurrence may move
 * to the time of another one in its series. Both parts of a divided series count as one series.
 */
function placesOf(changes: readonly ObjectChange[]): (one: Occurrence) => string {
  const divided = changes.filter(({ before, after }) => before && after && isSeries(before));
  const created = changes.filter(({ before }) => before === null);
  const rest = divided.length === 1 && created.length === 1 ? created[0]?.after?.key : null;
  return ({ object, original, start, end }) =>
    `${object.key === rest ? divided[0]?.before?.key : object.key} ${original} ${start} ${end}`;
}

function overlapping(planned: readonly Occurrence[], taken: readonly Occurrence[]): Conflict[] {
  const longest = taken.reduce((most, one) => Math.max(most, one.end - one.start), 0);
  return planned.flatMap((one) =>
    startingIn(taken, one.start - longest, one.end)
      .filter((other) => overlap(one, other))
      .map((other) => ({ planned: one, taken: other })),
  );
}

/** The occurrences that start in the range, from a list ordered by start. */
function startingIn(list: readonly Occurrence[], from: number, to: number): Occurrence[] {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.start ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const found: Occurrence[] = [];
  for (let i = low; i < list.length; i += 1) {
    const one = list[i];
    if (!one || one.start >= to) break;
    found.push(one);
  }
  return found;
}

/** Refuses a change that would double-book a time, unless `if_busy` allows it. Returns a note for the preview. */
export async function checkBusy(
  session: Session,
  changes: readonly ObjectChange[],
  if_busy: "refuse" | "allow",
): Promise<Result<string>> {
  const conflicts = await conflictsOf(session, changes);
  if (!conflicts.ok) return conflicts;
  if (conflicts.value.length === 0) return ok("");
  const lines = [...new Set(conflicts.value.map(({ taken }) => `- ${occurrenceLine(taken, session.zone)}`))];
  const shown = lines.slice(0, SHOWN_MAX).join("\n");
  const more = lines.length > SHOWN_MAX ? `\n- and ${lines.length - SHOWN_MAX} more` : "";
  if (if_busy === "allow") return ok(`\nAt the same time:\n${shown}${more}`);
  return refuse(
    `The time is taken:\n${shown}${more}\nNothing was changed. Choose another time, or pass if_busy: "allow".`,
  );
}

export function hoursNote({ calendar, zone }: Session, { start, end, all_day }: SpanTimes): string {
  if (all_day) return "";
  const [from, to] = [localOf(zone, start), localOf(zone, end)];
  const hours = hoursOn(calendar.head.working_hours, from);
  const day = startOfDay(from);
  const inside = hours && from >= day + clockMs(hours.start) && to <= day + clockMs(hours.end);
  return inside ? "" : " This is outside working hours.";
}

export const changeText = (
  { title, before, after }: { title: string; before: SpanTimes | null; after: SpanTimes | null },
  zone: string,
): string => {
  if (!before && after) return `"${title}" on ${spanText(after, zone)}`;
  if (before && !after) return `"${title}" on ${spanText(before, zone)}`;
  return before && after ? `"${title}" from ${spanText(before, zone)} to ${spanText(after, zone)}` : `"${title}"`;
};

const sameTitle = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Returns the earliest open to-do with this title that is due before `until`, or null if there is none. */
export async function deadlineOf(session: Session, title: string, until: number): Promise<Result<Occurrence | null>> {
  if (until <= session.now) return ok(null);
  const range = { from: session.now, to: until };
  const objects = await session.calendar.inRange(range);
  if (!objects.ok) return objects;
  // Only to-dos with this title are expanded, because a long range may contain very many other events.
  const todos = objects.value.filter((one) => one.type === "todo" && sameTitle(one.title, title));
  return ok(occurrencesIn(todos, range, session.zone)[0] ?? null);
}

export async function checkDeadline(session: Session, title: string, end: number): Promise<Result<void>> {
  const due = await deadlineOf(session, title, end);
  if (!due.ok) return due;
  if (!due.value || due.value.start >= end) return ok(undefined);
  const at = instantText(due.value.start, session.zone);
  return refuse(`"${title}" is due ${at}, before this would end. Nothing was changed; choose an earlier time.`);
}
