// Schedules: create, list, show, change, remove. What they start and when is the worker's.
import {
  changeSchedule,
  createSchedule,
  listSchedules,
  loadSchedule,
  removeSchedule,
} from "../../jobs/schedules/schedules.ts";
import {
  type Schedule,
  type ScheduleAction,
  ScheduleId,
  ScheduleInput,
  SchedulePatch,
} from "../../schema/jobs/schedule.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { readBody } from "../edge/body.ts";
import { type Caller, requireScope } from "../edge/caller.ts";
import { idempotencyKey } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";

const scheduleView = ({ schema: _, written: __, ...shown }: Schedule) => shown;

function scheduleParam(c: Ctx): Result<ScheduleId> {
  const id = ScheduleId.safeParse(c.req.param("schedule"));
  return id.success ? ok(id.data) : fail("schedule_not_found", "There is no such schedule.");
}

/** What a key could not start itself, it cannot let a schedule start. */
const requireStartScope = (caller: Caller, what: ScheduleAction | undefined): Result<unknown> =>
  what?.kind === "thread" && what.create.auto_approve?.length ? requireScope(caller, "confirm") : ok(undefined);

export async function postSchedule(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const key = idempotencyKey(c);
  if (!key.ok) return respondProblem(c, key.problem);
  const body = await readBody(c, ScheduleInput);
  if (!body.ok) return respondProblem(c, body.problem);
  const allowed = requireStartScope(caller, body.value.what);
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
  return listed.ok ? c.json({ schedules: listed.value.map(scheduleView) }) : respondProblem(c, listed.problem);
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
  const allowed = requireStartScope(c.get("caller"), body.value.what);
  if (!allowed.ok) return respondProblem(c, allowed.problem);
  const changed = await changeSchedule(c.get("options").rt, c.get("caller").tenant, id.value, body.value);
  return changed.ok ? c.json({ schedule: scheduleView(changed.value) }) : respondProblem(c, changed.problem);
}

export async function deleteSchedule(c: Ctx): Promise<Response> {
  const id = scheduleParam(c);
  if (!id.ok) return respondProblem(c, id.problem);
  const removed = await removeSchedule(c.get("options").rt, c.get("caller").tenant, id.value);
  return removed.ok ? c.body(null, 204) : respondProblem(c, removed.problem);
}
