// Tracks which schedules a tenant has. Their ids are in the tenant's settings and are changed by compare-and-set.
import type { TenantId } from "../../schema/ids.ts";
import { ScheduleId } from "../../schema/jobs/schedule.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { damagedIds } from "../../schema/settings.ts";
import { loadSettings } from "../../turn/load-settings.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { changeSettings } from "../change-settings.ts";

export const SCHEDULES_MAX = 500;

export type ScheduleIndex = { readonly ids: readonly ScheduleId[]; readonly damaged: readonly string[] };

export async function readScheduleIndex(rt: Runtime, tenant: TenantId): Promise<Result<ScheduleIndex>> {
  const settings = await loadSettings(rt, tenant);
  if (!settings.ok) return settings;
  const ids = settings.value.schedules.map((id) => ScheduleId.parse(id));
  return ok({ ids, damaged: damagedIds(settings.value, "schedules") });
}

export function setScheduleIndexed(
  rt: Runtime,
  tenant: TenantId,
  id: ScheduleId,
  indexed: boolean,
): Promise<Result<void>> {
  return changeSettings(rt, tenant, (settings) => {
    const others = settings.schedules.filter((other) => other !== id);
    if (indexed && others.length >= SCHEDULES_MAX)
      return fail("request_invalid", `A tenant has at most ${SCHEDULES_MAX} schedules.`);
    return ok({ ...settings, schedules: indexed ? [...others, id] : others });
  });
}
