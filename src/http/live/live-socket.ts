// The socket that a host brings, and the session that the app runs on it. Text frames only.

export type LiveSocket = {
  readonly send: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
  /** Bytes that were sent but not yet read by the peer. */
  readonly bufferedBytes: () => number;
  /** The host closes the socket of a peer that does not answer a ping. */
  readonly ping: () => void;
};

export type LiveSession = {
  readonly onOpen: (socket: LiveSocket) => void;
  /** null: the frame was binary. */
  readonly onMessage: (text: string | null) => void;
  readonly onClose: () => void;
};

/** RFC 6455, section 7.4.1; codes above 4000 are private. */
export const CLOSE_CODES = {
  going_away: 1001,
  not_text: 1003,
  too_large: 1009,
  try_later: 1013,
  unauthorized: 4401,
} as const;
