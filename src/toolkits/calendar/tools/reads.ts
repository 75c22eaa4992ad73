// Implements the tools list_events and find_time, which return the events and the free time of a range.
import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { localOf } from "../../../tools/ical/zone-offsets.ts";
import { deadlineOf } from "../changes/planned-change.ts";
import { dateText, eventView, hoursText, instantText, isoIn, occurrenceLine, spanText } from "../events/describe.ts";
import { type FreeTimeOptions, freeGaps, type Gap, onGrid } from "../events/free-time.ts";
import { MS_PER_DAY, weekdayOf } from "../events/local-days.ts";
import { byStart, type Occurrence, type TimeRange } from "../events/occurrences.ts";
import { parseRange, readRange } from "../events/read-range.ts";
import type { EventView } from "../schema/views.ts";
import type { CalendarStore } from "../store/calendar-store.ts";
import { CalendarId, ClockTime, Minutes, minutesMs, refuse, Title } from "./arguments.ts";
import type { Session } from "./session.ts";

export const ReadOutput = z.object({ text: z.string(), data: z.record(z.string(), z.unknown()) });
/** The result of a read. `outside` is true if it contains names of another calendar's events, which other people wrote. */
export type ReadResult = z.infer<typeof ReadOutput> & { readonly outside?: boolean };

export const From = z.string().max(40).describe("a date or a local time such as 2026-03-02T09:15");
export const To = z.string().max(40).describe("a date (that day is included) or a local time");

/** An unusable range is a refusal here, because it is the model that passed it. */
export function toolRange(session: Session, from: string, to: string): Result<TimeRange> {
  const range = parseRange(from, to, session.zone);
  return range.ok ? range : refuse(range.problem.message);
}

export const listEventsInput = z.strictObject({
  from: From,
  to: To,
  query: z.string().max(100).optional().describe("only events whose title or location contains it"),
  page: z.int().min(1).max(1000).default(1),
  calendar: CalendarId,
});

const PAGE = 50;

