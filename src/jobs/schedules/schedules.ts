// Creates, changes, lists and removes schedules. Each due time fires exactly once, even if its trigger is repeated.
import { isoTime } from "../../ports/clock.ts";
import { retryConflict } from "../../ports/retry.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { TenantId, ThreadRef } from "../../schema/ids.ts";
import { Schedule, ScheduleId, type ScheduleInput, type SchedulePatch, textOf } from "../../schema/jobs/schedule.ts";
import { canonicalJson } from "../../schema/json/canonical-json.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { validateCreate } from "../../threads/create.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { createDocument, documentThreadRef, loadDocument, saveDocument, type VersionedDocument } from "../documents.ts";
import { nextAt, validateWhen, withJitter } from "./next-due.ts";
import { readScheduleIndex, setScheduleIndexed } from "./schedule-index.ts";

export const TICK_ID = "tick";

const newScheduleId = (rt: Runtime): ScheduleId => ScheduleId.parse(rt.ids.make("sch"));

/** The tenant is part of the hash, so equal keys of two tenants give two schedules. */
const keyedScheduleId = (rt: Runtime, tenant: TenantId, key: string): ScheduleId =>
  ScheduleId.parse(`sch_${rt.hash.sha256(canonicalJson({ tenant, schedule: key })).slice(0, 26)}`);

export type CreateScheduleOptions = {
  readonly tenant: TenantId;
  readonly actor: string;
  /** The same key and input return the existing schedule. */
  readonly key: string | null;
  readonly input: ScheduleInput;
  /** True if the input comes from a thread that contains untrusted text. */
  readonly untrusted?: boolean;
};

export async function createSchedule(
  rt: Runtime,
  { tenant, actor, key, input, untrusted = false }: CreateScheduleOptions,
): Promise<Result<{ schedule: Schedule; replayed: boolean }>> {
  const checked = await checkInput(rt, tenant, input);
  if (!checked.ok) return checked;
  const id = key === null ? newScheduleId(rt) : keyedScheduleId(rt, tenant, key);
  const now = rt.clock.now();
  const desired = withNextDue({ ...fromInput(input, id, actor, isoTime(now)), untrusted }, now);
  const created = await createOrFind(rt, tenant, desired, rt.hash.sha256(canonicalJson(input)));
  if (!created.ok) return created;
  // An existing schedule is indexed, too, because the process that created it may have crashed before indexing it.
  const listed = await setScheduleIndexed(rt, tenant, id, true);
  if (!listed.ok) return listed;
  const at = documentThreadRef(tenant, id);
  const { schedule, replayed } = created.value;
  const tick = replayed ? await missingTick(rt, at, schedule) : ok(tickDelivery(rt, at, schedule));
  if (!tick.ok) return tick;
  const put = tick.value ? await rt.store.putDelivery(tick.value) : ok(undefined);
  return put.ok ? created : put;
}

export async function validateSchedule(rt: Runtime, tenant: TenantId, input: ScheduleInput): Promise<Result<unknown>> {
  const checked = await checkInput(rt, tenant, input);
  if (!checked.ok) return checked;
  const now = rt.clock.now();
  const { next_at, enabled } = withNextDue(fromInput(input, newScheduleId(rt), "", isoTime(now)), now);
  return next_at === null && enabled ? neverDue() : ok(undefined);
}

/** A schedule that can never start is reported when it is written. */
async function checkInput(rt: Runtime, tenant: TenantId, { when, what }: SchedulePatch): Promise<Result<unknown>> {
  const timingCheck = when ? validateWhen(when) : ok(undefined);
  if (!timingCheck.ok || !what) return timingCheck;
  if (what.kind === "thread") return validateCreate(rt, what.create) ?? ok(undefined);
  return rt.store.load({ tenant, thread: what.thread }, 1);
}

async function createOrFind(
  rt: Runtime,
  tenant: TenantId,
  desired: Schedule,
  inputHash: string,
): Promise<Result<{ schedule: Schedule; replayed: boolean }>> {
  const found = await loadSchedule(rt, tenant, desired.id);
  if (found.ok) return replayIfSameInput(found.value.value, inputHash);
  if (found.problem.code !== "schedule_not_found") return found;
  if (desired.next_at === null && desired.enabled) return neverDue();
  const created = await createDocument(rt, documentThreadRef(tenant, desired.id), { ...desired, written: inputHash });
  if (created.ok) return ok({ schedule: desired, replayed: false });
  if (created.problem.code !== "thread_moved") return created;
  const existing = await loadSchedule(rt, tenant, desired.id);
  return existing.ok ? replayIfSameInput(existing.value.value, inputHash) : existing;
}

const neverDue = () => fail("request_invalid", "when: the schedule would never be due.", { field: "when" });

const replayIfSameInput = (schedule: Schedule, inputHash: string): Result<{ schedule: Schedule; replayed: boolean }> =>
  schedule.written === inputHash
    ? ok({ schedule, replayed: true })
    : fail("idempotency_mismatch", "This Idempotency-Key was used before with a different request.");

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
  untrusted: false,
  written: null,
});

export const withNextDue = (schedule: Schedule, after: number): Schedule => ({
  ...schedule,
  next_at: nextAt(schedule, after),
});

/** There is one waiting row per schedule, regardless of its frequency. */
export function tickDelivery(rt: Runtime, at: ThreadRef, schedule: Schedule): Delivery | null {
  if (schedule.next_at === null) return null;
  const due_at = withJitter(rt.hash, schedule, schedule.next_at);
  return { ...at, id: TICK_ID, due_at, attempts: 0, body: JSON.stringify({ kind: "tick", due: schedule.next_at }) };
}

