// The routes of background runs and schedules, described.
import { ScheduleInput, SchedulePatch } from "../../schema/jobs/schedule.ts";
import { EmptyBody } from "../edge/tickets.ts";
import { ScheduleBody, ScheduleList, TurnResponse } from "./response-schemas.ts";
import type { RouteDescription } from "./route-description.ts";

const backgroundRoute = (id: string, summary: string, description: string): RouteDescription => ({
  id,
  summary,
  description,
  headers: ["Idempotency-Key"],
  body: EmptyBody,
  responses: {
    202: { description: "The thread as it is now.", schema: TurnResponse, headers: ["ETag", "Idempotency-Replayed"] },
  },
  problems: [
    "thread_not_found",
    "nothing_to_do",
    "thread_moved",
    "idempotency_mismatch",
    "record_too_large",
    "state_corrupt",
    "newer_version",
  ],
});

const scheduleProblems = [
  "schedule_not_found",
  "thread_not_found",
  "tool_unknown",
  "input_too_large",
  "state_corrupt",
] as const;

export const JOB_ROUTES: Readonly<Record<string, RouteDescription>> = {
  "POST /v1/threads/:id/run": backgroundRoute(
    "runThread",
    "Let a worker advance the thread until the next gate or the end",
    "Also revives a run that was given up: `background.status` is `dead` then, and `background.reason` says why.",
  ),
  "POST /v1/threads/:id/pause": backgroundRoute(
    "pauseThread",
    "Let no worker begin a further turn",
    "The turn at work is finished. Calls may still advance the thread.",
  ),
  "POST /v1/threads/:id/resume": backgroundRoute(
    "resumeThread",
    "Let workers go on",
    "Messages that waited are heard.",
  ),
  "POST /v1/schedules": {
    id: "createSchedule",
    summary: "Start a thread, or send a message to one, at certain times",
    description:
      "Exactly one run per due time, however often the trigger comes. A thread with `auto_approve` needs the scope `confirm`.",
    headers: ["Idempotency-Key"],
    body: ScheduleInput,
    example: {
      name: "nightly",
      when: { kind: "cron", expression: "0 3 * * *", time_zone: "Europe/Berlin" },
      what: { kind: "thread", create: { goal: "Tidy up", plan_approval: "auto" } },
    },
    responses: {
      201: { description: "The schedule.", schema: ScheduleBody, headers: ["Location", "Idempotency-Replayed"] },
    },
    problems: ["idempotency_mismatch", "settings_moved", ...scheduleProblems],
  },
  "GET /v1/schedules": {
    id: "listSchedules",
    summary: "The schedules of the tenant",
    responses: { 200: { description: "All of them, at most 500.", schema: ScheduleList } },
  },
  "GET /v1/schedules/:schedule": {
    id: "getSchedule",
    summary: "A schedule: when it is due next, and what became of the last time",
    responses: { 200: { description: "The schedule.", schema: ScheduleBody } },
    problems: ["schedule_not_found", "state_corrupt"],
  },
  "PATCH /v1/schedules/:schedule": {
    id: "changeSchedule",
    summary: "Change a schedule, or switch it off and on",
    description: "What is not named stays as it is. The change and the next due time are one commit.",
    body: SchedulePatch,
    example: { enabled: false },
    responses: { 200: { description: "The schedule as it is now.", schema: ScheduleBody } },
    problems: [...scheduleProblems, "thread_moved"],
  },
  "DELETE /v1/schedules/:schedule": {
    id: "deleteSchedule",
    summary: "Remove a schedule; the threads it started stay",
    responses: { 204: { description: "Gone.", schema: null } },
    problems: ["schedule_not_found", "settings_moved"],
  },
};
