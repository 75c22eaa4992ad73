// Live events inside one process: pushes what is said now, and wakes those who read the log. Holds nothing durable.
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadAt } from "../../schema/ids.ts";

export type Listener = (event: LiveEvent) => void;
export type Hub = {
  readonly publish: (at: ThreadAt, event: LiveEvent) => void;
  /** Gives back the way to stop listening. */
  readonly listen: (at: ThreadAt, listener: Listener) => () => void;
  readonly listeners: () => number;
};

const nameOf = (at: ThreadAt): string => `${at.tenant}/${at.thread}`;

export function createHub(): Hub {
  const rooms = new Map<string, Set<Listener>>();
  return {
    publish(at, event) {
      for (const listener of rooms.get(nameOf(at)) ?? []) listener(event);
    },
    listen(at, listener) {
      const name = nameOf(at);
      const room = rooms.get(name) ?? new Set();
      rooms.set(name, room.add(listener));
      return () => {
        room.delete(listener);
        if (room.size === 0) rooms.delete(name);
      };
    },
    listeners: () => [...rooms.values()].reduce((sum, room) => sum + room.size, 0),
  };
}
