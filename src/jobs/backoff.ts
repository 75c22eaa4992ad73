// How long a run waits after a failure before it is tried again.
import type { Problem } from "../schema/problem.ts";

const BACKOFF_MS = 1000;
/** No pause is longer, whatever the problem asks for: further away than this only a wrong clock can put a run. */
export const BACKOFF_MAX_MS = 15 * 60_000;

/** Twice as long each time, and at least as long as the problem says. */
export function backoffMs(attempts: number, problem: Problem): number {
  const asked = problem.details?.retry_after_s;
  const wait = Math.max(BACKOFF_MS * 2 ** (attempts - 1), typeof asked === "number" ? asked * 1000 : 0);
  return Math.min(BACKOFF_MAX_MS, wait);
}
