// Implements the tools move_event and swap_events, which change the times of events. A single occurrence of a series
// moves as an exception.
import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { instantOf, isSecondHour, isSkipped, localEndOf, localOf } from "../../../tools/ical/zone-offsets.ts";
import { MS_PER_DAY, startOfDay } from "../events/local-days.ts";
import { type Occurrence, occurrencesOf, zoneOf } from "../events/occurrences.ts";
import { ruleDates } from "../events/rule-dates.ts";
import { isSeries, type StoredObject } from "../events/stored-object.ts";
import { changeOccurrence, endSeriesBefore, followingSeries, moveObject } from "../ics/change-object.ts";
import type { ObjectChange } from "../store/open-calendar.ts";
import {
  CalendarId,
  EventId,
  IfBusy,
  isDate,
  Minutes,
  minutesMs,
  readLocal,
  refuse,
  refuseSecondHour,
  Scope,
  TimeText,
  wholeDays,
} from "../tools/arguments.ts";
import { findEvent } from "../tools/find-event.ts";
import type { Session } from "../tools/session.ts";
import {
  changeText,
  checkBusy,
  hoursNote,
  type PlannedChange,
  type SpanTimes,
  scopeText,
  spanView,
} from "./planned-change.ts";

export const moveEventInput = z.strictObject({
  id: EventId,
  start: TimeText.describe("the new start; a date keeps the time of day"),
  duration_min: Minutes.optional().describe("the old length by default"),
  scope: Scope,
  if_busy: IfBusy,
  calendar: CalendarId,
});
type MoveInput = z.infer<typeof moveEventInput>;

export const swapEventsInput = z.strictObject({
  first: EventId,
  second: EventId,
  if_busy: IfBusy,
  calendar: CalendarId,
});

export async function planMove(session: Session, input: MoveInput): Promise<Result<PlannedChange>> {
  const { zone } = session;
  const found = await findEvent(session, "id", input.id);
  if (!found.ok) return found;
  const event = found.value;
  if (event.object.type === "todo") return refuse("id: this is a deadline, not an event; it cannot be moved.");
  const target = readTarget(event, input, zone);
  if (!target.ok) return target;
  const scope = isSeries(event.object) ? input.scope : "all";
  const moved = moveTo(session, event, target.value, scope);
  if (!moved.ok) return moved;
  const overlap = await checkBusy(session, moved.value, input.if_busy);
  if (!overlap.ok) return overlap;
  const fixed =
    event.object.movable === "fixed" ? " It is marked as fixed: other people may expect it at the old time." : "";
  const change = { title: event.title, before: event, after: target.value };
  const text = `Moved ${changeText(change, zone)}${scopeText(event.object, scope)}${newDaysNote(event.object, moved.value)}.${fixed}${hoursNote(session, target.value)}${overlap.value}`;
  const shown = [{ title: event.title, before: spanView(event, zone), after: spanView(target.value, zone) }];
  return ok({ changes: moved.value, shown, text });
}

/** Names the new weekdays of the rule if the move changed them. */
function newDaysNote({ rule }: StoredObject, changes: readonly ObjectChange[]): string {
  const moved = changes.at(-1)?.after?.rule ?? null;
  const days = (text: string | null) => /BYDAY=([^;]+)/.exec(text ?? "")?.[1];
  return days(moved) === days(rule) ? "" : `, which then repeats on ${days(moved)?.split(",").join(", ")}`;
}

function readTarget(event: Occurrence, input: MoveInput, zone: string): Result<SpanTimes> {
  const local = readLocal("start", input.start, zone);
  if (!local.ok) return local;
  const was = localOf(zone, event.start);
  if (event.all_day) {
    const days = wholeDays(input.duration_min);
    if (!days.ok) return days;
    const length = days.value === null ? localOf(zone, event.end) - was : days.value * MS_PER_DAY;
    const start = startOfDay(local.value);
    return ok({ start: instantOf(zone, start), end: instantOf(zone, start + length), all_day: true });
  }
  const target = isDate(input.start) ? local.value + (was - startOfDay(was)) : local.value;
  if (isSkipped(zone, target))
    return refuse(`start: the time of this event does not exist in ${zone} on ${input.start}; name another time.`);
  const start = instantOf(zone, target);
  const own = zoneOf(event.object, zone);
  if (isSecondHour(own, start)) return refuseSecondHour("start", input.start, own);
  const length = input.duration_min === undefined ? event.end - event.start : minutesMs(input.duration_min);
  return ok({ start, end: instantOf(own, localEndOf(own, start + length)), all_day: false });
}

