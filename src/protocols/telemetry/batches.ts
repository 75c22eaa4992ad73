// Reports ended turns in batches. When a turn ends, the code of the counters and of the SDK is no longer in the
// processor's caches, so reporting it alone takes as long as reporting several in a row. The program must call `flush`
// before it ends; otherwise the waiting turns are lost.
import type { ObservedModelCall, ObservedTurn, TurnMetrics } from "../../turn/runtime.ts";

/**
 * The maximum number of turns in a batch. Larger batches hardly save more time per turn, and more of their memory
 * survives a garbage collection.
 */
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

/** Drops the prompt and the reply of a model call. Prompts would use most of the memory of a waiting turn. */
const withoutContent = (call: ObservedModelCall): ObservedModelCall => ({ ...call, messages: [], text: null });
