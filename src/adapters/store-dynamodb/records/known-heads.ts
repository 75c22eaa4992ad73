// Caches, for each thread, the generation, version and commit of the newest record that this process has seen. They
// prove, without another read, that an append leaves no gap and follows the record that its caller read.
import type { Clock } from "../../../ports/clock.ts";
import type { ThreadRef } from "../../../schema/ids.ts";
import { threadPk } from "../keys.ts";

/** A proof that a record with this version and commit existed in this generation of the thread. */
export type KnownHead = { readonly generation: number; readonly version: number; readonly commit: string };

export type KnownHeads = {
  readonly get: (at: ThreadRef) => KnownHead | null;
  readonly set: (at: ThreadRef, seen: KnownHead) => void;
  readonly forget: (at: ThreadRef) => void;
};

const THREADS_MAX = 10_000;
/** A removal does not invalidate the proof, because for days its tombstones occupy the positions that an append could use. */
export const KNOWN_HEAD_MS = 15 * 60_000;

export function createKnownHeads(clock: Clock, elapsed = () => performance.now()): KnownHeads {
  const heads = new Map<string, KnownHead & { readonly wallMs: number; readonly elapsedMs: number }>();
  const isFresh = (ms: number): boolean => ms >= 0 && ms < KNOWN_HEAD_MS;
  return {
    get(at) {
      const seen = heads.get(threadPk(at));
      // Checks both clocks, because wall time may be set back and monotonic time stops while a function is frozen.
      return seen && isFresh(clock.now() - seen.wallMs) && isFresh(elapsed() - seen.elapsedMs) ? seen : null;
    },
    set(at, { generation, version, commit }) {
      const pk = threadPk(at);
      heads.delete(pk);
      heads.set(pk, { generation, version, commit, wallMs: clock.now(), elapsedMs: elapsed() });
      const oldest = heads.keys().next().value;
      if (heads.size > THREADS_MAX && oldest !== undefined) heads.delete(oldest);
    },
    forget: (at) => void heads.delete(threadPk(at)),
  };
}
