// Takes a claim on the thread before a model call. A claim only avoids a second call; the commit alone decides which turn wins.
import { CLOCK_SKEW_MS } from "../../schema/jobs/time-limit.ts";
import { fail, type Result } from "../../schema/problem.ts";
import type { Admission } from "../admit/admit.ts";
import type { Runtime, TurnRequest } from "../runtime.ts";

/** Actions that call a model. The others are cheap, and a cancellation must not wait for a model call. */
const MODEL_ACTIONS: ReadonlySet<Admission["kind"]> = new Set([
  "begin",
  "think",
  "resume",
  "reply",
  "expire_question",
  "deliver",
]);
/** The longest delay that is suggested for a retry, because most turns end long before their deadline. */
const RETRY_AFTER_S_MAX = 5;

export async function withClaim<T>(
  rt: Pick<Runtime, "claims" | "clock" | "ids" | "config">,
  request: Pick<TurnRequest, "at" | "deadline">,
  { kind, version }: { readonly kind: Admission["kind"]; readonly version: number },
  perform: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const { claims } = rt;
  if (!claims || !MODEL_ACTIONS.has(kind)) return perform();
  const owner = rt.ids.make("opr");
  const claim = await claims.claim(request.at, owner, Math.max(1, request.deadline - rt.clock.now()), version);
  // A claim that lasts longer than any turn was made with a wrong clock, so it is ignored.
  const longest_ms = rt.config.turn_deadline_ms + CLOCK_SKEW_MS;
  if (claim.ok && !claim.value.mine && claim.value.until - rt.clock.now() <= longest_ms) {
    const left_s = Math.ceil((claim.value.until - rt.clock.now()) / 1000);
    const retry_after_s = Math.min(RETRY_AFTER_S_MAX, Math.max(1, left_s));
    return fail("turn_running", "Another instance is running a turn of this thread.", { retry_after_s });
  }
  let committed = false;
  try {
    // A failed claim does not block the turn. At worst it costs one extra model call.
    const performed = await perform();
    committed = performed.ok;
    return performed;
  } finally {
    if (claim.ok && !(committed && claims.end_with_version)) await claims.release(request.at, owner);
  }
}
