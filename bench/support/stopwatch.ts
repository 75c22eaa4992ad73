// Measures the time that the metrics of a runtime take, turn by turn.
import type { TurnMetrics } from "../../src/turn/runtime.ts";

export type Stopwatch = { readonly metrics: TurnMetrics; readonly takeMs: () => number };

/** `takeMs` returns the time since it was called last. It includes the time of the stopwatch itself. */
export function withStopwatch(metrics: TurnMetrics): Stopwatch {
  let spent_ms = 0;
  const timed = <T>(work: () => T): T => {
    const started = performance.now();
    const made = work();
    spent_ms += performance.now() - started;
    return made;
  };
  const { trace } = metrics;
  return {
    metrics: {
      ...metrics,
      trace: (parent, started) => timed(() => trace?.(parent, started)) ?? NO_TRACE,
      observe: (turn) => timed(() => metrics.observe(turn)),
    },
    takeMs() {
      const taken = spent_ms;
      spent_ms = 0;
      return taken;
    },
  };
}

const NO_TRACE = { headersOf: () => ({}) };
