// Before a model is paid for: a claim, where the host has a place for claims. Only spares a second bill; who wins a
// turn is settled by the commit alone.
import { fail, type Result } from "../../schema/problem.ts";
import type { Admission } from "../admit/admit.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";

/** What asks a model. Everything else is cheap, and a cancellation must not wait for the one who thinks. */
const MODEL_ACTIONS: ReadonlySet<Admission["kind"]> = new Set([
  "begin",
  "think",
  "resume",
  "reply",
  "expire_question",
  "deliver",
]);
/** A turn is mostly over long before its deadline. */
const RETRY_AFTER_S_MAX = 5;
/** How far the clocks of two machines may be apart. */
const CLOCK_SKEW_MS = 60_000;

export async function withClaim<T>(
  rt: Pick<Runtime, "claims" | "clock" | "ids" | "config">,
  request: Pick<TurnRequest, "at" | "deadline">,
  kind: Admission["kind"],
  perform: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const { claims } = rt;
  if (!claims || !MODEL_ACTIONS.has(kind)) return perform();
  const owner = rt.ids.make("opr");
  const claim = await claims.claim(request.at, owner, Math.max(1, request.deadline - rt.clock.now()));
  // One that lasts longer than any turn was made by a clock that was wrong: a model call is not worth waiting years.
  const longest_ms = rt.config.turn_deadline_ms + CLOCK_SKEW_MS;
  if (claim.ok && !claim.value.mine && claim.value.until - rt.clock.now() <= longest_ms) {
    const left_s = Math.ceil((claim.value.until - rt.clock.now()) / 1000);
    const retry_after_s = Math.min(RETRY_AFTER_S_MAX, Math.max(1, left_s));
    return fail("turn_running", "Another instance is thinking about this thread.", { retry_after_s });
  }
  try {
    // A claim that could not be asked for does not hold up the turn: it might only cost a model call too many.
    return await perform();
  } finally {
    if (claim.ok) await claims.release(request.at, owner);
  }
}
