// Routes that create, preview, list, show, change and remove schedules. Job workers run the schedules that are due.
import * as z from "zod";
import { nextDue, validateWhen } from "../../jobs/schedules/next-due.ts";
import {
  changeSchedule,
  createSchedule,
  listSchedules,
  loadSchedule,
  removeSchedule,
} from "../../jobs/schedules/schedules.ts";
import { isoTime } from "../../ports/clock.ts";
import { type Schedule, ScheduleInput, SchedulePatch, ScheduleWhen } from "../../schema/jobs/schedule.ts";
import { parseJson } from "../../schema/json/parse-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import { validate } from "../edge/body.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadBody, type ReadSchedule, type Route, route } from "../route.ts";

const SchedulePreview = z.object({ times: z.array(z.iso.datetime()) });

const inputProblems = [
  "schedule_not_found",
  "thread_not_found",
  "tool_unknown",
  "input_too_large",
  "state_corrupt",
] as const;

export const scheduleRoutes: readonly Route[] = [
  route(["post", "/v1/schedules", "advance"], postSchedule, {
    id: "createSchedule",
    summary: "Start a thread, or send a message to one, at certain times",
    description:
      "Exactly one run per due time, however often the trigger fires. A thread with `auto_approve` needs the scope `confirm`.",
    headers: ["Idempotency-Key"],
    body: ScheduleInput,
    example: {
      name: "nightly",
      when: { kind: "cron", expression: "0 3 * * *", time_zone: "Europe/Berlin" },
      what: { kind: "thread", create: { goal: "Tidy up", plan_approval: "auto" } },
    },
    responses: {
      201: { description: "The schedule.", schema: "ScheduleBody", headers: ["Location", "Idempotency-Replayed"] },
    },
    problems: ["idempotency_mismatch", "settings_moved", ...inputProblems],
  }),
  route(["get", "/v1/schedules/preview", "read"], getPreview, {
    id: "previewSchedule",
    summary: "Show the next due times of a schedule that does not exist yet",
    query: { when: { schema: z.string().max(1000), description: "The `when` of the schedule as JSON." } },
    responses: { 200: { description: "At most five times, the next first.", schema: SchedulePreview } },
    problems: ["request_invalid"],
  }),
  route(["get", "/v1/schedules", "read"], getSchedules, {
    id: "listSchedules",
    summary: "List the schedules of the tenant",
    responses: { 200: { description: "All schedules, at most 500.", schema: "ScheduleList" } },
  }),
  route(["get", "/v1/schedules/:schedule", "read"], getSchedule, {
    id: "getSchedule",
    summary: "Show a schedule: its next due time and the result of the last one",
    responses: { 200: { description: "The schedule.", schema: "ScheduleBody" } },
    problems: ["schedule_not_found", "state_corrupt"],
  }),
  route(["patch", "/v1/schedules/:schedule", "advance"], patchSchedule, {
    id: "changeSchedule",
    summary: "Change a schedule, or switch it on or off",
    description: "Omitted fields are unchanged. The change and the next due time are one commit.",
    body: SchedulePatch,
    example: { enabled: false },
    responses: { 200: { description: "The schedule after the change.", schema: "ScheduleBody" } },
    problems: [...inputProblems, "thread_moved"],
  }),
  route(["delete", "/v1/schedules/:schedule", "advance"], deleteSchedule, {
    id: "deleteSchedule",
    summary: "Remove a schedule; the threads it started stay",
    responses: { 204: { description: "The schedule was removed.", schema: null } },
    problems: ["schedule_not_found", "settings_moved"],
  }),
];

const PREVIEW_TIMES = 5;

function getPreview(c: Ctx): Answer {
  const parsed = readWhen(c.req.query("when"));
  const when = parsed.ok ? validateWhen(parsed.value) : parsed;
  if (!when.ok) return when;
  const now = c.get("options").rt.clock.now();
  const times: string[] = [];
  for (let after: number | null = now; after !== null && times.length < PREVIEW_TIMES; ) {
    after = nextDue(when.value, after, now);
    if (after !== null) times.push(isoTime(after));
  }
  return respondJson(c, { times });
}

function readWhen(text: string | undefined): Result<ScheduleWhen> {
  const when = parseJson(text ?? "");
  if (when !== undefined && when !== null) return validate(ScheduleWhen, when, ["when"]);
  return fail("request_invalid", "when: must be the `when` of a schedule as JSON.", { field: "when" });
}

const scheduleView = ({ schema: _, written: __, ...shown }: Schedule) => shown;

async function postSchedule(c: Ctx, { body }: ReadBody<typeof ScheduleInput>): Promise<Answer> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const key = c.get("key");
  const allowed = requireApprovalRight(caller, { kind: "schedule", what: body.what });
  if (!allowed.ok) return allowed;
  const options = { tenant: caller.tenant, actor: caller.name, key, input: body };
  const created = await createSchedule(rt, options);
  if (!created.ok) return created;
  const { schedule, replayed } = created.value;
  return respondJson(c, { schedule: scheduleView(schedule) }, 201, {
    location: `/v1/schedules/${schedule.id}`,
    ...(replayed ? { "idempotency-replayed": "true" } : {}),
  });
}

async function getSchedules(c: Ctx): Promise<Answer> {
  const listed = await listSchedules(c.get("options").rt, c.get("caller").tenant);
  if (!listed.ok) return listed;
  const { schedules, damaged } = listed.value;
  return respondJson(c, { schedules: schedules.map(scheduleView), ...(damaged.length > 0 ? { damaged } : {}) });
}

async function getSchedule(c: Ctx, { schedule }: ReadSchedule): Promise<Answer> {
  const found = await loadSchedule(c.get("options").rt, c.get("caller").tenant, schedule);
  return found.ok ? respondJson(c, { schedule: scheduleView(found.value.value) }) : found;
}

async function patchSchedule(
  c: Ctx,
  { schedule, body: change }: ReadSchedule & ReadBody<typeof SchedulePatch>,
): Promise<Answer> {
  const caller = c.get("caller");
  const allow = ({ what }: Pick<Schedule, "what">) => requireApprovalRight(caller, { kind: "schedule", what, change });
  // If the new `what` needs a scope that the caller lacks, that is reported before any other problem of the change.
  const allowed = change.what ? allow({ what: change.what }) : ok(undefined);
  if (!allowed.ok) return allowed;
  const changed = await changeSchedule(c.get("options").rt, caller.tenant, schedule, change, allow);
  return changed.ok ? respondJson(c, { schedule: scheduleView(changed.value) }) : changed;
}

async function deleteSchedule(c: Ctx, { schedule }: ReadSchedule): Promise<Answer> {
  const removed = await removeSchedule(c.get("options").rt, c.get("caller").tenant, schedule);
  return removed.ok ? c.body(null, 204) : removed;
}
