// Who is thinking about a thread right now, so that two instances do not both pay for a model call. Saves money only:
// that one of them wins rests on the store's append alone.
import type { ThreadRef } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

/** Until when somebody else has it, in milliseconds since the epoch. */
export type ClaimResult = { readonly mine: true } | { readonly mine: false; readonly until: number };

export interface Claims {
  /** Mine for so long, unless another owner holds it; the same owner may claim again. One that is not given back ends by itself. */
  claim(at: ThreadRef, owner: string, ttl_ms: number): Promise<Result<ClaimResult>>;
  /** Giving back what is another's, or nobody's, changes nothing. */
  release(at: ThreadRef, owner: string): Promise<Result<void>>;
}
