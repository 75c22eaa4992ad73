// What a host brings so that a request can become a WebSocket. Text frames only; pings where the host can send them.
import type { Ctx } from "../env.ts";

export type LiveSocket = {
  readonly send: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
  /** Bytes that are sent but not yet taken by the reader. */
  readonly bufferedBytes: () => number;
  /** Asks whether the reader is there; the host closes the socket of one that does not answer. */
  readonly ping: () => void;
};

export type LiveSession = {
  readonly onOpen: (socket: LiveSocket) => void;
  /** null: not text. */
  readonly onMessage: (text: string | null) => void;
  readonly onClose: () => void;
};

export type Upgrade = (c: Ctx, session: LiveSession) => Response | Promise<Response>;

/** Of RFC 6455, section 7.4.1; those above 4000 are ours. */
export const CLOSE_CODES = {
  going_away: 1001,
  not_text: 1003,
  too_large: 1009,
  try_later: 1013,
  unauthorized: 4401,
} as const;
