// The only source of time, so that a test or a simulation can control it.
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or immediately when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Works like `sleep` with a signal, at a lower cost. If it is absent, `startTimer` uses `sleep`. */
  startTimer?(ms: number): Timer;
}

export type Timer = {
  /** Resolves to false when the time is up, or to true as soon as it is cancelled. */
  readonly cancelled: Promise<boolean>;
  readonly cancel: () => void;
};

export function startTimer(clock: Clock, ms: number): Timer {
  if (clock.startTimer) return clock.startTimer(ms);
  const stop = new AbortController();
  const cancelled = clock.sleep(ms, stop.signal).then(() => stop.signal.aborted);
  // The explicit reason keeps abort() from creating an error with a stack that nobody reads.
  return { cancelled, cancel: () => stop.abort(null) };
}

let latest = { ms: Number.NaN, text: "" };

/** Keeps the last result, because a turn formats the same millisecond several times and formatting is slow. */
export function isoTime(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new Date(ms).toISOString() };
  return latest.text;
}
