// Watches one try: the caller, the deadline or silence on the line stops it. Knows nothing of HTTP.
import type { Clock } from "../../ports/clock.ts";

export type StopCause = "abort" | "deadline" | "silence";

export type Watch = {
  readonly controller: AbortController;
  cause(): StopCause | null;
  /** Something came over the line: silence is counted from here again. */
  heard(): void;
  /** The reply is complete; only its usage may follow, and not for long. */
  settle(): void;
  end(): void;
};

const SETTLE_MS = 2_000;

export type WatchOptions = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly idle_ms: number;
};

export function startWatch({ clock, signal, deadline, idle_ms }: WatchOptions): Watch {
  const controller = new AbortController();
  const over = new AbortController();
  let cause: StopCause | null = null;
  let last = clock.now();

  const stop = (why: StopCause): void => {
    if (over.signal.aborted || cause !== null) return;
    cause = why;
    controller.abort();
  };
  const abort = (): void => stop("abort");
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });

  async function count(): Promise<void> {
    while (!over.signal.aborted && cause === null) {
      const now = clock.now();
      if (now >= deadline) return stop("deadline");
      if (now - last >= idle_ms) return stop("silence");
      await clock.sleep(Math.min(deadline - now, idle_ms - (now - last)), over.signal);
    }
  }
  void count();

  return {
    controller,
    cause: () => cause,
    heard: () => {
      last = clock.now();
    },
    settle: () => {
      void clock.sleep(SETTLE_MS, over.signal).then(() => stop("silence"));
    },
    end: () => {
      signal.removeEventListener("abort", abort);
      over.abort();
    },
  };
}
