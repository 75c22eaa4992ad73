// Retries requests to a store that were not answered or that lost a compare-and-set.
import type { Problem, ProblemCode, Result } from "../schema/problem.ts";

const UNAVAILABLE_ATTEMPTS = 3;
/** If this many attempts have lost, the cause is not a race. */
const CONFLICT_ATTEMPTS = 50;

/** Only for requests that are safe to repeat: reads, blobs, and rows that have a commit id. The adapter decides how long to wait in between. */
export async function retryUnavailable<T>(request: () => Promise<Result<T>>): Promise<Result<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await request();
    if (result.ok || result.problem.code !== "store_unavailable" || attempt >= UNAVAILABLE_ATTEMPTS) return result;
  }
}

/** `attempt` loads, changes and saves by compare-and-set. It is repeated as long as another writer saves first. */
export async function retryConflict<T>(
  conflict: ProblemCode,
  attempt: (count: number) => Promise<Result<T>>,
  attempts_max = CONFLICT_ATTEMPTS,
): Promise<Result<T>> {
  for (let count = 1; ; count += 1) {
    const result = await attempt(count);
    if (result.ok || result.problem.code !== conflict || count >= attempts_max) return result;
  }
}

/** True if waiting may solve the problem without changing the request. */
export const isTransient = ({ retry }: Problem): boolean => retry !== "never" && retry !== "after-fix";
