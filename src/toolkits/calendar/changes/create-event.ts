// Implements the tool create_event, which creates an event or a series at a given time.
import ICAL from "ical.js";
import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import { isBoundedRule } from "../../../tools/ical/bounded-rule.ts";
import { instantOf, localEndOf, localOf } from "../../../tools/ical/zone-offsets.ts";
import { MS_PER_DAY, startOfDay } from "../events/local-days.ts";
import { ruleDates } from "../events/rule-dates.ts";
import { createObject } from "../ics/change-object.ts";
import { ruleUntil } from "../ics/shift-rule.ts";
import {
  CalendarId,
  eventFields,
  IfBusy,
  isDate,
  Minutes,
  minutesMs,
  readLocal,
  refuse,
  TimeText,
  Title,
  wholeDays,
} from "../tools/arguments.ts";
import type { Session } from "../tools/session.ts";
import { changeText, checkBusy, checkDeadline, hoursNote, type PlannedChange, spanView } from "./planned-change.ts";

export const createEventInput = z.strictObject({
  title: Title,
  start: TimeText.describe("2026-03-02T09:15, or a date for a whole day"),
  end: TimeText.optional().describe("exclusive; for whole days the last day"),
  duration_min: Minutes.optional().describe("instead of end; 60 by default"),
  repeat: z.string().max(200).optional().describe("an RRULE such as FREQ=WEEKLY;BYDAY=MO;COUNT=10"),
  ...eventFields,
  busy: z.boolean().optional().describe("false: others may use the time"),
  if_busy: IfBusy,
  calendar: CalendarId,
});
type Input = z.infer<typeof createEventInput>;

/** How far to look for the first occurrence. The rarest supported rules occur every four years. */
const SEARCHED_DAYS = 4 * 366;

export type LocalSpan = { readonly start: number; readonly end: number; readonly all_day: boolean };

export function readSpan(input: Pick<Input, "start" | "end" | "duration_min">, zone: string): Result<LocalSpan> {
  const start = readLocal("start", input.start, zone);
  if (!start.ok) return start;
  const all_day = isDate(input.start);
  if (input.end !== undefined && input.duration_min !== undefined)
    return refuse("duration_min: pass either end or duration_min, not both.");
  if (input.end === undefined) {
    if (all_day) {
      const days = wholeDays(input.duration_min);
      return days.ok ? ok({ start: start.value, end: start.value + (days.value ?? 1) * MS_PER_DAY, all_day }) : days;
    }
    // The duration is elapsed time, even if the clocks change during the event.
    const length = minutesMs(input.duration_min ?? 60);
    return ok({ start: start.value, end: localEndOf(zone, instantOf(zone, start.value) + length), all_day });
  }
  const end = readLocal("end", input.end, zone);
  if (!end.ok) return end;
  const last = all_day ? startOfDay(end.value) + MS_PER_DAY : end.value;
  if (last <= start.value)
    return refuse(`end: ${input.end} is not after the start (${input.start}). Nothing was changed.`);
  return ok({ start: start.value, end: last, all_day });
}

/** Writes UNTIL in the form that the start requires. Programs disagree about rules that do not occur at the start. */
function readRule(text: string, { start, all_day }: LocalSpan, zone: string): Result<string> {
  const given = text.trim().replace(/^RRULE:/i, "");
  const rule = parseRule(given);
  const shown = JSON.stringify(given.slice(0, 80));
  if (rule === null)
    return refuse(`repeat: ${shown} is not a repetition that is supported, such as FREQ=WEEKLY;BYDAY=MO.`);
  if (/COUNT=/.test(rule) && /UNTIL=/.test(rule)) return refuse("repeat: pass either COUNT or UNTIL, not both.");
  const ended = rule.replace(
    /UNTIL=([^;]+)/,
    (_, until) => `UNTIL=${ruleUntil.written(until, { all_day, zone }, zone)}`,
  );
  const toLocal = (instant: number) => localOf(zone, instant);
  const [first] = ruleDates({ rule: ended, start, toLocal, from: start, to: start + SEARCHED_DAYS * MS_PER_DAY });
  if (first === start) return ok(ended);
  const time = (local: number) => new Date(local).toISOString().slice(0, all_day ? 10 : 16);
  const hint = first === undefined ? "it has no occurrence from then on" : `its first one is ${time(first)}`;
  return refuse(`repeat: ${shown} does not include the start, ${time(start)}; ${hint}. Nothing was changed.`);
}

function parseRule(text: string): string | null {
  try {
    const rule = ICAL.Recur.fromString(text);
    return isBoundedRule(rule) ? rule.toString() : null;
  } catch {
    return null;
  }
}

export async function planCreate(session: Session, input: Input): Promise<Result<PlannedChange>> {
  const { zone, now, key, calendar } = session;
  const span = readSpan(input, zone);
  if (!span.ok) return span;
  const rule = input.repeat === undefined ? ok(null) : readRule(input.repeat, span.value, zone);
  if (!rule.ok) return rule;
  const { title, location, description, attendees, categories, movable, reminder_min, busy } = input;
  const fields = { title, location, description, attendees, categories, movable, reminder_min, busy };
  const event = { ...span.value, uid: `${key}@pawl`, zone, rule: rule.value, fields };
  const object = createObject(event, calendar.head.next_seq, { zone, now });
  const { start, end, all_day } = span.value;
  const times = { start: instantOf(zone, start), end: instantOf(zone, end), all_day };
  const due = await checkDeadline(session, title, times.end);
  if (!due.ok) return due;
  const changes = [{ before: null, after: object }];
  const overlap = await checkBusy(session, changes, input.if_busy);
  if (!overlap.ok) return overlap;
  const repeats = rule.value === null ? "" : `, repeating ${rule.value}`;
  const id = `e${object.seq}@${new Date(start).toISOString().slice(0, rule.value !== null && !all_day ? 16 : 10)}`;
  const text = `Created ${changeText({ title, before: null, after: times }, zone)}${repeats} [${id}].${hoursNote(session, times)}${overlap.value}`;
  return ok({ changes, shown: [{ title, before: null, after: spanView(times, zone) }], text });
}
