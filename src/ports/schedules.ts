// Defines what a tool may do with the tenant's schedules.
import type { TenantId } from "../schema/ids.ts";
import type { Schedule, ScheduleInput } from "../schema/jobs/schedule.ts";
import type { Result } from "../schema/problem.ts";

export type ScheduleCreateRequest = {
  readonly actor: string;
  readonly key: string;
  readonly input: ScheduleInput;
  /** True if the input comes from a thread that contains untrusted text. What the schedule starts is then tainted from the beginning. */
  readonly untrusted: boolean;
};

export interface Schedules {
  /** Returns why `create` would refuse the input. If it is absent, only `create` can tell. */
  check?(tenant: TenantId, input: ScheduleInput): Promise<Result<unknown>>;
  /** Creates a schedule. The same key and input return the existing schedule. */
  create(tenant: TenantId, request: ScheduleCreateRequest): Promise<Result<Schedule>>;
  list(tenant: TenantId): Promise<Result<readonly Schedule[]>>;
  /** Removes a schedule. Fails with `schedule_not_found` if it does not exist. */
  remove(tenant: TenantId, id: string): Promise<Result<void>>;
}
