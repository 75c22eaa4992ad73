// The WebSocket of a thread: its events come out, answers to its gates go in, each the same as a POST of that input.
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Problem, problem, type Result } from "../../schema/problem.ts";
import { advance } from "../../turn/advance.ts";
import { checkRate } from "../edge/authorize.ts";
import { BODY_BYTES_MAX } from "../edge/body.ts";
import { type Caller, requireScope, revalidateCaller } from "../edge/caller.ts";
import { readEventsAfter } from "../edge/headers.ts";
import type { AppOptions, Ctx } from "../env.ts";
import { hydrateOutcome, hydrateProblem } from "../hydrate-gate.ts";
import { outcomeBody, problemBody, respondProblem } from "../respond.ts";
import { threadAt } from "../routes/threads.ts";
import { checkInput, createTurnRequest } from "../turn-request.ts";
import { type AnswerFrame, readFrame, readRequestId, toTurnInput } from "./live-frames.ts";
import { CLOSE_CODES, type LiveSession, type LiveSocket } from "./live-socket.ts";
import { tailThread } from "./tail.ts";

/** A reader this far behind is waited for, and let go when it does not catch up. */
const BUFFERED_MAX = 1_048_576;
const CATCH_UP_MS = 30_000;
const CATCH_UP_POLL_MS = 50;
/** Answers are carried out one after another; a gate takes one, so more than a few at once mean no good. */
const PENDING_ANSWERS_MAX = 16;

export async function getLive(c: Ctx): Promise<Response> {
  const options = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const after = readEventsAfter(c);
  if (!after.ok) return respondProblem(c, after.problem);
  const head = await options.rt.store.load(at.value, 1);
  if (!head.ok) return respondProblem(c, head.problem);
  if (options.upgrade === null) return respondProblem(c, problem("not_supported_here", "This host has no WebSockets."));
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
    c.header("upgrade", "websocket");
    return respondProblem(c, problem("upgrade_required", "This is a WebSocket."));
  }
  const connection = { options, at: at.value, caller: c.get("caller"), request_id: c.get("request_id") };
  return options.upgrade(c, liveSession(connection, after.value));
}

/** Who sits at the socket of which thread. */
export type LiveConnection = {
  readonly options: AppOptions;
  readonly at: ThreadRef;
  readonly caller: Caller;
  readonly request_id: string;
};

export function liveSession(connection: LiveConnection, after: number): LiveSession {
  let socket: LiveSocket | null = null;
  let pending = 0;
  let queue = Promise.resolve();
  let wake = (): void => undefined;
  const close = (code: number, reason: string): void => {
    socket?.close(code, reason);
    socket = null;
    wake();
  };
  const sendFrame = (frame: object): void => socket?.send(JSON.stringify(frame));
  const handleFrame = async (text: string): Promise<void> => {
    const answer = await respondToFrame(connection, text);
    if (answer) sendFrame(answer);
    if (!revalidateCaller(connection.caller).ok) close(CLOSE_CODES.unauthorized, "the key is gone");
  };
  return {
    onOpen(opened) {
      socket = opened;
      void streamEvents(
        connection,
        after,
        () => socket,
        close,
        (ring) => {
          wake = ring;
        },
      );
    },
    onMessage(text) {
      if (text === null) return close(CLOSE_CODES.not_text, "text frames only");
      if (text.length > BODY_BYTES_MAX) return close(CLOSE_CODES.too_large, "the frame is too large");
      if (pending >= PENDING_ANSWERS_MAX) return close(CLOSE_CODES.try_later, "too many answers at once");
      pending += 1;
      queue = queue
        .then(() => handleFrame(text))
        .finally(() => {
          pending -= 1;
        });
    },
    onClose() {
      socket = null;
      wake();
    },
  };
}

