// Live events inside one process: pushes what is said now, and wakes those who read the log. Holds nothing durable.
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";

export type Listener = (event: LiveEvent) => void;
export type Hub = {
  readonly publish: (at: ThreadRef, event: LiveEvent) => void;
  /** Gives back the way to stop listening. */
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
