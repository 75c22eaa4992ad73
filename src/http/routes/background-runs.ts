// Background runs: start, pause, resume. Each is a record of the thread; a worker does the rest.
import type { Background } from "../../schema/thread.ts";
import { setBackground } from "../../threads/background.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { wakeUpAt } from "../../turn/commit/wake-up.ts";
import { readBody } from "../edge/body.ts";
import { idempotencyKey } from "../edge/headers.ts";
import { EmptyBody } from "../edge/tickets.ts";
import type { Ctx } from "../env.ts";
import { respondOutcome, respondProblem } from "../respond.ts";
import { createTurnRequest } from "../turn-request.ts";
import { threadAt } from "./threads.ts";

const backgroundHandler =
  (route: string, background: Background) =>
  async (c: Ctx): Promise<Response> => {
    const options = c.get("options");
    const at = threadAt(c);
    if (!at.ok) return respondProblem(c, at.problem);
    const key = idempotencyKey(c);
    if (!key.ok) return respondProblem(c, key.problem);
    const body = await readBody(c, EmptyBody);
    if (!body.ok) return respondProblem(c, body.problem);
    const idempotency = key.value
      ? { hash: keyHash(options.rt.hash, key.value), body: bodyHash(options.rt.hash, { route, query: {}, body: {} }) }
      : null;
    const request = createTurnRequest(options, c.get("caller"), at.value, {
      input: null,
      budget: null,
      if_match: null,
      key: idempotency,
    });
    const updated = await setBackground(options.rt, { ...request, last_turn: true }, background);
    if (!updated.ok) return respondProblem(c, updated.problem);
    // Also where a run should be at work already: whoever asks for it may have seen one that lost its wake-up in a crash.
    if (background.status === "on") {
      const woken = await options.rt.store.putDelivery(wakeUpAt(at.value, options.rt.clock.now()));
      if (!woken.ok) return respondProblem(c, woken.problem);
    }
    return respondOutcome(c, updated.value.outcome, updated.value.replayed, 202);
  };

/** Also revives a run that was given up. */
export const postRun = backgroundHandler("run", { status: "on", reason: null });
export const postPause = backgroundHandler("pause", { status: "paused", reason: null });
export const postResume = backgroundHandler("resume", { status: "on", reason: null });
