// A claim on a thread saves the cost of a second model call. The store's append alone decides which turn wins.
import type { ThreadRef } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

/** `until` is when the other owner's claim expires, in milliseconds since the epoch. */
export type ClaimResult = { readonly mine: true } | { readonly mine: false; readonly until: number };

export interface Claims {
  /** True if a claim ends when the thread has moved past its `version`, so that nobody needs to release it after a commit. */
  readonly end_with_version?: boolean;
  /**
   * Succeeds unless another owner holds the claim. The same owner may claim again. A claim that is not released expires. `version` is that of the
   * thread as the caller has loaded it.
   */
  claim(at: ThreadRef, owner: string, ttl_ms: number, version?: number): Promise<Result<ClaimResult>>;
  /** Has no effect if the owner does not hold the claim. */
  release(at: ThreadRef, owner: string): Promise<Result<void>>;
}
