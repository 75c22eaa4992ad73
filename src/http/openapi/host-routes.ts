// Routes that a host may bring, described; they are told only where they are there.
import { z } from "zod";
import { CalendarImportResult, CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import { LinkBody, SessionBody } from "../edge/local-token.ts";
import { AboutBody } from "../routes/about.ts";
import { CALENDAR_TYPE } from "../routes/calendar-file.ts";
import type { RouteDescription } from "./route-description.ts";

export const HOST_ROUTES: Readonly<Record<string, RouteDescription>> = {
  "GET /v1/about": {
    id: "about",
    summary: "What this server is, and whom it takes you for",
    responses: { 200: { description: "Release, model and caller.", schema: AboutBody } },
  },
  "POST /v1/session": {
    id: "openSession",
    summary: "Exchange the token of a link for a cookie that may approve and administer",
    description: "Only on a server without keys whose tools can start processes. The token of a link works once.",
    body: SessionBody,
    responses: { 204: { description: "The cookie is set. Scripts cannot read it.", schema: null } },
    problems: ["token_required", "request_invalid"],
  },
  "DELETE /v1/session": {
    id: "closeSession",
    summary: "Forget the cookie",
    responses: { 204: { description: "It opens nothing any more.", schema: null } },
  },
  "POST /v1/session/link": {
    id: "makeLink",
    summary: "A token for another link to the console",
    responses: { 201: { description: "It works once.", schema: LinkBody } },
  },
  "GET /v1/threads/:id/calendar": {
    id: "getCalendar",
    summary: "The calendar of a thread, and what the call that waits would change",
    description:
      "Nothing is changed by looking. With `Accept: text/calendar` the calendar as a file; `starts_on` and `time_zone` as below. `proposed` says what the call of an open confirmation gate would do to the calendar as it is now.",
    query: {
      arguments: {
        schema: z.string().optional(),
        description: "JSON: arguments that somebody is about to approve instead of the proposed ones.",
      },
    },
    responses: { 200: { description: "The calendar; null where the thread has none.", schema: CalendarView } },
    problems: ["thread_not_found", "request_invalid", "blob_not_found", "state_corrupt", "calendar_invalid"],
  },
  "POST /v1/threads/:id/calendar": {
    id: "importCalendar",
    summary: "An iCalendar file as the calendar of a thread, instead of the one it has",
    description:
      "Events become entries that stay where they are, to-dos become pending tasks; `skipped` says what was left out and why. Up to 2 MB. From then on what tools tell of this calendar is untrusted, for its names were written by others.",
    query: {
      starts_on: { schema: z.iso.date().optional(), description: "The date of day 1; today without." },
      total_days: { schema: z.int().min(1).max(366).optional(), description: "Days from there on; 35 without." },
      time_zone: {
        schema: z.string().optional(),
        description: "Whose clock the slots follow, such as Europe/Berlin; UTC without.",
      },
    },
    body: z.string(),
    body_type: CALENDAR_TYPE,
    responses: { 200: { description: "What came in.", schema: CalendarImportResult } },
    problems: [
      "thread_not_found",
      "request_invalid",
      "calendar_invalid",
      "calendar_moved",
      "gate_open",
      "turn_running",
    ],
  },
};
