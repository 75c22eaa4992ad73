// Sending something to a place outside that an administrator has registered, signed with the secret of that place.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

export type TriggerRequest = {
  /** The name of a registered webhook. */
  readonly target: string;
  /** The same for every try: the receiver can know it again. */
  readonly id: string;
  readonly body: string;
  readonly signal: AbortSignal;
};

export interface Triggers {
  /** Names that can be triggered. */
  targets(tenant: TenantId): Promise<Result<readonly string[]>>;
  /** What was answered, whatever it was; `fetch_failed` or `blocked_address` without an answer. */
  send(tenant: TenantId, request: TriggerRequest): Promise<Result<{ readonly status: number }>>;
}
