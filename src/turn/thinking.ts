// Model calls in flight in this process. A turn that thinks about version n has lost once record n+1 stands: whoever commits
// it here ends those calls, and nobody pays for words that cannot be stored. Who wins is settled by the commit alone.
import type { ThreadAt } from "../schema/ids.ts";

export type Thinking = {
  /** `signal` is aborted, with the version as its reason, when a record after `version` was committed. */
  readonly watch: (at: ThreadAt, version: number) => { readonly signal: AbortSignal; readonly end: () => void };
  readonly committed: (at: ThreadAt, version: number) => void;
};

type Watch = { readonly version: number; readonly stop: AbortController };

export function createThinking(): Thinking {
  const watches = new Map<string, Set<Watch>>();
  const nameOf = ({ tenant, thread }: ThreadAt): string => `${tenant}/${thread}`;
  return {
    watch(at, version) {
      const name = nameOf(at);
      const mine: Watch = { version, stop: new AbortController() };
      const all = watches.get(name) ?? new Set();
      watches.set(name, all.add(mine));
      const end = (): void => {
        all.delete(mine);
        if (all.size === 0 && watches.get(name) === all) watches.delete(name);
      };
      return { signal: mine.stop.signal, end };
    },
    committed(at, version) {
      for (const one of watches.get(nameOf(at)) ?? []) if (one.version < version) one.stop.abort(version);
    },
  };
}

/** Thinks with a signal that says when it is in vain. */
export async function whileUnmoved<T>(
  thinking: Thinking | undefined,
  at: ThreadAt,
  version: number,
  think: (outrun: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const watch = thinking?.watch(at, version);
  try {
    return await think(watch?.signal);
  } finally {
    watch?.end();
  }
}
