// Exports a thread's calendar as an iCalendar file, and imports such a file.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { RouteRequest, RouteResponse } from "../../tools/route.ts";
import type { CalendarRef, CalendarStore } from "./calendar-store.ts";
import type { IcsOptions } from "./ics/ics-import.ts";
import type { Calendar } from "./schema/calendar.ts";
import type { CalendarImportResult } from "./schema/calendar-view.ts";

export const CALENDAR_TYPE = "text/calendar";

type Calendars = { readonly store: CalendarStore; readonly initial: Calendar | null };

export const acceptsCalendarFile = ({ headers }: RouteRequest): boolean =>
  (headers.accept ?? "").toLowerCase().includes(CALENDAR_TYPE);

export async function exportCalendarFile(request: RouteRequest, calendars: Calendars): Promise<Result<RouteResponse>> {
  const found = await loadCalendar(request, calendars);
  if (!found.ok) return found;
  const { calendar } = found.value;
  if (!calendar) return fail("calendar_invalid", "This thread has no calendar.");
  const options = readIcsOptions(request);
  if (!options.ok) return options;
  const { time_zone } = options.value;
  // Loaded on demand, so that a server that starts for one turn does not wait for it.
  const { exportIcs } = await import("./ics/ics-export.ts");
  const starts_on = calendar.starts_on ?? options.value.starts_on;
  const zone = time_zone === undefined ? {} : { time_zone };
  return ok({
    text: exportIcs(calendar, { starts_on, made_at: request.now, ...zone }),
    headers: {
      "content-type": `${CALENDAR_TYPE}; charset=utf-8`,
      "content-disposition": 'attachment; filename="calendar.ics"',
    },
  });
}

export async function importCalendarFile(
  request: RouteRequest,
  calendars: Calendars,
): Promise<Result<CalendarImportResult>> {
  const found = await loadCalendar(request, calendars);
  if (!found.ok) return found;
  const idle = requireIdle(found.value.state);
  if (!idle.ok) return idle;
  const options = readIcsOptions(request);
  if (!options.ok) return options;
  const { importIcs } = await import("./ics/ics-import.ts");
  const read = importIcs(request.text, options.value);
  if (!read.ok) return read;
  // Effects that were applied before stay known, because a resent call must not be applied to the new calendar.
  const applied_effects = found.value.calendar?.applied_effects ?? [];
  const { at, version } = found.value;
  const saved = await calendars.store.save(at, { ...read.value.calendar, applied_effects }, version);
  if (!saved.ok) return saved;
  return ok({ version: saved.value, imported: read.value.imported, skipped: [...read.value.skipped] });
}

type LoadedCalendar = {
  readonly at: CalendarRef;
  readonly state: ThreadState;
  readonly calendar: Calendar | null;
  /** The version that a save replaces. */
  readonly version: number;
};

async function loadCalendar(request: RouteRequest, { store, initial }: Calendars): Promise<Result<LoadedCalendar>> {
  const thread = await request.thread();
  if (!thread.ok) return thread;
  const { at: ref, state } = thread.value;
  const at = { tenant: ref.tenant, calendar: ref.thread };
  const loaded = await store.load(at);
  if (!loaded.ok) return loaded;
  return ok({ at, state, calendar: loaded.value?.calendar ?? initial, version: loaded.value?.version ?? 0 });
}

/** An executing call or an open gate may depend on the current calendar. */
function requireIdle({ gate, acting }: ThreadState): Result<void> {
  if (acting) return fail("turn_running", `${acting.call.name} is executing.`, { retry_after_s: 1 });
  if (gate) return fail("gate_open", `A ${gate.kind} gate is open: ${gate.text}`, { gate_id: gate.id });
  return ok(undefined);
}

/** The meaning of the query values is checked when the file is read. */
function readIcsOptions({ query, now }: RouteRequest): Result<IcsOptions> {
  const today = new Date(now).toISOString().slice(0, 10);
  const { starts_on = today, total_days, time_zone } = query;
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
