// What a tool may do with the tenant's schedules.
import type { TenantId } from "../schema/ids.ts";
import type { Schedule, ScheduleInput } from "../schema/jobs/schedule.ts";
import type { Result } from "../schema/problem.ts";

export interface Schedules {
  /** The same key and input give the schedule that is there. */
  create(tenant: TenantId, request: { actor: string; key: string; input: ScheduleInput }): Promise<Result<Schedule>>;
  list(tenant: TenantId): Promise<Result<readonly Schedule[]>>;
  /** `schedule_not_found` for one that is not there. */
  remove(tenant: TenantId, id: string): Promise<Result<void>>;
}