async function streamEvents(
  { options, at, caller, request_id }: LiveConnection,
  after: number,
  socket: () => LiveSocket | null,
  close: (code: number, reason: string) => void,
  onClose: (ring: () => void) => void,
): Promise<void> {
  const { clock } = options.rt;
  const waitForReader = async (): Promise<boolean> => {
    for (const until = clock.now() + CATCH_UP_MS; (socket()?.bufferedBytes() ?? 0) > BUFFERED_MAX; ) {
      if (clock.now() >= until) return false;
      await clock.sleep(CATCH_UP_POLL_MS);
    }
    return true;
  };
  try {
    await tailThread(options, at, after, {
      send: async (event) => {
        if (await waitForReader()) socket()?.send(JSON.stringify(event));
        else close(CLOSE_CODES.try_later, "the reader is too slow");
      },
      keepAlive: async () => socket()?.ping(),
      isClosed: () => socket() === null || !revalidateCaller(caller).ok,
      onClose,
    });
    if (!revalidateCaller(caller).ok) close(CLOSE_CODES.unauthorized, "the key is gone");
    else close(CLOSE_CODES.going_away, options.stopping.aborted ? "the server stops" : "the thread is gone");
  } catch (error) {
    options.log.error({ msg: "bug", request_id, error: error instanceof Error ? error.stack : String(error) });
    close(CLOSE_CODES.going_away, "internal");
  }
}

/** The frame that answers a frame: `response`, `problem` or `pong`. */
export async function respondToFrame(connection: LiveConnection, text: string): Promise<object | null> {
  const frame = readFrame(text);
  if (!frame.ok) return problemFrame(connection, readRequestId(text), frame.problem);
  if (frame.value.type === "ping") return { type: "pong" };
  try {
    const answered = await advanceWithFrame(connection, frame.value);
    const { requestId } = frame.value;
    return answered.ok
      ? { type: "response", requestId, response: answered.value }
      : problemFrame(connection, requestId, answered.problem);
  } catch (error) {
    const { options, request_id } = connection;
    options.log.error({ msg: "bug", request_id, error: error instanceof Error ? error.stack : String(error) });
    return problemFrame(
      connection,
      frame.value.requestId,
      problem("internal", "Something went wrong that is not your fault."),
    );
  }
}

const problemFrame = ({ request_id }: LiveConnection, requestId: string | null, failure: Problem) => ({
  type: "problem",
  requestId,
  problem: problemBody(failure, request_id),
});

/** The same way in as POST …/turns: the key as it is now, the rate, the scopes, then the turn. */
async function advanceWithFrame({ options, at, caller }: LiveConnection, frame: AnswerFrame): Promise<Result<object>> {
  const { rt } = options;
  const input = toTurnInput(frame);
  const allowed = authorizeAnswer(options, caller, input);
  if (!allowed.ok) return allowed;
  if (options.stopping.aborted) return fail("stopping", "The server stops.", { retry_after_s: 1 });
  const advanced = await advance(rt, {
    ...createTurnRequest(options, allowed.value, at, { input }),
    options: { channel: "live" },
    last_turn: true,
  });
  if (!advanced.ok) return { ok: false, problem: await hydrateProblem(rt, at, advanced.problem) };
  const hydrated = await hydrateOutcome(rt, at.tenant, advanced.value.outcome);
  if (!hydrated.ok) return hydrated;
  const outcome = hydrated.value;
  if (outcome.kind !== "failed") return ok(outcomeBody(outcome));
  const { problem: stored } = outcome;
  return { ok: false, problem: { ...stored, details: { ...stored.details, ...outcomeBody(outcome) } } };
}

function authorizeAnswer(options: AppOptions, caller: Caller, input: ReturnType<typeof toTurnInput>): Result<Caller> {
  const current = revalidateCaller(caller);
  if (!current.ok) return current;
  const rateCheck = checkRate(options, current.value);
  if (!rateCheck.ok) return rateCheck;
  const allowed = requireScope(current.value, "advance");
  return allowed.ok ? checkInput(allowed.value, input) : allowed;
}
