// Sends a request to an external endpoint that an administrator has registered, signed with its secret.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

export type TriggerRequest = {
  /** The name of a registered webhook. */
  readonly target: string;
  /** The same for every attempt, so that the receiver can detect duplicates. */
  readonly id: string;
  readonly body: string;
  readonly signal: AbortSignal;
};

export interface Triggers {
  /** Names that can be triggered. */
  targets(tenant: TenantId): Promise<Result<readonly string[]>>;
  /** The status of the response, whatever it is; `fetch_failed` or `blocked_address` if there is no response. */
  send(tenant: TenantId, request: TriggerRequest): Promise<Result<{ readonly status: number }>>;
}
