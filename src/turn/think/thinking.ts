// Model calls in flight in this process. A turn that thinks about version n has lost once record n+1 stands: whoever commits
// it here ends those calls, and nobody pays for words that cannot be stored. Who wins is settled by the commit alone.
import type { ThreadAt } from "../../schema/ids.ts";
import { type Failed, fail } from "../../schema/problem.ts";

export type Thinking = {
  /** `signal` is aborted, with the problem as its reason, when a record after `version` stands or the thread is gone. */
  readonly watch: (at: ThreadAt, version: number) => { readonly signal: AbortSignal; readonly end: () => void };
  readonly committed: (at: ThreadAt, version: number) => void;
  readonly removed: (at: ThreadAt) => void;
};

type Watch = { readonly version: number; readonly stop: AbortController };

export function createThinking(): Thinking {
  const watches = new Map<string, Set<Watch>>();
  const nameOf = ({ tenant, thread }: ThreadAt): string => `${tenant}/${thread}`;
  const end = (at: ThreadAt, before: number, why: Failed): void => {
    for (const one of watches.get(nameOf(at)) ?? []) if (one.version < before) one.stop.abort(why);
  };
  return {
    watch(at, version) {
      const name = nameOf(at);
      const mine: Watch = { version, stop: new AbortController() };
      const all = watches.get(name) ?? new Set();
      watches.set(name, all.add(mine));
      const leave = (): void => {
        all.delete(mine);
        if (all.size === 0 && watches.get(name) === all) watches.delete(name);
      };
      return { signal: mine.stop.signal, end: leave };
    },
    committed(at, version) {
      end(at, version, fail("thread_moved", `Thread ${at.thread} is at version ${version}.`, { version }));
    },
    removed(at) {
      end(at, Number.POSITIVE_INFINITY, fail("thread_not_found", `There is no thread ${at.thread}.`));
    },
  };
}
