// Sends a signed request to an external endpoint that an administrator has registered.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

export type TriggerRequest = {
  /** The name of a registered webhook. */
  readonly target: string;
  /** Id that is the same for every attempt, so that the receiver can detect duplicates. */
  readonly id: string;
  readonly body: string;
  readonly signal: AbortSignal;
};

export interface Triggers {
  targets(tenant: TenantId): Promise<Result<readonly string[]>>;
  /** Returns the status of the response, whatever it is. Fails with `fetch_failed` or `blocked_address` if there is no response. */
  send(tenant: TenantId, request: TriggerRequest): Promise<Result<{ readonly status: number }>>;
}
