// The routes of background runs and schedules, described.
import { ScheduleInput, SchedulePatch } from "../../schema/jobs/schedule.ts";
import { NoFields } from "../edge/tickets.ts";
import { ScheduleBody, ScheduleList, TurnResponse } from "./bodies.ts";
import type { Operation } from "./operation.ts";

const switching = (id: string, summary: string, says: string): Operation => ({
  id,
  summary,
  says,
  headers: ["Idempotency-Key"],
  body: NoFields,
  answers: {
    202: { says: "The thread as it is now.", schema: TurnResponse, headers: ["ETag", "Idempotency-Replayed"] },
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

export const JOB_OPERATIONS: Readonly<Record<string, Operation>> = {
  "POST /v1/threads/:id/run": switching(
    "runThread",
    "Let a worker advance the thread until the next gate or the end",
    "Also revives a run that was given up: `background.status` is `dead` then, and `background.reason` says why.",
  ),
  "POST /v1/threads/:id/pause": switching(
    "pauseThread",
    "Let no worker begin a further turn",
    "The turn at work is finished. Calls may still advance the thread.",
  ),
  "POST /v1/threads/:id/resume": switching("resumeThread", "Let workers go on", "Messages that waited are heard."),
  "POST /v1/schedules": {
    id: "createSchedule",
    summary: "Start a thread, or send a message to one, at certain times",
    says: "Exactly one run per due time, however often the trigger comes. A thread with `auto_approve` needs the scope `confirm`.",
    headers: ["Idempotency-Key"],
    body: ScheduleInput,
    example: {
      name: "nightly",
      when: { kind: "cron", expression: "0 3 * * *", time_zone: "Europe/Berlin" },
      what: { kind: "thread", create: { goal: "Tidy up", plan_approval: "auto" } },
    },
    answers: {
      201: { says: "The schedule.", schema: ScheduleBody, headers: ["Location", "Idempotency-Replayed"] },
    },
    problems: ["idempotency_mismatch", "settings_moved", ...scheduleProblems],
  },
  "GET /v1/schedules": {
    id: "listSchedules",
    summary: "The schedules of the tenant",
    answers: { 200: { says: "All of them, at most 500.", schema: ScheduleList } },
  },
  "GET /v1/schedules/:schedule": {
    id: "getSchedule",
    summary: "A schedule: when it is due next, and what became of the last time",
    answers: { 200: { says: "The schedule.", schema: ScheduleBody } },
    problems: ["schedule_not_found", "state_corrupt"],
  },
  "PATCH /v1/schedules/:schedule": {
    id: "changeSchedule",
    summary: "Change a schedule, or switch it off and on",
    says: "What is not named stays as it is. The change and the next due time are one commit.",
    body: SchedulePatch,
    example: { enabled: false },
    answers: { 200: { says: "The schedule as it is now.", schema: ScheduleBody } },
    problems: [...scheduleProblems, "thread_moved"],
  },
  "DELETE /v1/schedules/:schedule": {
    id: "deleteSchedule",
    summary: "Remove a schedule; the threads it started stay",
    answers: { 204: { says: "Gone.", schema: null } },
    problems: ["schedule_not_found", "settings_moved"],
  },
};