/** Null if there is a tick for the next due time. It may be leased, and replacing it would lose the fact that it was leased in time. */
async function missingTick(rt: Runtime, at: ThreadRef, schedule: Schedule): Promise<Result<Delivery | null>> {
  const tick = tickDelivery(rt, at, schedule);
  if (!tick) return ok(null);
  const rows = await rt.store.deliveries(at, 1, TICK_ID);
  if (!rows.ok) return rows;
  const [row] = rows.value;
  return ok(row && dueOfTick(row) === schedule.next_at ? null : tick);
}

export const dueOfTick = ({ body }: Delivery): string => (JSON.parse(body) as { due: string }).due;

const parseSchedule = (value: unknown): Result<Schedule> => {
  const schedule = Schedule.safeParse(value);
  return schedule.success
    ? ok(schedule.data)
    : fail("state_corrupt", "The stored schedule cannot be read. It was left unchanged.");
};

export async function loadSchedule(
  rt: Runtime,
  tenant: TenantId,
  id: ScheduleId,
): Promise<Result<VersionedDocument<Schedule>>> {
  const found = await loadDocument(rt, documentThreadRef(tenant, id), parseSchedule);
  return !found.ok && found.problem.code === "thread_not_found" ? notFound(id) : found;
}

const notFound = (id: string) => fail("schedule_not_found", `There is no schedule ${id}.`);

export type ListedSchedules = {
  readonly schedules: readonly Schedule[];
  /** Schedules with a stored document or id that cannot be read. */
  readonly damaged: readonly string[];
};

/** One damaged schedule does not hide all others. */
export async function listSchedules(rt: Runtime, tenant: TenantId): Promise<Result<ListedSchedules>> {
  const index = await readScheduleIndex(rt, tenant);
  if (!index.ok) return index;
  const schedules: Schedule[] = [];
  const damaged = [...index.value.damaged];
  for (const id of index.value.ids) {
    const one = await loadSchedule(rt, tenant, id);
    if (one.ok) schedules.push(one.value.value);
    else if (one.problem.code === "state_corrupt") damaged.push(id);
    else if (one.problem.code !== "schedule_not_found") return one;
  }
  return ok({ schedules, damaged });
}

/** Commits the change and the next due time together. A waiting tick is replaced or removed in the same commit. */
export async function changeSchedule(
  rt: Runtime,
  tenant: TenantId,
  id: ScheduleId,
  change: SchedulePatch,
  /** Called with the changed schedule on each attempt, because others may change it in the meantime. */
  allow: (after: Schedule) => Result<unknown> = () => ok(undefined),
): Promise<Result<Schedule>> {
  const checked = await checkInput(rt, tenant, change);
  if (!checked.ok) return checked;
  const found = change.when ? await loadSchedule(rt, tenant, id) : null;
  if (found && !found.ok) return found;
  // An end in the past ends the schedule. A time that never comes is an error, as it is on create.
  if (found && willNeverBeDue(found.value.value, withPatch(found.value.value, change), rt.clock.now()))
    return neverDue();
  return updateSchedule(rt, tenant, id, (schedule) => {
    const changed = withPatch(schedule, change);
    const allowed = allow(changed);
    if (!allowed.ok) return allowed;
    // If only the name or the goal changes, a due time that has not fired yet stays due.
    return ok(hasSameTiming(schedule, changed) ? changed : withNextDue(changed, rt.clock.now()));
  });
}

/** New text comes from the caller, so the schedule is no longer untrusted, unless the caller sends the same text back. */
const withPatch = (schedule: Schedule, change: SchedulePatch): Schedule => {
  const sameText = !change.what || textOf(change.what) === textOf(schedule.what);
  return { ...schedule, ...change, untrusted: schedule.untrusted && sameText } as Schedule;
};

const willNeverBeDue = (before: Schedule, after: Schedule, now: number): boolean =>
  !hasSameTiming(before, after) && after.enabled && withNextDue(after, now).next_at === null;

const hasSameTiming = (a: Schedule, b: Schedule): boolean => {
  const timingOf = ({ when, ends_at, enabled }: Schedule): string => canonicalJson({ when, ends_at, enabled });
  return timingOf(a) === timingOf(b);
};

const hasSameDueTime = (a: Schedule, b: Schedule): boolean => a.next_at === b.next_at && a.jitter_s === b.jitter_s;

export function updateSchedule(
  rt: Runtime,
  tenant: TenantId,
  id: ScheduleId,
  change: (schedule: Schedule) => Result<Schedule>,
): Promise<Result<Schedule>> {
  const at = documentThreadRef(tenant, id);
  return retryConflict("thread_moved", async () => {
    const found = await loadSchedule(rt, tenant, id);
    if (!found.ok) return found;
    const changed = change(found.value.value);
    if (!changed.ok) return changed;
    const isDueAsBefore = hasSameDueTime(found.value.value, changed.value);
    const tick = isDueAsBefore ? await missingTick(rt, at, changed.value) : ok(tickDelivery(rt, at, changed.value));
    if (!tick.ok) return tick;
    const due = tick.value ? [tick.value] : [];
    const removed = changed.value.next_at === null ? [TICK_ID] : [];
    const saved = await saveDocument(rt, at, found.value, changed.value, due, removed);
    return saved.ok ? changed : saved;
  });
}

export async function removeSchedule(rt: Runtime, tenant: TenantId, id: ScheduleId): Promise<Result<void>> {
  const removed = await rt.store.remove(documentThreadRef(tenant, id));
  if (!removed.ok && removed.problem.code !== "thread_not_found") return removed;
  const unindexed = await setScheduleIndexed(rt, tenant, id, false);
  if (!unindexed.ok) return unindexed;
  return removed.ok ? ok(undefined) : notFound(id);
}
