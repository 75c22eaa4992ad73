// Serves the WebSocket of a thread, which sends events and receives answers to gates.
import { fail, problem } from "../../schema/problem.ts";
import { BODY_BYTES_MAX } from "../edge/body.ts";
import { revalidateCaller } from "../edge/caller.ts";
import { readEventsAfter } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { logBug } from "../log-bug.ts";
import { respondProblem } from "../respond.ts";
import type { Answer, ReadThread } from "../route.ts";
import { type LiveConnection, respondToFrame } from "./answer-frame.ts";
import { type Dialect, eventFrames, readDialect } from "./legacy-dialect.ts";
import { CLOSE_CODES, type LiveSession, type LiveSocket } from "./live-socket.ts";
import { tailThread } from "./tail.ts";

/** A reader with more unread bytes than this gets CATCH_UP_MS to catch up before its socket is closed. */
const BUFFERED_MAX = 1_048_576;
const CATCH_UP_MS = 30_000;
const CATCH_UP_POLL_MS = 50;
/** Received frames wait to be processed one after another. Each gate takes one answer, so more frames than this are misuse. */
const PENDING_ANSWERS_MAX = 16;

export async function getLive(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const options = c.get("options");
  const after = readEventsAfter(c);
  if (!after.ok) return after;
  const dialect = readDialect(c.req.query("dialect"));
  if (!dialect.ok) return dialect;
  const head = await options.rt.store.load(at, 1);
  if (!head.ok) return head;
  if (options.upgrade === null) return fail("not_supported_here", "This host has no WebSockets.");
  if (c.get("headers").upgrade?.toLowerCase() !== "websocket")
    return respondProblem(c, problem("upgrade_required", "This path is a WebSocket."), { upgrade: "websocket" });
  const connection = { options, at, caller: c.get("caller"), request_id: c.get("request_id") };
  c.set("is_complete", true);
  return options.upgrade(c, liveSession(connection, { after: after.value, dialect: dialect.value }));
}

type EventOptions = { readonly after: number; readonly dialect: Dialect };

function liveSession(connection: LiveConnection, events: EventOptions): LiveSession {
  let socket: LiveSocket | null = null;
  let pending = 0;
  let queue = Promise.resolve();
  let wake = (): void => undefined;
  const close = (code: number, reason: string): void => {
    socket?.close(code, reason);
    socket = null;
    wake();
  };
  const handleFrame = async (text: string): Promise<void> => {
    const frame = await respondToFrame(connection, text);
    socket?.send(JSON.stringify(frame));
    if (!revalidateCaller(connection.caller).ok) close(CLOSE_CODES.unauthorized, "the key was revoked");
  };
  return {
    onOpen(opened) {
      socket = opened;
      const onClose = (notify: () => void): void => {
        wake = notify;
      };
      void streamEvents(connection, events, { current: () => socket, close, onClose });
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

type SocketControl = {
  /** Returns the socket, or null once it is closed. */
  readonly current: () => LiveSocket | null;
  readonly close: (code: number, reason: string) => void;
  readonly onClose: (notify: () => void) => void;
};

async function streamEvents(
  { options, at, caller, request_id }: LiveConnection,
  { after, dialect }: EventOptions,
  { current, close, onClose }: SocketControl,
): Promise<void> {
  const { clock } = options.rt;
  const waitForReader = async (): Promise<boolean> => {
    for (const until = clock.now() + CATCH_UP_MS; (current()?.bufferedBytes() ?? 0) > BUFFERED_MAX; ) {
      if (clock.now() >= until) return false;
      await clock.sleep(CATCH_UP_POLL_MS);
    }
    return true;
  };
  try {
    await tailThread(options, at, after, {
      send: async (event) => {
        if (!(await waitForReader())) return close(CLOSE_CODES.try_later, "the reader is too slow");
        for (const frame of eventFrames(event, dialect)) current()?.send(frame);
      },
      keepAlive: async () => current()?.ping(),
      isClosed: () => current() === null || !revalidateCaller(caller).ok,
      onClose,
    });
    if (!revalidateCaller(caller).ok) close(CLOSE_CODES.unauthorized, "the key was revoked");
    else close(CLOSE_CODES.going_away, options.stopping.aborted ? "the server shuts down" : "the thread was deleted");
  } catch (error) {
    logBug(options, request_id, error);
    close(CLOSE_CODES.going_away, "internal");
  }
}
