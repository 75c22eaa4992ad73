// A thread's calendar as an iCalendar file, in and out: how somebody tries it with a calendar of their own.

import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { CalendarRef, CalendarStore } from "../../toolkits/timetable/calendar-store.ts";
import type { IcsOptions } from "../../toolkits/timetable/ics/ics-import.ts";
import type { Calendar } from "../../toolkits/timetable/schema/calendar.ts";
import type { CalendarImportResult } from "../../toolkits/timetable/schema/calendar-view.ts";
import { loadThread } from "../../turn/load.ts";
import { readText } from "../edge/body.ts";
import { threadAt } from "../edge/params.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";

export type CalendarRouteOptions = {
  readonly store: CalendarStore;
  /** The calendar of a thread that has not written one yet. */
  readonly initial: Calendar | null;
};

export const CALENDAR_TYPE = "text/calendar";
const FILE_BYTES_MAX = 2_097_152;

export const acceptsCalendarFile = (c: Ctx): boolean =>
  (c.req.header("accept") ?? "").toLowerCase().includes(CALENDAR_TYPE);

export async function getCalendarFile(c: Ctx, calendars: CalendarRouteOptions): Promise<Response> {
  const found = await loadCalendar(c, calendars);
  if (!found.ok) return respondProblem(c, found.problem);
  const { calendar } = found.value;
  if (!calendar) return respondProblem(c, fail("calendar_invalid", "This thread has no calendar.").problem);
  const options = readIcsOptions(c);
  if (!options.ok) return respondProblem(c, options.problem);
  const { time_zone } = options.value;
  // Loaded when somebody asks: a server that starts for one turn should not wait for it.
  const { exportIcs } = await import("../../toolkits/timetable/ics/ics-export.ts");
  const made_at = c.get("options").rt.clock.now();
  const starts_on = calendar.starts_on ?? options.value.starts_on;
  const text = exportIcs(calendar, { starts_on, made_at, ...(time_zone === undefined ? {} : { time_zone }) });
  return c.body(text, 200, {
    "content-type": `${CALENDAR_TYPE}; charset=utf-8`,
    "content-disposition": 'attachment; filename="calendar.ics"',
  });
}

export async function postCalendarFile(c: Ctx, calendars: CalendarRouteOptions): Promise<Response> {
  const imported = await importCalendar(c, calendars);
  return imported.ok ? c.json(imported.value) : respondProblem(c, imported.problem);
}

async function importCalendar(c: Ctx, calendars: CalendarRouteOptions): Promise<Result<CalendarImportResult>> {
  const found = await loadCalendar(c, calendars);
  if (!found.ok) return found;
  const idle = requireIdle(found.value.state);
  if (!idle.ok) return idle;
  const options = readIcsOptions(c);
  if (!options.ok) return options;
  const text = await readCalendarBody(c);
  if (!text.ok) return text;
  const { importIcs } = await import("../../toolkits/timetable/ics/ics-import.ts");
  const read = importIcs(text.value, options.value);
  if (!read.ok) return read;
  // What was carried out on the calendar before stays known: a call that is resent must not happen here again.
  const applied_effects = found.value.calendar?.applied_effects ?? [];
  const { at, base_version: over } = found.value;
  const saved = await calendars.store.save(at, { ...read.value.calendar, applied_effects }, over);
  if (!saved.ok) return saved;
  return ok({ version: saved.value, imported: read.value.imported, skipped: [...read.value.skipped] });
}

type LoadedCalendar = {
  readonly at: CalendarRef;
  readonly state: ThreadState;
  readonly calendar: Calendar | null;
  /** The version a save goes over. */
  readonly base_version: number;
};

async function loadCalendar(c: Ctx, { store, initial }: CalendarRouteOptions): Promise<Result<LoadedCalendar>> {
  const threadAddress = threadAt(c);
  if (!threadAddress.ok) return threadAddress;
  const thread = await loadThread(c.get("options").rt, threadAddress.value);
  if (!thread.ok) return thread;
  const at = { tenant: threadAddress.value.tenant, calendar: threadAddress.value.thread };
  const loaded = await store.load(at);
  if (!loaded.ok) return loaded;
  const calendar = loaded.value?.calendar ?? initial;
  return ok({ at, state: thread.value.state, calendar, base_version: loaded.value?.version ?? 0 });
}

/** A call that somebody is asked about, or that is being carried out, means the calendar as it is. */
function requireIdle({ gate, acting }: ThreadState): Result<void> {
  if (acting) return fail("turn_running", `${acting.call.name} is being carried out.`, { retry_after_s: 1 });
  if (gate) return fail("gate_open", `A ${gate.kind} gate is open: ${gate.text}`, { gate_id: gate.id });
  return ok(undefined);
}

/** Days are a number in an address, so a text; what is wrong with the rest is said by whoever reads the file. */
function readIcsOptions(c: Ctx): Result<IcsOptions> {
  const today = new Date(c.get("options").rt.clock.now()).toISOString().slice(0, 10);
  const { starts_on = today, total_days, time_zone } = c.req.query();
  if (!/^\d{4}-\d\d-\d\d$/.test(starts_on) || Number.isNaN(Date.parse(starts_on)))
    return fail("request_invalid", "starts_on: must be a date such as 2030-01-07.", { field: "starts_on" });
  if (total_days !== undefined && !/^[1-9]\d{0,2}$/.test(total_days))
    return fail("request_invalid", "total_days: must be a whole number from 1 to 366.", { field: "total_days" });
  return ok({
    starts_on,
    ...(total_days === undefined ? {} : { total_days: Number(total_days) }),
    ...(time_zone === undefined ? {} : { time_zone }),
  });
}

async function readCalendarBody(c: Ctx): Promise<Result<string>> {
  const type = c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  // A page of another origin cannot send this type without being asked first.
  if (type !== CALENDAR_TYPE)
    return fail("content_type_unsupported", `The content type is ${type ?? "missing"}, not ${CALENDAR_TYPE}.`);
  return readText(c, FILE_BYTES_MAX);
}
