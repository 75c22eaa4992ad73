// Live events within one process: delivers them to listeners and wakes readers of the log. Stores nothing.
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";

export type Listener = (event: LiveEvent) => void;
export type Hub = {
  readonly publish: (at: ThreadRef, event: LiveEvent) => void;
  /** Returns a function that unsubscribes. */
  readonly subscribe: (at: ThreadRef, listener: Listener) => () => void;
  readonly listenerCount: () => number;
};

const threadKey = (at: ThreadRef): string => `${at.tenant}/${at.thread}`;

export function createHub(): Hub {
  const listenersByThread = new Map<string, Set<Listener>>();
  return {
    publish(at, event) {
      for (const listener of listenersByThread.get(threadKey(at)) ?? []) listener(event);
    },
    subscribe(at, listener) {
      const name = threadKey(at);
      const threadListeners = listenersByThread.get(name) ?? new Set();
      listenersByThread.set(name, threadListeners.add(listener));
      return () => {
        threadListeners.delete(listener);
        if (threadListeners.size === 0) listenersByThread.delete(name);
      };
    },
    listenerCount: () => [...listenersByThread.values()].reduce((sum, room) => sum + room.size, 0),
  };
}
