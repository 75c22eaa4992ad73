// Defines the routes of calendars: create, list, delete, the events of a range, and import and export of iCalendar
// files.
import * as z from "zod";
import { retryConflict } from "../../ports/retry.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { type RouteRequest, type ToolkitRoute, toolkitRoute } from "../../tools/route.ts";
import { parseTime } from "../../tools/time-zone.ts";
import { eventView, isoIn } from "./events/describe.ts";
import { parseRange, readRange } from "./events/read-range.ts";
import { decodeIcs } from "./ics/decode-file.ts";
import { importFile } from "./import-file.ts";
import {
  CalendarDetails,
  CalendarList,
  CalendarView,
  CreateCalendar,
  EventList,
  ImportReport,
} from "./schema/views.ts";
import type { CalendarStore } from "./store/calendar-store.ts";
import { type CalendarEntry, OFFICE_HOURS } from "./store/head.ts";
import type { OpenCalendar } from "./store/open-calendar.ts";

const CALENDAR_TYPE = "text/calendar";
const FILE_BYTES_MAX = 8_388_608;
const MS_PER_WEEK = 604_800_000;

type Handler = ToolkitRoute["handler"];

export function calendarRoutes(store: CalendarStore): readonly ToolkitRoute[] {
  const calendarAt = ({ caller, params }: RouteRequest) => ({ tenant: caller.tenant, calendar: params.id ?? "" });
  const open = (request: RouteRequest) => store.open(calendarAt(request));

  const create: Handler = async ({ caller, body, headers: given, now }) => {
    const { default: make_default = false, working_hours = OFFICE_HOURS, ...settings } = CreateCalendar.parse(body);
    const made = { owner: caller.name, created_at: now, key: given["idempotency-key"] ?? null };
    const created = await store.create(caller.tenant, { ...settings, ...made, working_hours, make_default });
    if (!created.ok) return created;
    const { entry, existed } = created.value;
    const listed = await store.list(caller.tenant);
    if (!listed.ok) return listed;
    const headers: Record<string, string> = { Location: `/v1/calendars/${entry.id}` };
    if (existed) headers["Idempotency-Replayed"] = "true";
    return ok({ status: 201, body: viewOf(entry, listed.value.default), headers });
  };

  const list: Handler = async ({ caller }) => {
    const listed = await store.list(caller.tenant);
    if (!listed.ok) return listed;
    return ok({ body: { calendars: listed.value.calendars.map((entry) => viewOf(entry, listed.value.default)) } });
  };

  const show: Handler = async (request) => {
    const listed = await store.list(request.caller.tenant);
    if (!listed.ok) return listed;
    const calendar = await open(request);
    if (!calendar.ok) return calendar;
    const { head, version } = calendar.value;
    const entry = listed.value.calendars.find(({ id }) => id === head.id);
    if (!entry) return fail("calendar_not_found", `There is no calendar ${head.id}.`);
    const source = head.source?.kind ?? null;
    const body = { ...viewOf(entry, listed.value.default), version, source };
    return ok({ body, headers: { ETag: `"${version}"` } });
  };

  const remove: Handler = async (request) => {
    const removed = await store.remove(calendarAt(request));
    return removed.ok ? ok({}) : removed;
  };

  const events: Handler = async (request) => {
    const found = await listEvents(request, open);
    return found.ok ? ok({ body: found.value, headers: { ETag: `"${found.value.version}"` } }) : found;
  };

  const download: Handler = async (request) => {
    const calendar = await open(request);
    if (!calendar.ok) return calendar;
    const [objects, kept] = await Promise.all([calendar.value.all(), calendar.value.kept()]);
    if (!objects.ok) return objects;
    if (!kept.ok) return kept;
    // Loaded on demand, so that a server that starts for a single turn does not wait for it.
    const { exportIcs } = await import("./ics/export-ics.ts");
    const headers = { "content-type": `${CALENDAR_TYPE}; charset=utf-8`, ETag: `"${calendar.value.version}"` };
    return ok({ text: exportIcs(objects.value, kept.value), headers });
  };

  const upload: Handler = async (request) => {
    const report = await retryConflict("calendar_moved", () => importFile(request, open));
    return report.ok ? ok({ body: report.value }) : report;
  };

  return [
    toolkitRoute(["post", "/v1/calendars", "advance"], create, {
      id: "createCalendar",
      summary: "Create a calendar",
      description:
        "Any number of threads may share it: a thread uses the `calendar` that it was created with, or the tenant's default.",
      headers: ["Idempotency-Key"],
      body: CreateCalendar,
      example: { name: "Work", time_zone: "Europe/Berlin" },
      responses: {
        201: {
          description: "The new calendar.",
          schema: CalendarView,
          headers: ["Location", "Idempotency-Replayed"],
        },
      },
      problems: ["request_invalid", "idempotency_mismatch"],
    }),
    toolkitRoute(["get", "/v1/calendars", "read"], list, {
      id: "listCalendars",
      summary: "List the calendars of the tenant",
      responses: { 200: { description: "All calendars.", schema: CalendarList } },
    }),
    toolkitRoute(["get", "/v1/calendars/:id", "read"], show, {
      id: "getCalendar",
      summary: "Show a calendar",
      responses: {
        200: { description: "Its settings, version and source.", schema: CalendarDetails, headers: ["ETag"] },
      },
      problems: ["calendar_not_found"],
    }),
    toolkitRoute(["delete", "/v1/calendars/:id", "advance"], remove, {
      id: "deleteCalendar",
      summary: "Delete a calendar with all its events",
      description: "Deleting a calendar that does not exist succeeds.",
      responses: { 204: { description: "It is gone.", schema: null } },
    }),
    toolkitRoute(["get", "/v1/calendars/:id/events", "read"], events, {
      id: "listCalendarEvents",
      summary: "List the events of a range, with the occurrences of series",
      query: {
        from: { schema: z.string().optional(), description: "A date, a local time or an instant; now by default." },
        to: {
          schema: z.string().optional(),
          description: "Exclusive; a date includes that day. A week after `from` by default, at most 400 days.",
        },
      },
      responses: { 200: { description: "Occurrences by start.", schema: EventList, headers: ["ETag"] } },
      problems: ["calendar_not_found", "request_invalid"],
    }),
    toolkitRoute(["get", "/v1/calendars/:id/ics", "read"], download, {
      id: "exportCalendarFile",
      summary: "Download the calendar as an iCalendar file",
      description: "What was imported and not changed since is written exactly as it was.",
      responses: { 200: { description: "The file.", schema: z.string(), type: CALENDAR_TYPE, headers: ["ETag"] } },
      problems: ["calendar_not_found"],
    }),
    toolkitRoute(
      ["put", "/v1/calendars/:id/ics", "advance"],
      upload,
      {
        id: "importCalendarFile",
        summary: "Replace the content of a calendar with an iCalendar file",
        description:
          "Nothing of the file is lost; the report names what is shown differently, or not at all. Up to 8 MB. From then on, results of tools about this calendar are untrusted, because others wrote its text.",
        headers: ["If-Match"],
        body: z.string(),
        body_type: CALENDAR_TYPE,
        responses: { 200: { description: "What was read.", schema: ImportReport } },
        problems: ["calendar_not_found", "calendar_invalid", "calendar_moved", "request_invalid", "version_mismatch"],
      },
      { body_bytes_max: FILE_BYTES_MAX, decode_body: decodeIcs },
    ),
  ];
}

const viewOf = (
  { id, name, time_zone, working_hours, owner }: CalendarEntry,
  defaultId: string | null,
): CalendarView => ({ id, name, time_zone, working_hours, owner, default: id === defaultId });

type Open = (request: RouteRequest) => Promise<Result<OpenCalendar>>;

async function listEvents(request: RouteRequest, open: Open): Promise<Result<EventList>> {
  const { query, now } = request;
  // Saving a newer version removes parts of older ones, so a reader that was overtaken starts again.
  return retryConflict("calendar_moved", async () => {
    const calendar = await open(request);
    if (!calendar.ok) return calendar;
    const { head, version } = calendar.value;
    const zone = head.time_zone;
    const from = query.from ?? isoIn(zone, now);
    const start = parseTime(from, zone) ?? now;
    const range = parseRange(from, query.to ?? isoIn(zone, start + MS_PER_WEEK), zone);
    if (!range.ok) return range;
    const found = await readRange(calendar.value, range.value);
    if (!found.ok) return found;
    const views = found.value.map((one) => eventView(one, zone));
    const times = { from: isoIn(zone, range.value.from), to: isoIn(zone, range.value.to) };
    return ok({ calendar: head.id, time_zone: zone, version, ...times, events: views });
  });
}
