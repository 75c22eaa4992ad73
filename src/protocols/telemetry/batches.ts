// Reports ended turns in batches. When a turn ends, the code of the counters and of the SDK is no longer in the
// processor's caches, so reporting it alone takes as long as reporting several in a row. The program must call `flush`
// before it ends; otherwise the waiting turns are lost.
import type { TurnMetrics } from "../../turn/runtime.ts";
import { type FactMetrics, factsOf, type TurnFacts } from "./turn-facts.ts";

/** The number of turns that make a batch full. A batch of this size blocks the process for about a millisecond. */
export const TURNS_MAX = 128;

/** `soon`: the batch is full, so it is reported as soon as the answers that are ready have been sent. */
export type ScheduleReport = (flush: () => void, when: "soon" | "later") => void;

export function reportInBatches(
  { trace, report, text }: Pick<FactMetrics, "trace" | "report" | "text">,
  schedule: ScheduleReport,
): TurnMetrics {
  let ended: TurnFacts[] = [];
  let scheduled = false;
  const flush = (): void => {
    const batch = ended;
    ended = [];
    if (batch.length > 0) report(batch);
  };
  const flushScheduled = (): void => {
    scheduled = false;
    flush();
  };
  return {
    ...(trace && { trace }),
    observe(turn) {
      ended.push(factsOf(turn));
      if (ended.length === TURNS_MAX) schedule(flush, "soon");
      if (scheduled) return;
      scheduled = true;
      schedule(flushScheduled, "later");
    },
    text() {
      flush();
      return text();
    },
    flush,
  };
}
