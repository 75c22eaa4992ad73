// A store that does not answer is asked again, a few times and at once: how long to wait is the adapter's business.
import type { Result } from "../schema/problem.ts";

const TRIES = 3;

/** Only for what may be done twice: reads, blobs, and rows that are known by their commit id. */
export async function insist<T>(ask: () => Promise<Result<T>>): Promise<Result<T>> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if (answer.ok || answer.problem.code !== "store_unavailable" || tries >= TRIES) return answer;
  }
}
