// A change before it is saved: which objects it replaces, what a person sees of it, and what stands against it.
import { z } from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { localOf } from "../../../tools/ical/zone-offsets.ts";
import { dateText, isoIn, occurrenceLine, spanText } from "../events/describe.ts";
import { type Occurrence, occurrencesIn, type TimeRange } from "../events/occurrences.ts";
import { MS_PER_DAY, weekdayOf } from "../events/rule-dates.ts";
import type { StoredObject } from "../events/stored-object.ts";
import type { ObjectChange } from "../store/open-calendar.ts";
import { clockMs, refuse } from "../tools/arguments.ts";
import type { Session } from "../tools/session.ts";

/** How far ahead a series is compared with other events. */
const HORIZON_DAYS = 366;
const SHOWN_MAX = 5;

const Span = z.object({ start: z.string(), end: z.string(), all_day: z.boolean() });
/** One event before and after; null where there is none. Series are shown by their first changed occurrence. */
export const EventChange = z.object({
  title: z.string(),
  before: Span.nullable(),
  after: Span.nullable(),
});
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

type Conflict = { readonly planned: Occurrence; readonly taken: Occurrence };

/** Busy events at times that the change newly uses. Overlaps that were there before are not its fault. */
export async function conflictsOf(session: Session, changes: readonly ObjectChange[]): Promise<Result<Conflict[]>> {
  const { zone, calendar } = session;
  const after = changes.flatMap((one) => one.after ?? []);
  if (after.length === 0) return ok([]);
  const starts = after.map((object) => object.start);
  const first = Math.min(...starts) - 2 * MS_PER_DAY;
  const last = Math.max(...after.map((object) => object.end)) + 2 * MS_PER_DAY;
  const range: TimeRange = {
    from: first,
    to: Math.max(last, first + (hasSeries(after) ? HORIZON_DAYS : 0) * MS_PER_DAY),
  };
  const objects = await calendar.inRange(range);
  if (!objects.ok) return objects;
  const changed = new Set(changes.map(({ before, after: next }) => (next ?? before)?.key));
  const others = occurrencesIn(
    objects.value.filter(({ key }) => !changed.has(key)),
    range,
    zone,
  );
  const before = occurrencesIn(
    changes.flatMap((one) => one.before ?? []),
    range,
    zone,
  );
  const known = new Set(before.map(placeOf));
  const planned = occurrencesIn(after, range, zone).filter((one) => one.busy);
  const fresh = planned.filter((one) => !known.has(placeOf(one)));
  return ok(
    overlapping(
      fresh,
      [...others.filter((one) => one.busy), ...planned].sort((a, b) => a.start - b.start),
    ),
  );
}

const hasSeries = (objects: readonly StoredObject[]): boolean =>
  objects.some(({ rule, rdates }) => rule !== null || rdates.length > 0);
const placeOf = ({ object, start, end }: Occurrence): string => `${object.key} ${start} ${end}`;

function overlapping(planned: readonly Occurrence[], taken: readonly Occurrence[]): Conflict[] {
  const longest = taken.reduce((most, one) => Math.max(most, one.end - one.start), 0);
  return planned.flatMap((one) =>
    within(taken, one.start - longest, one.end)
      .filter(
        (other) => other !== one && other.start < one.end && one.start < other.end && placeOf(other) !== placeOf(one),
      )
      .map((other) => ({ planned: one, taken: other })),
  );
}

/** Those that start in the range, of a list ordered by start. */
function within(list: readonly Occurrence[], from: number, to: number): Occurrence[] {
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

/** Refuses a change that books a time twice, unless that was asked for. Returns what the preview has to say about it. */
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

/** A note for times outside the working hours; empty if they are inside. */
export function hoursNote({ calendar, zone }: Session, { start, end, all_day }: SpanTimes): string {
  if (all_day) return "";
  const [from, to] = [localOf(zone, start), localOf(zone, end)];
  const hours = calendar.head.working_hours[(weekdayOf(from) + 6) % 7];
  const day = Math.floor(from / MS_PER_DAY) * MS_PER_DAY;
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
