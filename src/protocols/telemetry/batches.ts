// Reports ended turns together. When a turn ends, the code of the counters and of the SDK is not in the caches of the processor, so one
// report then takes as long as several in a row. For programs that call `flush` before they end: what waits is lost without it.
import type { ObservedModelCall, ObservedTurn, TurnMetrics } from "../../turn/runtime.ts";

/** With more turns at once each is hardly cheaper, and more of their memory survives a garbage collection. */
export const TURNS_MAX = 32;

export function reportInBatches(metrics: TurnMetrics, later: (flush: () => void) => void): TurnMetrics {
  let ended: ObservedTurn[] = [];
  let scheduled = false;
  const flush = (): void => {
    const turns = ended;
    ended = [];
    for (const turn of turns) metrics.observe(turn);
  };
  const flushScheduled = (): void => {
    scheduled = false;
    flush();
  };
  return {
    ...metrics,
    observe(turn) {
      ended.push({ ...turn, model_calls: turn.model_calls.map(withoutContent) });
      if (ended.length >= TURNS_MAX) flush();
      else if (!scheduled) {
        scheduled = true;
        later(flushScheduled);
      }
    },
    text() {
      flush();
      return metrics.text();
    },
    flush,
  };
}

/** Prompts are most of the memory of a turn. */
const withoutContent = (call: ObservedModelCall): ObservedModelCall => ({ ...call, messages: [], text: null });
