// Routes that a host may bring, described; they are told only where they are there.
import { z } from "zod";
import { CalendarView } from "../../schema/calendar-view.ts";
import { AboutBody } from "../about.ts";
import type { Operation } from "./operation.ts";

export const HOST_OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /v1/about": {
    id: "about",
    summary: "What this server is, and whom it takes you for",
    answers: { 200: { says: "Release, model and caller.", schema: AboutBody } },
  },
  "GET /v1/threads/:id/calendar": {
    id: "getCalendar",
    summary: "The calendar of a thread, and what the call that waits would change",
    says: "Nothing is changed by looking. `proposed` says what the call of an open confirmation gate would do to the calendar as it is now.",
    query: {
      arguments: {
        schema: z.string().optional(),
        says: "JSON: arguments that somebody is about to approve instead of the proposed ones.",
      },
    },
    answers: { 200: { says: "The calendar; null where the thread has none.", schema: CalendarView } },
    problems: ["thread_not_found", "request_invalid", "blob_not_found", "state_corrupt"],
  },
};
