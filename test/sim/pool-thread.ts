// Runs the requested histories in one worker thread of the pool and reports the results.
import { parentPort } from "node:worker_threads";
import { runHistory } from "./history.ts";
import { type HistoryKind, noHistories } from "./history-kinds.ts";
import type { StoreKind } from "./stores/stores.ts";

export type Batch = {
  readonly from: number;
  readonly count: number;
  readonly kind?: HistoryKind;
  readonly store?: StoreKind;
};
export type Failure = { readonly seed: number; readonly kind: HistoryKind; readonly violations: readonly string[] };
export type BatchResult = {
  readonly histories: number;
  readonly turns: number;
  readonly faults: number;
  readonly kinds: Readonly<Record<HistoryKind, number>>;
  readonly failures: readonly Failure[];
};

async function runBatch({ from, count, store, ...ofKind }: Batch): Promise<BatchResult> {
  let turns = 0;
  let faults = 0;
  const kinds = noHistories();
  const failures: Failure[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await runHistory({ seed, ...ofKind }, { hashTrace: false, ...(store && { store }) });
    const { kind } = result;
    kinds[kind] += 1;
    turns += result.turns;
    faults += result.fired.length;
    if (result.violations.length > 0) failures.push({ seed, kind, violations: result.violations });
  }
  return { histories: count, turns, faults, kinds, failures };
}

parentPort?.on("message", (batch: Batch) => {
  void runBatch(batch).then((result) => parentPort?.postMessage(result));
});