/** Times are written in the time zone of the event. */
export function moveTo(
  { zone, now, key, calendar }: Omit<Session, "zoneNote">,
  event: Occurrence,
  target: SpanTimes,
  scope: "this" | "following" | "all",
): Result<readonly ObjectChange[]> {
  const { object, original } = event;
  const context = { zone, now };
  const own = zoneOf(object, zone);
  const times = {
    start: localOf(own, target.start),
    end: localEndOf(own, target.end),
    all_day: object.all_day,
    zone: object.zone,
  };
  if (original === null) return changed(object, moveObject(object, times, context));
  if (scope === "this") return changed(object, changeOccurrence(object, original, { times }, context));
  const isLonger = target.end - target.start !== event.end - event.start;
  // The series moves by the same amount as the named occurrence, which may have been moved or made longer before.
  const moveSeries = (series: StoredObject): StoredObject | null => {
    const start = series.start + times.start - localOf(own, event.start);
    const length = isLonger ? times.end - times.start : series.end - series.start;
    const moved = moveObject(series, { ...times, start, end: start + length }, context);
    const isWhole = moved && startsAt(moved, target.start, zone) && strayDates(moved, zone) <= strayDates(series, zone);
    return isWhole ? moved : null;
  };
  if (scope === "all" || original <= object.start) return changed(object, moveSeries(object));
  const rest = followingSeries(object, original, { uid: `${key}@pawl`, seq: calendar.head.next_seq }, context);
  const moved = moveSeries(rest);
  if (!moved) return refuse(UNSHIFTABLE);
  return ok([
    { before: object, after: endSeriesBefore(object, original, context) },
    { before: null, after: moved },
  ]);
}

const startsAt = (object: StoredObject, start: number, zone: string): boolean =>
  occurrencesOf(object, { from: start, to: start + 1 }, zone).some((one) => one.start === start);

/** How many dates of changed or removed occurrences the rule does not name. A changed one would then be shown in addition. */
function strayDates(
  { rule, start, rdates, overrides, exdates, ...series }: StoredObject,
  calendarZone: string,
): number {
  if (rule === null) return 0;
  const zone = zoneOf({ ...series }, calendarZone);
  const toLocal = (instant: number) => localOf(zone, instant);
  const named = (at: number) =>
    rdates.includes(at) || ruleDates({ rule, start, toLocal, from: at, to: at + 1 }).length > 0;
  return [...overrides.map(({ at }) => at), ...exdates].filter((at) => !named(at)).length;
}

const UNSHIFTABLE =
  "This series repeats on days of the month or the year that cannot all move by the same time. Move single occurrences, or create a new series.";

const changed = (before: StoredObject, after: StoredObject | null): Result<readonly ObjectChange[]> =>
  after ? ok([{ before, after }]) : refuse(UNSHIFTABLE);

export async function planSwap(
  session: Session,
  input: z.infer<typeof swapEventsInput>,
): Promise<Result<PlannedChange>> {
  const { zone } = session;
  const [first, second] = [
    await findEvent(session, "first", input.first),
    await findEvent(session, "second", input.second),
  ];
  if (!first.ok) return first;
  if (!second.ok) return second;
  const [a, b] = [first.value, second.value];
  if (a.object.key === b.object.key)
    return refuse("second: it is the same event or series as first; move one of them instead.");
  if (a.all_day !== b.all_day) return refuse("second: an event of a whole day and one with a time cannot be swapped.");
  const to = (one: Occurrence, other: Occurrence): SpanTimes => ({
    start: other.start,
    end: other.start + (one.end - one.start),
    all_day: one.all_day,
  });
  const [toB, toA] = [to(a, b), to(b, a)];
  const movedA = moveTo(session, a, toB, "this");
  const movedB = moveTo(session, b, toA, "this");
  if (!movedA.ok) return movedA;
  if (!movedB.ok) return movedB;
  const changes = [...movedA.value, ...movedB.value];
  const overlap = await checkBusy(session, changes, input.if_busy);
  if (!overlap.ok) return overlap;
  const texts = [
    { title: a.title, before: a, after: toB },
    { title: b.title, before: b, after: toA },
  ].map((one) => changeText(one, zone));
  const shown = [
    { title: a.title, before: spanView(a, zone), after: spanView(toB, zone) },
    { title: b.title, before: spanView(b, zone), after: spanView(toA, zone) },
  ];
  return ok({ changes, shown, text: `Swapped ${texts.join("; ")}.${overlap.value}` });
}
