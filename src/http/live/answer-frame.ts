// Replies to every frame from a socket. An answer to a gate is authorized like a POST of the same input.
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Problem, problem, type Result } from "../../schema/problem.ts";
import { dispatchTurn, outcomeBody } from "../dispatch-turn.ts";
import { checkRate } from "../edge/authorize.ts";
import { type Caller, requireScope, revalidateCaller } from "../edge/caller.ts";
import type { AppOptions } from "../env.ts";
import { logBug } from "../log-bug.ts";
import { problemBody } from "../respond.ts";
import { checkInput, createTurnRequest } from "../turn-request.ts";
import { type AnswerFrame, readFrame, readRequestId, toTurnInput } from "./live-frames.ts";

export type LiveConnection = {
  readonly options: AppOptions;
  readonly at: ThreadRef;
  readonly caller: Caller;
  readonly request_id: string;
};

/** The reply is a frame of the type `response`, `problem` or `pong`. */
export async function respondToFrame(connection: LiveConnection, text: string): Promise<object> {
  const frame = readFrame(text);
  if (!frame.ok) return problemFrame(connection, readRequestId(text), frame.problem);
  if (frame.value.type === "ping") return { type: "pong" };
  const { requestId } = frame.value;
  try {
    const answered = await advanceWithFrame(connection, frame.value);
    return answered.ok
      ? { type: "response", requestId, response: answered.value }
      : problemFrame(connection, requestId, answered.problem);
  } catch (error) {
    logBug(connection.options, connection.request_id, error);
    const failure = problem("internal", "Internal error. The request may be retried.");
    return problemFrame(connection, requestId, failure);
  }
}

const problemFrame = ({ request_id }: LiveConnection, requestId: string | null, failure: Problem) => ({
  type: "problem",
  requestId,
  problem: problemBody(failure, request_id),
});

async function advanceWithFrame({ options, at, caller }: LiveConnection, frame: AnswerFrame): Promise<Result<object>> {
  const input = toTurnInput(frame);
  const allowed = authorizeAnswer(options, caller, input);
  if (!allowed.ok) return allowed;
  if (options.stopping.aborted) return fail("stopping", "The server is shutting down.", { retry_after_s: 1 });
  const request = createTurnRequest(options, allowed.value, at, { input, options: { channel: "live" } });
  const advanced = await dispatchTurn(options, request, { max_turns: null, if_busy: "reject" });
  if (!advanced.ok) return advanced;
  if (advanced.value.kind !== "turn") throw new Error(`an answer became ${advanced.value.kind}`);
  const { outcome } = advanced.value;
  if (outcome.kind !== "failed") return ok(outcomeBody(outcome));
  // The failure was committed, so the problem carries the current state of the thread.
  const { problem: stored } = outcome;
  return { ok: false, problem: { ...stored, details: { ...stored.details, ...outcomeBody(outcome) } } };
}

/** The scopes of the key may have changed since the socket was opened. */
function authorizeAnswer(options: AppOptions, caller: Caller, input: ReturnType<typeof toTurnInput>): Result<Caller> {
  const current = revalidateCaller(caller);
  if (!current.ok) return current;
  const rateCheck = checkRate(options, current.value);
  if (!rateCheck.ok) return rateCheck;
  const allowed = requireScope(current.value, "advance");
  return allowed.ok ? checkInput(allowed.value, input) : allowed;
}
