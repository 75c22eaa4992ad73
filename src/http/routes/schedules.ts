// Schedules: create, list, show, change, remove. What they start and when is the worker's.
import {
  changeSchedule,
  createSchedule,
  listSchedules,
  loadSchedule,
  removeSchedule,
} from "../../jobs/schedules/schedules.ts";
import { type Schedule, ScheduleId, ScheduleInput, SchedulePatch } from "../../schema/jobs/schedule.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import { readBody } from "../edge/body.ts";
import { idempotencyKey } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";

const scheduleView = ({ schema: _, written: __, ...shown }: Schedule) => shown;

function scheduleParam(c: Ctx): Result<ScheduleId> {
  const id = ScheduleId.safeParse(c.req.param("schedule"));
  return id.success ? ok(id.data) : fail("schedule_not_found", "There is no such schedule.");
}

export async function postSchedule(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const key = idempotencyKey(c);
  if (!key.ok) return respondProblem(c, key.problem);
  const body = await readBody(c, ScheduleInput);
  if (!body.ok) return respondProblem(c, body.problem);
  const allowed = requireApprovalRight(caller, { kind: "schedule", what: body.value.what });
  if (!allowed.ok) return respondProblem(c, allowed.problem);
  const options = { tenant: caller.tenant, actor: caller.name, key: key.value, input: body.value };
  const created = await createSchedule(rt, options);
  if (!created.ok) return respondProblem(c, created.problem);
  const { schedule, replayed } = created.value;
  c.header("location", `/v1/schedules/${schedule.id}`);
  if (replayed) c.header("idempotency-replayed", "true");
  return c.json({ schedule: scheduleView(schedule) }, 201);
}

export async function getSchedules(c: Ctx): Promise<Response> {
  const listed = await listSchedules(c.get("options").rt, c.get("caller").tenant);
  if (!listed.ok) return respondProblem(c, listed.problem);
  const { schedules, damaged } = listed.value;
  return c.json({ schedules: schedules.map(scheduleView), ...(damaged.length > 0 ? { damaged } : {}) });
}

export async function getSchedule(c: Ctx): Promise<Response> {
  const id = scheduleParam(c);
  if (!id.ok) return respondProblem(c, id.problem);
  const found = await loadSchedule(c.get("options").rt, c.get("caller").tenant, id.value);
  return found.ok ? c.json({ schedule: scheduleView(found.value.value) }) : respondProblem(c, found.problem);
}

export async function patchSchedule(c: Ctx): Promise<Response> {
  const id = scheduleParam(c);
  if (!id.ok) return respondProblem(c, id.problem);
  const body = await readBody(c, SchedulePatch);
  if (!body.ok) return respondProblem(c, body.problem);
  const caller = c.get("caller");
  const change = body.value;
  const allow = ({ what }: Pick<Schedule, "what">) => requireApprovalRight(caller, { kind: "schedule", what, change });
  // Whoever may not is told so before anything else that is wrong with it.
  const allowed = change.what ? allow({ what: change.what }) : ok(undefined);
  if (!allowed.ok) return respondProblem(c, allowed.problem);
  const changed = await changeSchedule(c.get("options").rt, caller.tenant, id.value, change, allow);
  return changed.ok ? c.json({ schedule: scheduleView(changed.value) }) : respondProblem(c, changed.problem);
}

export async function deleteSchedule(c: Ctx): Promise<Response> {
  const id = scheduleParam(c);
  if (!id.ok) return respondProblem(c, id.problem);
  const removed = await removeSchedule(c.get("options").rt, c.get("caller").tenant, id.value);
  return removed.ok ? c.body(null, 204) : respondProblem(c, removed.problem);
}
