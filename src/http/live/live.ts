// The WebSocket of a thread: its events come out, answers to its gates go in, each the same as a POST of that input.
import type { ThreadAt } from "../../schema/ids.ts";
import { fail, ok, type Problem, problem, type Result } from "../../schema/problem.ts";
import { advance } from "../../turn/advance.ts";
import { withinRate } from "../edge/allow.ts";
import { BODY_BYTES_MAX } from "../edge/body.ts";
import { type Caller, currentCaller, requireScope } from "../edge/caller.ts";
import { eventsAfterOf } from "../edge/headers.ts";
import type { AppOptions, Ctx } from "../env.ts";
import { bodyOf, problemBody, respondProblem } from "../respond.ts";
import { threadAt } from "../routes/threads.ts";
import { checkInput, turnCall } from "../turn-call.ts";
import { wholeOutcome, wholeProblem } from "../whole-gate.ts";
import { type AnswerFrame, inputOf, readFrame, requestIdOf } from "./live-frames.ts";
import { CLOSE, type LiveSession, type LiveSocket } from "./live-socket.ts";
import { tail } from "./tail.ts";

/** A reader this far behind is waited for, and let go when it does not catch up. */
const BUFFERED_MAX = 1_048_576;
const CATCH_UP_MS = 30_000;
const CATCH_UP_LOOK_MS = 50;
/** Answers are carried out one after another; a gate takes one, so more than a few at once mean no good. */
const WAITING_MAX = 16;

export async function getLive(c: Ctx): Promise<Response> {
  const options = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const after = eventsAfterOf(c);
  if (!after.ok) return respondProblem(c, after.problem);
  const head = await options.rt.store.load(at.value, 1);
  if (!head.ok) return respondProblem(c, head.problem);
  if (options.upgrade === null) return respondProblem(c, problem("not_supported_here", "This host has no WebSockets."));
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
    c.header("upgrade", "websocket");
    return respondProblem(c, problem("upgrade_required", "This is a WebSocket."));
  }
  const seat = { options, at: at.value, caller: c.get("caller"), request_id: c.get("request_id") };
  return options.upgrade(c, liveSession(seat, after.value));
}

/** Who sits at the socket of which thread. */
export type Seat = {
  readonly options: AppOptions;
  readonly at: ThreadAt;
  readonly caller: Caller;
  readonly request_id: string;
};

export function liveSession(seat: Seat, after: number): LiveSession {
  let socket: LiveSocket | null = null;
  let waiting = 0;
  let line = Promise.resolve();
  let wake = (): void => undefined;
  const close = (code: number, reason: string): void => {
    socket?.close(code, reason);
    socket = null;
    wake();
  };
  const say = (frame: object): void => socket?.send(JSON.stringify(frame));
  const hear = async (text: string): Promise<void> => {
    const answer = await respond(seat, text);
    if (answer) say(answer);
    if (!currentCaller(seat.caller).ok) close(CLOSE.unauthorized, "the key is gone");
  };
  return {
    opened(opened) {
      socket = opened;
      void follow(
        seat,
        after,
        () => socket,
        close,
        (ring) => {
          wake = ring;
        },
      );
    },
    heard(text) {
      if (text === null) return close(CLOSE.not_text, "text frames only");
      if (text.length > BODY_BYTES_MAX) return close(CLOSE.too_large, "the frame is too large");
      if (waiting >= WAITING_MAX) return close(CLOSE.try_later, "too many answers at once");
      waiting += 1;
      line = line
        .then(() => hear(text))
        .finally(() => {
          waiting -= 1;
        });
    },
    closed() {
      socket = null;
      wake();
    },
  };
}

async function follow(
  { options, at, caller, request_id }: Seat,
  after: number,
  socket: () => LiveSocket | null,
  close: (code: number, reason: string) => void,
  onGone: (ring: () => void) => void,
): Promise<void> {
  const { clock } = options.rt;
  const caughtUp = async (): Promise<boolean> => {
    for (const until = clock.now() + CATCH_UP_MS; (socket()?.buffered() ?? 0) > BUFFERED_MAX; ) {
      if (clock.now() >= until) return false;
      await clock.sleep(CATCH_UP_LOOK_MS);
    }
    return true;
  };
  try {
    await tail(options, at, after, {
      send: async (event) => {
        if (await caughtUp()) socket()?.send(JSON.stringify(event));
        else close(CLOSE.try_later, "the reader is too slow");
      },
      idle: async () => socket()?.ping(),
      gone: () => socket() === null || !currentCaller(caller).ok,
      onGone,
    });
    if (!currentCaller(caller).ok) close(CLOSE.unauthorized, "the key is gone");
    else close(CLOSE.going_away, options.stopping.aborted ? "the server stops" : "the thread is gone");
  } catch (error) {
    options.log.error({ msg: "bug", request_id, error: error instanceof Error ? error.stack : String(error) });
    close(CLOSE.going_away, "internal");
  }
}

/** The frame that answers a frame: `response`, `problem` or `pong`. */
export async function respond(seat: Seat, text: string): Promise<object | null> {
  const frame = readFrame(text);
  if (!frame.ok) return problemFrame(seat, requestIdOf(text), frame.problem);
  if (frame.value.type === "ping") return { type: "pong" };
  try {
    const answered = await answer(seat, frame.value);
    const { requestId } = frame.value;
    return answered.ok
      ? { type: "response", requestId, response: answered.value }
      : problemFrame(seat, requestId, answered.problem);
  } catch (error) {
    const { options, request_id } = seat;
    options.log.error({ msg: "bug", request_id, error: error instanceof Error ? error.stack : String(error) });
    return problemFrame(
      seat,
      frame.value.requestId,
      problem("internal", "Something went wrong that is not your fault."),
    );
  }
}

const problemFrame = ({ request_id }: Seat, requestId: string | null, told: Problem) => ({
  type: "problem",
  requestId,
  problem: problemBody(told, request_id),
});

/** The same way in as POST …/turns: the key as it is now, the rate, the scopes, then the turn. */
async function answer({ options, at, caller }: Seat, frame: AnswerFrame): Promise<Result<object>> {
  const { rt } = options;
  const input = inputOf(frame);
  const allowed = mayAnswer(options, caller, input);
  if (!allowed.ok) return allowed;
  if (options.stopping.aborted) return fail("stopping", "The server stops.", { retry_after_s: 1 });
  const advanced = await advance(rt, {
    ...turnCall(options, allowed.value, at, { input }),
    options: { channel: "live" },
    last_turn: true,
  });
  if (!advanced.ok) return { ok: false, problem: await wholeProblem(rt, at, advanced.problem) };
  const whole = await wholeOutcome(rt, at.tenant, advanced.value.outcome);
  if (!whole.ok) return whole;
  const outcome = whole.value;
  if (outcome.kind !== "failed") return ok(bodyOf(outcome));
  const { problem: stored } = outcome;
  return { ok: false, problem: { ...stored, details: { ...stored.details, ...bodyOf(outcome) } } };
}

function mayAnswer(options: AppOptions, caller: Caller, input: ReturnType<typeof inputOf>): Result<Caller> {
  const current = currentCaller(caller);
  if (!current.ok) return current;
  const bearable = withinRate(options, current.value);
  if (!bearable.ok) return bearable;
  const allowed = requireScope(current.value, "advance");
  return allowed.ok ? checkInput(allowed.value, input) : allowed;
}
