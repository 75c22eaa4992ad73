// The calendar of a thread for people: as it is, and what the call that waits for them would make of it.
import { z } from "zod";
import { readStrictJson } from "../../schema/decision/strict-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { Calendar } from "../../toolkits/timetable/schema/calendar.ts";
import {
  CalendarImportResult,
  type CalendarProposal,
  CalendarView,
} from "../../toolkits/timetable/schema/calendar-view.ts";
import { writeToolSpecs } from "../../toolkits/timetable/tool-specs.ts";
import { loadArguments } from "../../turn/act/stored-call.ts";
import { loadThread } from "../../turn/load.ts";
import { threadAt } from "../edge/params.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { type Route, route } from "../route.ts";
import {
  acceptsCalendarFile,
  CALENDAR_TYPE,
  type CalendarRouteOptions,
  getCalendarFile,
  postCalendarFile,
} from "./calendar-file.ts";

const ARGUMENTS_DEPTH_MAX = 16;

export const calendarRoutes = (calendars: CalendarRouteOptions): readonly Route[] => [
  route(["get", "/v1/threads/:id/calendar", "read"], (c) => getCalendar(c, calendars), {
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
  }),
  route(["post", "/v1/threads/:id/calendar", "advance"], (c) => postCalendarFile(c, calendars), {
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
    problems: [
      "thread_not_found",
      "request_invalid",
      "calendar_invalid",
      "calendar_moved",
      "gate_open",
      "turn_running",
    ],
  }),
];

async function getCalendar(c: Ctx, calendars: CalendarRouteOptions): Promise<Response> {
  if (acceptsCalendarFile(c)) return getCalendarFile(c, calendars);
  const view = await viewCalendar(c, calendars);
  return view.ok ? c.json(view.value) : respondProblem(c, view.problem);
}

async function viewCalendar(c: Ctx, { store, initial }: CalendarRouteOptions): Promise<Result<CalendarView>> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return at;
  const thread = await loadThread(rt, at.value);
  if (!thread.ok) return thread;
  const loaded = await store.load({ tenant: at.value.tenant, calendar: at.value.thread });
  if (!loaded.ok) return loaded;
  const calendar = loaded.value?.calendar ?? initial;
  if (!calendar) return ok({ calendar: null, effects: [], proposed: null });
  const edited = c.req.query("arguments");
  const call = await pendingCall(c, at.value, thread.value.state, edited);
  if (!call.ok) return call;
  const { applied_effects, previous: _, ...shown } = calendar;
  const effects = applied_effects.map(({ effect_id, tool, changes }) => ({ effect_id, tool, changes }));
  return ok({ calendar: shown, effects, proposed: call.value && previewCall(calendar, call.value) });
}

type ProposedCall = { readonly tool: string; readonly arguments: unknown };

/** The call of the open gate, with the arguments somebody is about to approve instead where the address brings some. */
async function pendingCall(
  c: Ctx,
  at: Parameters<typeof loadArguments>[1],
  { gate }: ThreadState,
  edited: string | undefined,
): Promise<Result<ProposedCall | null>> {
  if (gate?.kind !== "confirmation") return ok(null);
  if (edited !== undefined) {
    const read = readStrictJson(edited, ARGUMENTS_DEPTH_MAX);
    if (!read.ok) return fail("request_invalid", `arguments: ${read.issue.found}.`, { field: "arguments" });
    return ok({ tool: gate.call.name, arguments: read.value });
  }
  const args = await loadArguments(c.get("options").rt, at, gate.call);
  return args.ok ? ok({ tool: gate.call.name, arguments: args.value }) : args;
}

/** Runs the pure operation on a copy that is thrown away; null for a tool that is none of the calendar's. */
function previewCall(calendar: Calendar, { tool, arguments: args }: ProposedCall): CalendarProposal | null {
  const definition = writeToolSpecs.find((one) => one.name === tool);
  if (!definition) return null;
  const result = definition.execute(calendar, args);
  const changes = result.ok ? [...result.data.changes] : [];
  return { tool, possible: result.ok, text: result.text, changes };
}
