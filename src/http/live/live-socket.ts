// Defines the socket that a host provides and the session that the app runs on it. Only text frames are supported.
export type LiveSocket = {
  readonly send: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
  /** Returns the number of bytes that were passed to `send` but not yet read by the peer. */
  readonly bufferedBytes: () => number;
  /** Sends a ping. The host closes the socket if the peer does not respond. */
  readonly ping: () => void;
};

export type LiveSession = {
  readonly onOpen: (socket: LiveSocket) => void;
  /** `text` is null if the frame was binary. */
  readonly onMessage: (text: string | null) => void;
  readonly onClose: () => void;
};

/** Close codes of RFC 6455, section 7.4.1. Codes from 4000 are private. */
export const CLOSE_CODES = {
  going_away: 1001,
  not_text: 1003,
  too_large: 1009,
  try_later: 1013,
  unauthorized: 4401,
} as const;
