// Creates a working week around today for the first start: a few events, two series and a deadline, all in the zone of
// the calendar.
import { ok, type Result } from "../../schema/problem.ts";
import { localOf } from "../../tools/ical/zone-offsets.ts";
import type { SampleTarget } from "../../tools/toolkit.ts";
import { clockMs } from "./events/free-time.ts";
import { MS_PER_DAY, startOfDay, weekdayOf } from "./events/local-days.ts";
import type { StoredObject } from "./events/stored-object.ts";
import { createObject } from "./ics/change-object.ts";
import { importIcs } from "./ics/import-ics.ts";
import { basicTime } from "./ics/zone-definitions.ts";
import type { CalendarStore } from "./store/calendar-store.ts";
import { OFFICE_HOURS } from "./store/head.ts";

/** Creates a calendar with the sample week, unless the tenant has ever had a calendar. */
export async function createSample(
  store: CalendarStore,
  { tenant, now, time_zone }: SampleTarget,
): Promise<Result<void>> {
  const listed = await store.list(tenant);
  if (!listed.ok || listed.value.version > 0) return listed.ok ? ok(undefined) : listed;
  const settings = { name: "My week", time_zone, working_hours: OFFICE_HOURS, owner: "sample", key: "sample" };
  const created = await store.create(tenant, { ...settings, created_at: now, make_default: true });
  if (!created.ok) return created;
  const calendar = await store.open({ tenant, calendar: created.value.entry.id });
  if (!calendar.ok || calendar.value.version > 0) return calendar.ok ? ok(undefined) : calendar;
  const content = { objects: sampleWeek(time_zone, now), kept: { properties: [], components: [] } };
  const saved = await calendar.value.replace(content, null);
  return saved.ok || saved.problem.code === "calendar_moved" ? ok(undefined) : saved;
}

type SampleEvent = { title: string; day: number; clock: string; minutes: number; rule?: string; location?: string };

/** The events of the sample. `day` counts from Monday of this week. */
const EVENTS: readonly SampleEvent[] = [
  { title: "Stand-up", day: 0, clock: "09:15", minutes: 30, rule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=40" },
  { title: "Team meeting", day: 1, clock: "14:00", minutes: 60, location: "Room 2" },
  { title: "Lunch with Sam", day: 2, clock: "12:30", minutes: 60, location: "Bistro" },
  { title: "Dentist", day: 3, clock: "10:00", minutes: 60 },
  { title: "Project review", day: 4, clock: "15:00", minutes: 60 },
  { title: "Gym", day: 0, clock: "18:00", minutes: 60, rule: "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=16" },
];

export function sampleWeek(zone: string, now: number): StoredObject[] {
  const today = startOfDay(localOf(zone, now));
  const monday = today - ((weekdayOf(today) + 6) % 7) * MS_PER_DAY;
  const events = EVENTS.map(({ title, day, clock, minutes, rule = null, location }, n) => {
    const start = monday + day * MS_PER_DAY + clockMs(clock);
    const event = { start, end: start + minutes * 60_000, all_day: false, zone, rule, fields: { title, location } };
    return createObject({ ...event, uid: `sample-${n + 1}@pawl` }, n + 1, { zone, now });
  });
  const due = basicTime(monday + 4 * MS_PER_DAY + 17 * 3_600_000);
  const todo = `BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:sample-report@pawl\r\nDUE;TZID=${zone}:${due}\r\nSUMMARY:Report\r\nEND:VTODO\r\nEND:VCALENDAR\r\n`;
  const read = importIcs(todo, { zone, nextSeq: events.length + 1 });
  return [...events, ...(read.ok ? read.value.objects : [])];
}
