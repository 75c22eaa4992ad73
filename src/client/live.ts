// Reads the WebSocket of a thread as an iterator of frames, and sends the two kinds of answers to gates on it. The
// iterator ends when the socket closes.
import type { LiveEvent } from "../schema/event.ts";
import type { NextAction, ThreadView, TurnView } from "../schema/turn-result.ts";

export type ClientFrame =
  | { readonly type: "clarify_response"; readonly requestId: string; readonly answer: string }
  | {
      readonly type: "tool_confirmation_response";
      readonly requestId: string;
      readonly digest: string;
      readonly decision: "approve" | "reject";
      readonly edited_arguments?: Record<string, unknown>;
      readonly reason?: string;
    }
  | { readonly type: "ping" };

export type ServerFrame =
  | LiveEvent
  | {
      readonly type: "response";
      readonly requestId: string;
      readonly response: { readonly thread: ThreadView; readonly turn: TurnView | null; readonly next: NextAction };
    }
  | {
      readonly type: "problem";
      readonly requestId: string | null;
      readonly problem: { readonly code: string; readonly status: number; readonly message: string };
    }
  | { readonly type: "pong" };

export type LiveClient = {
  readonly frames: AsyncIterableIterator<ServerFrame>;
  readonly send: (frame: ClientFrame) => void;
  readonly close: () => void;
  /** Resolves with the code and reason when the socket closes. The codes 1000 and 1001 are normal. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
};

/**
 * Rejects if the server refuses the socket. Browsers do not reveal the reason; request GET /v1/threads/{id} to learn
 * it.
 */
export function openLive(url: string): Promise<LiveClient> {
  const socket = new WebSocket(url);
  const waiting: ServerFrame[] = [];
  const ended = Promise.withResolvers<{ code: number; reason: string }>();
  let isClosed = false;
  let wake = (): void => undefined;
  socket.onmessage = ({ data }) => {
    waiting.push(JSON.parse(String(data)) as ServerFrame);
    wake();
  };
  socket.onclose = ({ code, reason }) => {
    isClosed = true;
    ended.resolve({ code, reason });
    wake();
  };
  async function* frames(): AsyncGenerator<ServerFrame> {
    for (;;) {
      const frame = waiting.shift();
      if (frame) yield frame;
      else if (isClosed) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error("the socket was refused"));
    socket.onopen = () =>
      resolve({
        frames: frames(),
        send: (frame) => socket.send(JSON.stringify(frame)),
        close: () => socket.close(1000),
        closed: ended.promise,
      });
  });
}
