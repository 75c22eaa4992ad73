// Time comes in here and nowhere else, so that a test or a simulation can own it.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after that time, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const isoTime = (ms: number): string => new Date(ms).toISOString();
