// Limits the work of a search. Checks the clock and yields to the event loop between lines and files.
import type { SearchStop } from "../../ports/operations.ts";

export type SearchLimits = {
  /** The maximum number of files in a search by name, and in a search of their contents. */
  readonly find_files: number;
  readonly grep_files: number;
  readonly bytes: number;
  /** The limit per file. The rest of a larger file is not searched. */
  readonly file_bytes: number;
  readonly ms: number;
};

export const SEARCH_LIMITS: SearchLimits = {
  find_files: 200_000,
  grep_files: 50_000,
  bytes: 268_435_456,
  file_bytes: 8_388_608,
  ms: 2_000,
};

const YIELD_INTERVAL_MS = 20;

export type SearchBudget = {
  stopped(): SearchStop | null;
  stop(reason: SearchStop): void;
  /** True if the search was stopped or aborted, or has exceeded its deadline. */
  isExhausted(): boolean;
  yieldIfDue(): Promise<void>;
};

export function createSearchBudget(ms: number, signal: AbortSignal | undefined): SearchBudget {
  const end = performance.now() + ms;
  let reason: SearchStop | null = null;
  let lastYield = performance.now();
  return {
    stopped: () => reason,
    stop(stopReason) {
      reason ??= stopReason;
    },
    isExhausted() {
      if (reason === null && signal?.aborted) reason = "aborted";
      if (reason === null && performance.now() > end) reason = "time";
      return reason !== null;
    },
    async yieldIfDue() {
      if (performance.now() - lastYield < YIELD_INTERVAL_MS) return;
      await new Promise((resolve) => setTimeout(resolve, 0));
      lastYield = performance.now();
    },
  };
}