export async function listEvents(
  session: Session,
  input: z.infer<typeof listEventsInput>,
): Promise<Result<ReadResult>> {
  const range = toolRange(session, input.from, input.to);
  if (!range.ok) return range;
  const found = await readRange(session.calendar, range.value);
  if (!found.ok) return refuse(found.problem.message);
  const query = input.query?.toLowerCase();
  const matches = (one: Occurrence) => !query || `${one.title} ${one.location ?? ""}`.toLowerCase().includes(query);
  const events = found.value.filter(matches);
  const page = events.slice((input.page - 1) * PAGE, input.page * PAGE);
  const count = events.length === 1 ? "1 event" : `${events.length} events`;
  const now = instantText(session.now, session.zone).slice(0, 20);
  const head = `${count} in "${session.calendar.head.name}" (${session.zone}). Now: ${now}.${session.zoneNote}`;
  const more = events.length > input.page * PAGE ? [`Page ${input.page + 1} has more.`] : [];
  const lines = page.map((one) => `- ${occurrenceLine(one, session.zone)}`);
  const views: EventView[] = page.map((one) => eventView(one, session.zone));
  return ok({ text: [head, ...lines, ...more].join("\n"), data: { events: views, total: events.length } });
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

export const findTimeInput = z.strictObject({
  duration_min: Minutes,
  from: From,
  to: To,
  prefer: z.enum(["earliest", "morning", "afternoon", "evening"]).default("earliest"),
  within: z
    .strictObject({ start: ClockTime, end: ClockTime })
    .optional()
    .describe("hours of the day; the working hours by default"),
  avoid: z.array(z.string().max(20)).max(20).optional().describe("weekdays such as friday, or dates"),
  buffer_min: z.int().min(0).max(240).default(0).describe("time to keep free around other events"),
  travel_min: z.int().min(0).max(480).default(0).describe("time to keep free around events at another place"),
  location: z.string().max(200).optional(),
  attendees: z
    .array(z.string().max(80))
    .max(10)
    .optional()
    .describe("ids of calendars, not addresses, that must be free, too"),
  title: Title.optional().describe("work with a deadline of this title ends before it"),
  count: z.int().min(1).max(20).default(5).describe("default 5"),
  calendar: CalendarId,
});
type FindInput = z.infer<typeof findTimeInput>;

const PARTS = { morning: [0, 12], afternoon: [12, 17], evening: [17, 24] } as const;

export async function findTime(session: Session, input: FindInput, store: CalendarStore): Promise<Result<ReadResult>> {
  const { zone, now, calendar } = session;
  const asked = toolRange(session, input.from, input.to);
  if (!asked.ok) return asked;
  const due = input.title === undefined ? ok(null) : await deadlineOf(session, input.title, asked.value.to);
  if (!due.ok) return due;
  const end = Math.min(asked.value.to, due.value?.start ?? asked.value.to);
  const range = { from: Math.max(asked.value.from, onGrid(now, zone)), to: end };
  if (range.from >= range.to)
    return refuse("to: the range is over, or its deadline is; nothing can be placed in the past.");
  const busy = await busyTimes(session, range, input.attendees ?? [], store);
  if (!busy.ok) return busy;
  const avoided = readAvoid(input.avoid ?? []);
  if (!avoided.ok) return avoided;
  const searched = { range, zone, hours: calendar.head.working_hours, within: input.within };
  const { events, outside } = busy.value;
  const gaps = freeGaps(events, {
    ...searched,
    isAvoided: avoided.value,
    bufferTo: (event) => minutesMs(input.buffer_min + (isElsewhere(event, input.location) ? input.travel_min : 0)),
  });
  const found = candidates(gaps, input, zone).slice(0, input.count);
  const deadline = due.value ? ` It is due ${instantText(due.value.start, zone)}.` : "";
  if (found.length === 0)
    return ok({
      text: `Nothing is free for ${input.duration_min} minutes in that range.${deadline} ${searchedText(searched)}`,
      data: { candidates: [] },
      outside,
    });
  const length = minutesMs(input.duration_min);
  const lines = found.map(({ start, gap }) => {
    return `- ${spanText({ start, end: start + length, all_day: false }, zone)}: ${reason(gap, zone)}`;
  });
  const data = found.map(({ start }) => ({ start: isoIn(zone, start), end: isoIn(zone, start + length) }));
  const head = `${searchedText(searched)} Free for ${input.duration_min} minutes (${zone}):${deadline}${session.zoneNote}`;
  return ok({ text: [head, ...lines].join("\n"), data: { candidates: data }, outside });
}

/** Describes the hours that were searched, and says if other hours of the range were omitted. */
function searchedText(searched: FreeTimeOptions): string {
  const { range, hours, within } = searched;
  if (within) return `Searched: ${within.start}–${within.end} on each day.`;
  const used = freeGaps([], searched).reduce((sum, { from, to }) => sum + to - from, 0);
  const rest =
    used < range.to - range.from
      ? "; the rest of the range was left out; set the parameter within for other hours"
      : "";
  return `Searched: the working hours (${hoursText(hours)})${rest}.`;
}

const isElsewhere = (event: Occurrence, location: string | undefined): boolean =>
  (event.location ?? "").toLowerCase() !== (location ?? "").toLowerCase();

function readAvoid(avoid: readonly string[]): Result<(day: number) => boolean> {
  const names = avoid.map((one) => one.trim().toLowerCase());
  const weekdays = names.map((name) => WEEKDAYS.findIndex((day) => name.length >= 3 && day.startsWith(name)));
  const wrong = names.find((name, i) => weekdays[i] === -1 && !/^\d{4}-\d\d-\d\d$/.test(name));
  if (wrong !== undefined) return refuse(`avoid: ${JSON.stringify(wrong)} is neither a weekday nor a date.`);
  return ok((day) => weekdays.includes(weekdayOf(day)) || names.includes(dateText(day)));
}

async function busyTimes(
  session: Session,
  range: TimeRange,
  others: readonly string[],
  store: CalendarStore,
): Promise<Result<{ readonly events: readonly Occurrence[]; readonly outside: boolean }>> {
  const calendars = [session.calendar];
  for (const id of others) {
    const opened = await store.open({ tenant: session.calendar.at.tenant, calendar: id });
    if (!opened.ok) return refuse(`attendees: ${opened.problem.message}`);
    calendars.push(opened.value);
  }
  const found: Occurrence[] = [];
  for (const calendar of calendars) {
    const events = await readRange(calendar, { from: range.from - MS_PER_DAY, to: range.to + MS_PER_DAY });
    if (!events.ok) return events.problem.code === "request_invalid" ? refuse(events.problem.message) : events;
    for (const one of events.value) if (one.busy) found.push(one);
  }
  return ok({ events: found.sort(byStart), outside: calendars.some(({ head }) => head.outside) });
}

type Candidate = { readonly start: number; readonly gap: Gap };

/** The first possible start in every gap, and in the preferred part of the day. Preferred ones come first. */
function candidates(gaps: readonly Gap[], { duration_min, prefer }: FindInput, zone: string): Candidate[] {
  const length = minutesMs(duration_min);
  const part = prefer === "earliest" ? null : PARTS[prefer];
  const all = gaps.flatMap((gap): (Candidate & { preferred: boolean })[] => {
    const first = onGrid(gap.from, zone);
    const places = part ? [first, onGrid(inPart(gap.from, part[0], zone), zone)] : [first];
    return [...new Set(places)]
      .filter((start) => start >= gap.from && start + length <= gap.to)
      .map((start) => ({ start, gap, preferred: !part || isIn(start, start + length, part, zone) }));
  });
  return all.sort((a, b) => Number(b.preferred) - Number(a.preferred) || a.start - b.start);
}

export const HOUR = 3_600_000;
export const hourOf = (instant: number, zone: string): number => (localOf(zone, instant) % (24 * HOUR)) / HOUR;
const inPart = (from: number, hour: number, zone: string): number =>
  from + Math.max(0, hour - hourOf(from, zone)) * HOUR;
const isIn = (start: number, end: number, [from, to]: readonly [number, number], zone: string): boolean =>
  hourOf(start, zone) >= from && hourOf(end - 1, zone) < to;

function reason({ from, to, previous, next }: Gap, zone: string): string {
  const beside = [...(previous ? [`after "${previous.title}"`] : []), ...(next ? [`before "${next.title}"`] : [])];
  const free = spanText({ start: from, end: to, all_day: false }, zone).split(" ").slice(2).join(" ");
  return [`free ${free}`, ...beside].join(", ");
}
