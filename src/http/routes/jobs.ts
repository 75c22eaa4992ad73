// Background runs: start, pause, resume. Each is a record of the thread; a worker does the rest.
import type { Background } from "../../schema/thread.ts";
import { setBackground } from "../../threads/background.ts";
import { bodyHash, keyHash } from "../../turn/commit/key-ring.ts";
import { wakeAt } from "../../turn/commit/wake.ts";
import { readBody } from "../edge/body.ts";
import { idempotencyKey } from "../edge/headers.ts";
import { NoFields } from "../edge/tickets.ts";
import type { Ctx } from "../env.ts";
import { respondOutcome, respondProblem } from "../respond.ts";
import { turnCall } from "../turn-call.ts";
import { threadAt } from "./threads.ts";

const switching =
  (route: string, background: Background) =>
  async (c: Ctx): Promise<Response> => {
    const options = c.get("options");
    const at = threadAt(c);
    if (!at.ok) return respondProblem(c, at.problem);
    const key = idempotencyKey(c);
    if (!key.ok) return respondProblem(c, key.problem);
    const body = await readBody(c, NoFields);
    if (!body.ok) return respondProblem(c, body.problem);
    const named = key.value
      ? { hash: keyHash(options.rt.hash, key.value), body: bodyHash(options.rt.hash, { route, query: {}, body: {} }) }
      : null;
    const call = turnCall(options, c.get("caller"), at.value, {
      input: null,
      budget: null,
      if_match: null,
      key: named,
    });
    const switched = await setBackground(options.rt, { ...call, last_turn: true }, background);
    if (!switched.ok) return respondProblem(c, switched.problem);
    // Also where a run should be at work already: whoever asks for it may have seen one that lost its wake-up in a crash.
    if (background.status === "on") {
      const woken = await options.rt.store.putDelivery(wakeAt(at.value, options.rt.clock.now()));
      if (!woken.ok) return respondProblem(c, woken.problem);
    }
    return respondOutcome(c, switched.value.outcome, switched.value.replayed, 202);
  };

/** Also revives a run that was given up. */
export const postRun = switching("run", { status: "on", reason: null });
export const postPause = switching("pause", { status: "paused", reason: null });
export const postResume = switching("resume", { status: "on", reason: null });
