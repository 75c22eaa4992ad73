// How much a search may do. The clock is asked between lines and files; the event loop gets its turn in between.
import type { SearchStop } from "../../ports/operations.ts";

export type SearchLimits = {
  /** Files looked at by a search for names, and by a search in texts. */
  readonly find_files: number;
  readonly grep_files: number;
  readonly bytes: number;
  /** Of one file; what follows is not searched. */
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

const BREATH_MS = 20;

export type Bounds = {
  stopped(): SearchStop | null;
  stop(reason: SearchStop): void;
  /** True if the search must end: asked for, out of time, or aborted. */
  over(): boolean;
  breathe(): Promise<void>;
};

export function createBounds(ms: number, signal: AbortSignal | undefined): Bounds {
  const end = performance.now() + ms;
  let reason: SearchStop | null = null;
  let breathed = performance.now();
  return {
    stopped: () => reason,
    stop(because) {
      reason ??= because;
    },
    over() {
      if (reason === null && signal?.aborted) reason = "aborted";
      if (reason === null && performance.now() > end) reason = "time";
      return reason !== null;
    },
    async breathe() {
      if (performance.now() - breathed < BREATH_MS) return;
      await new Promise((resolve) => setTimeout(resolve, 0));
      breathed = performance.now();
    },
  };
}
