// Defines the routes of a thread's calendar: as JSON with the proposed change, and as an iCalendar file to export and
// import.
import * as z from "zod";
import { readStrictJson } from "../../schema/decision/strict-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import {
  type RouteDescription,
  type RouteRequest,
  type RouteThread,
  type ToolkitRoute,
  toolkitRoute,
} from "../../tools/route.ts";
import { acceptsCalendarFile, CALENDAR_TYPE, exportCalendarFile, importCalendarFile } from "./calendar-file.ts";
import type { CalendarStore } from "./calendar-store.ts";
import type { Calendar } from "./schema/calendar.ts";
import { CalendarImportResult, type CalendarProposal, CalendarView } from "./schema/calendar-view.ts";
import { writeToolSpecs } from "./tool-specs.ts";

const ARGUMENTS_DEPTH_MAX = 16;
const FILE_BYTES_MAX = 2_097_152;

export type CalendarRouteOptions = {
  readonly store: CalendarStore;
  /** The calendar of a thread until its first write. */
  readonly initial: Calendar | null;
};

const GET_CALENDAR: RouteDescription = {
  id: "getCalendar",
  summary: "Show the calendar of a thread and what the proposed call would change",
  description:
    "Reading changes nothing. With `Accept: text/calendar` the calendar is an iCalendar file. `proposed` shows the effect of the call of an open confirmation gate on the current calendar.",
  query: {
    arguments: {
      schema: z.string().optional(),
      description: "JSON: arguments that would be approved instead of the proposed ones.",
    },
  },
  responses: { 200: { description: "The calendar; null where the thread has none.", schema: CalendarView } },
  problems: ["thread_not_found", "request_invalid", "blob_not_found", "state_corrupt", "calendar_invalid"],
};

const IMPORT_CALENDAR: RouteDescription = {
  id: "importCalendar",
  summary: "Replace the calendar of a thread by an iCalendar file",
  description:
    "Events become fixed entries, to-dos become pending tasks; `skipped` lists what was left out and why. Up to 2 MB. From then on, results of tools about this calendar are untrusted, because others wrote its names.",
  query: {
    starts_on: { schema: z.iso.date().optional(), description: "The date of day 1; today by default." },
    total_days: { schema: z.int().min(1).max(366).optional(), description: "Number of days; 35 by default." },
    time_zone: {
      schema: z.string().optional(),
      description: "The time zone of the slots, such as Europe/Berlin; UTC by default.",
    },
  },
  body: z.string(),
  body_type: CALENDAR_TYPE,
  responses: { 200: { description: "What was imported.", schema: CalendarImportResult } },
  problems: ["thread_not_found", "request_invalid", "calendar_invalid", "calendar_moved", "gate_open", "turn_running"],
};

export const calendarRoutes = (calendars: CalendarRouteOptions): readonly ToolkitRoute[] => {
  const show: ToolkitRoute["handler"] = async (request) => {
    if (acceptsCalendarFile(request)) return exportCalendarFile(request, calendars);
    const view = await viewCalendar(request, calendars);
    return view.ok ? ok({ body: view.value }) : view;
  };
  const upload: ToolkitRoute["handler"] = async (request) => {
    const imported = await importCalendarFile(request, calendars);
    return imported.ok ? ok({ body: imported.value }) : imported;
  };
  const path = "/v1/threads/:id/calendar";
  return [
    toolkitRoute(["get", path, "read"], show, GET_CALENDAR),
    toolkitRoute(["post", path, "advance"], upload, IMPORT_CALENDAR, { body_bytes_max: FILE_BYTES_MAX }),
  ];
};

async function viewCalendar(
  request: RouteRequest,
  { store, initial }: CalendarRouteOptions,
): Promise<Result<CalendarView>> {
  const thread = await request.thread();
  if (!thread.ok) return thread;
  const { tenant, thread: id } = thread.value.at;
  const loaded = await store.load({ tenant, calendar: id });
  if (!loaded.ok) return loaded;
  const calendar = loaded.value?.calendar ?? initial;
  if (!calendar) return ok({ calendar: null, effects: [], proposed: null });
  const call = await pendingCall(thread.value, request.query.arguments);
  if (!call.ok) return call;
  const { applied_effects, previous: _, ...shown } = calendar;
  const effects = applied_effects.map(({ effect_id, tool, changes }) => ({ effect_id, tool, changes }));
  return ok({ calendar: shown, effects, proposed: call.value && previewCall(calendar, call.value) });
}

type ProposedCall = { readonly name: string; readonly arguments: unknown };

/** The call of the open gate, with the edited arguments that a person is about to approve if the request has any. */
async function pendingCall(thread: RouteThread, edited: string | undefined): Promise<Result<ProposedCall | null>> {
  const { gate } = thread.state;
  if (edited === undefined || gate?.kind !== "confirmation") return thread.proposedCall();
  const read = readStrictJson(edited, ARGUMENTS_DEPTH_MAX);
  if (!read.ok) return fail("request_invalid", `arguments: ${read.issue.found}.`, { field: "arguments" });
  return ok({ name: gate.call.name, arguments: read.value });
}

/** Runs the pure operation on a copy that is discarded. Null for a tool of another toolkit. */
function previewCall(calendar: Calendar, { name, arguments: args }: ProposedCall): CalendarProposal | null {
  const spec = writeToolSpecs.find((one) => one.name === name);
  if (!spec) return null;
  const result = spec.execute(calendar, args);
  const changes = result.ok ? [...result.value.data.changes] : [];
  return { tool: name, possible: result.ok, text: result.ok ? result.value.text : result.problem.message, changes };
}
