// A claim on a thread during a model call, so that two instances do not both pay for one. A claim only saves money: which turn wins
// is decided by the store's append alone.
import type { ThreadRef } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

/** `until`: when the other owner's claim expires, in milliseconds since the epoch. */
export type ClaimResult = { readonly mine: true } | { readonly mine: false; readonly until: number };

export interface Claims {
  /** True if a claim ends when the thread has moved past its `version`: after a commit, nobody needs to release it. */
  readonly end_with_version?: boolean;
  /**
   * Succeeds unless another owner holds the claim; the same owner may claim again. A claim that is not released expires.
   * `version`: that of the thread as the caller has loaded it.
   */
  claim(at: ThreadRef, owner: string, ttl_ms: number, version?: number): Promise<Result<ClaimResult>>;
  /** Has no effect if another owner, or none, holds the claim. */
  release(at: ThreadRef, owner: string): Promise<Result<void>>;
}
