// One thread of the pool: runs the histories it is told and says what it found.
import { parentPort } from "node:worker_threads";
import { runHistory } from "./history.ts";

export type Batch = { readonly from: number; readonly count: number };
export type BatchResult = {
  readonly histories: number;
  readonly turns: number;
  readonly faults: number;
  readonly failures: readonly { readonly seed: number; readonly violations: readonly string[] }[];
};

async function runBatch({ from, count }: Batch): Promise<BatchResult> {
  let turns = 0;
  let faults = 0;
  const failures: { seed: number; violations: readonly string[] }[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await runHistory({ seed });
    turns += result.turns;
    faults += result.fired.length;
    if (result.violations.length > 0) failures.push({ seed, violations: result.violations });
  }
  return { histories: count, turns, faults, failures };
}

parentPort?.on("message", (batch: Batch) => {
  void runBatch(batch).then((result) => parentPort?.postMessage(result));
});
