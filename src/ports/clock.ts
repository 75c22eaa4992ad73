// The only source of time, so that a test or a simulation can control it.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or immediately when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const isoTime = (ms: number): string => new Date(ms).toISOString();
