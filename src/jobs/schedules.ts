// Schedules: created, changed, listed, removed; and fired, exactly once per due time however often the trigger comes.
import { isoTime } from "../ports/clock.ts";
import type { Delivery } from "../ports/thread-store.ts";
import { type TenantId, type ThreadAt, ThreadId } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { Schedule, type ScheduleId, type ScheduleInput } from "../schema/schedule.ts";
import type { Runtime } from "../turn/runtime.ts";
import { createDocument, type Document, loadDocument, saveDocument } from "./documents.ts";
import { checkWhen, nextAt, withJitter } from "./next-due.ts";
import { listScheduleIds, rememberSchedule } from "./schedule-index.ts";

export const TICK_ID = "tick";
const TRIES = 20;

/** The document of a schedule lives under a thread's kind of name; no thread has it, for thread ids are made otherwise. */
export const scheduleAt = (tenant: TenantId, id: ScheduleId): ThreadAt => ({
  tenant,
  thread: ThreadId.parse(`thr_${id.slice("sch_".length)}`),
});

export async function createSchedule(
  rt: Runtime,
  tenant: TenantId,
  actor: string,
  id: ScheduleId,
  input: ScheduleInput,
): Promise<Result<Schedule>> {
  const when = checkWhen(input.when);
  if (!when.ok) return when;
  const now = rt.clock.now();
  const schedule = withNext(fromInput(input, id, actor, isoTime(now)), now);
  if (schedule.next_at === null && schedule.enabled)
    return fail("request_invalid", "when: it is never due.", { field: "when" });
  const at = scheduleAt(tenant, id);
  const created = await createDocument(rt, at, schedule);
  if (!created.ok && created.problem.code !== "thread_moved") return created;
  const listed = await rememberSchedule(rt, tenant, id, true);
  if (!listed.ok) return listed;
  const tick = tickOf(rt, at, schedule);
  if (tick) {
    const put = await rt.store.putDelivery(tick);
    if (!put.ok) return put;
  }
  return ok(schedule);
}

const fromInput = (input: ScheduleInput, id: ScheduleId, created_by: string, created_at: string): Schedule => ({
  schema: 1,
  id,
  name: input.name,
  when: input.when,
  what: input.what,
  jitter_s: input.jitter_s ?? 0,
  missed: input.missed ?? "run_once",
  ends_at: input.ends_at ?? null,
  enabled: input.enabled ?? true,
  created_at,
  created_by,
  next_at: null,
  last: null,
  runs: 0,
});

export const withNext = (schedule: Schedule, after: number): Schedule => ({
  ...schedule,
  next_at: nextAt(schedule, after),
});

/** One waiting row per schedule, whatever its rhythm. */
export function tickOf(rt: Runtime, at: ThreadAt, schedule: Schedule): Delivery | null {
  if (schedule.next_at === null) return null;
  const due_at = withJitter(rt.hash, schedule, schedule.next_at);
  return { ...at, id: TICK_ID, due_at, attempts: 0, body: JSON.stringify({ kind: "tick", due: schedule.next_at }) };
}

const read = (value: unknown): Result<Schedule> => {
  const schedule = Schedule.safeParse(value);
  return schedule.success
    ? ok(schedule.data)
    : fail("state_corrupt", "The stored schedule cannot be read. It was left as it is.");
};

export async function loadSchedule(rt: Runtime, tenant: TenantId, id: ScheduleId): Promise<Result<Document<Schedule>>> {
  const found = await loadDocument(rt, scheduleAt(tenant, id), read);
  return !found.ok && found.problem.code === "thread_not_found" ? notFound(id) : found;
}

const notFound = (id: string) => fail("schedule_not_found", `There is no schedule ${id}.`);

export async function listSchedules(rt: Runtime, tenant: TenantId): Promise<Result<readonly Schedule[]>> {
  const ids = await listScheduleIds(rt, tenant);
  if (!ids.ok) return ids;
  const schedules: Schedule[] = [];
  for (const id of ids.value) {
    const one = await loadSchedule(rt, tenant, id);
    if (one.ok) schedules.push(one.value.value);
    else if (one.problem.code !== "schedule_not_found") return one;
  }
  return ok(schedules);
}

/** Changes and the next due time are one commit; a tick that was waiting is replaced or taken out with it. */
export async function changeSchedule(
  rt: Runtime,
  tenant: TenantId,
  id: ScheduleId,
  change: Partial<ScheduleInput>,
): Promise<Result<Schedule>> {
  if (change.when) {
    const when = checkWhen(change.when);
    if (!when.ok) return when;
  }
  return updateSchedule(rt, tenant, id, (schedule) => {
    const { ends_at, ...rest } = change;
    const changed = { ...schedule, ...rest, ...(ends_at === undefined ? {} : { ends_at }) } as Schedule;
    return withNext(changed, rt.clock.now());
  });
}

export async function updateSchedule(
  rt: Runtime,
  tenant: TenantId,
  id: ScheduleId,
  change: (schedule: Schedule) => Schedule,
): Promise<Result<Schedule>> {
  const at = scheduleAt(tenant, id);
  for (let tries = 0; ; tries++) {
    const found = await loadSchedule(rt, tenant, id);
    if (!found.ok) return found;
    const changed = change(found.value.value);
    const tick = tickOf(rt, at, changed);
    const saved = await saveDocument(rt, at, found.value.version, changed, tick ? [tick] : [], tick ? [] : [TICK_ID]);
    if (saved.ok) return ok(changed);
    if (saved.problem.code !== "thread_moved" || tries >= TRIES) return saved;
  }
}

export async function removeSchedule(rt: Runtime, tenant: TenantId, id: ScheduleId): Promise<Result<void>> {
  const removed = await rt.store.remove(scheduleAt(tenant, id));
  if (!removed.ok && removed.problem.code !== "thread_not_found") return removed;
  const forgotten = await rememberSchedule(rt, tenant, id, false);
  if (!forgotten.ok) return forgotten;
  return removed.ok ? ok(undefined) : notFound(id);
}
