// Tracks the turns in flight in this process and their model calls. A turn based on version n is superseded once record n+1 is committed. The
// commit aborts such calls, so that nobody pays for a result that cannot be stored. The commit alone decides which turn wins.
import type { ThreadRef } from "../../schema/ids.ts";
import { type Failed, fail } from "../../schema/problem.ts";

export type InFlightTurns = {
  /** Watches a turn. `signal` is aborted when a record after `version` is committed or the thread is removed, with the problem as its reason. */
  readonly watch: (at: ThreadRef, version: number) => { readonly signal: AbortSignal; readonly end: () => void };
  readonly committed: (at: ThreadRef, version: number) => void;
  readonly removed: (at: ThreadRef) => void;
  /** Marks the beginning of a turn and returns a function that marks its end. */
  readonly begin: (at: ThreadRef) => () => void;
  /** Resolves when the current turn of the thread ends. Returns null if none is in flight. */
  readonly nextEnd: (at: ThreadRef) => Promise<void> | null;
};

type Turns = { count: number; readonly waiting: (() => void)[] };
type Watch = { readonly version: number; readonly stop: AbortController };

export function createInFlightTurns(): InFlightTurns {
  const watches = new Map<string, Set<Watch>>();
  const turns = new Map<string, Turns>();
  const keyOf = ({ tenant, thread }: ThreadRef): string => `${tenant}/${thread}`;
  const abortBefore = (at: ThreadRef, before: number, reason: Failed): void => {
    for (const one of watches.get(keyOf(at)) ?? []) if (one.version < before) one.stop.abort(reason);
  };
  return {
    watch(at, version) {
      const name = keyOf(at);
      const entry: Watch = { version, stop: new AbortController() };
      const all = watches.get(name) ?? new Set();
      watches.set(name, all.add(entry));
      const unwatch = (): void => {
        all.delete(entry);
        if (all.size === 0 && watches.get(name) === all) watches.delete(name);
      };
      return { signal: entry.stop.signal, end: unwatch };
    },
    committed(at, version) {
      abortBefore(at, version, fail("thread_moved", `Thread ${at.thread} is at version ${version}.`, { version }));
    },
    begin(at) {
      const name = keyOf(at);
      const running = turns.get(name) ?? { count: 0, waiting: [] };
      running.count += 1;
      turns.set(name, running);
      return () => {
        running.count -= 1;
        if (running.count === 0) turns.delete(name);
        for (const resolve of running.waiting.splice(0)) resolve();
      };
    },
    nextEnd(at) {
      const running = turns.get(keyOf(at));
      return running ? new Promise((resolve) => running.waiting.push(resolve)) : null;
    },
    removed(at) {
      abortBefore(at, Number.POSITIVE_INFINITY, fail("thread_not_found", `There is no thread ${at.thread}.`));
    },
  };
}
