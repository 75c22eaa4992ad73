// Stops one attempt when the caller aborts, the deadline passes or the connection is idle. It does not depend on HTTP.
import type { Clock } from "../../ports/clock.ts";

export type StopCause = "abort" | "deadline" | "silence";

export type AttemptTimer = {
  readonly controller: AbortController;
  cause(): StopCause | null;
  /** Restarts the idle timer when data arrives. */
  recordActivity(): void;
  /** Waits a short time for the usage after the reply is complete. */
  awaitUsage(): void;
  dispose(): void;
};

const USAGE_WAIT_MS = 2_000;

export type AttemptTimerOptions = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly idle_ms: number;
};

export function startAttemptTimer({ clock, signal, deadline, idle_ms }: AttemptTimerOptions): AttemptTimer {
  const controller = new AbortController();
  const disposed = new AbortController();
  let cause: StopCause | null = null;
  let lastActivity = clock.now();

  const stop = (why: StopCause): void => {
    if (disposed.signal.aborted || cause !== null) return;
    cause = why;
    controller.abort();
  };
  const abort = (): void => stop("abort");
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });

  async function watchLimits(): Promise<void> {
    while (!disposed.signal.aborted && cause === null) {
      const now = clock.now();
      if (now >= deadline) return stop("deadline");
      if (now - lastActivity >= idle_ms) return stop("silence");
      await clock.sleep(Math.min(deadline - now, idle_ms - (now - lastActivity)), disposed.signal);
    }
  }
  void watchLimits();

  return {
    controller,
    cause: () => cause,
    recordActivity: () => {
      lastActivity = clock.now();
    },
    awaitUsage: () => {
      void clock.sleep(USAGE_WAIT_MS, disposed.signal).then(() => stop("silence"));
    },
    dispose: () => {
      signal.removeEventListener("abort", abort);
      disposed.abort();
    },
  };
}
