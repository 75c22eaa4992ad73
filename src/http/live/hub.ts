// Live events within one process: delivers them to listeners and wakes readers of the log. Keeps only the text of running
// turns, so that a listener who arrives in the middle of a sentence gets all of it.
import type { EphemeralEvent, LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";

export type Listener = (event: LiveEvent) => void;
export type Hub = {
  readonly publish: (at: ThreadRef, event: LiveEvent) => void;
  /** Returns a function that unsubscribes. */
  readonly subscribe: (at: ThreadRef, listener: Listener) => () => void;
  readonly listenerCount: () => number;
};

const threadKey = (at: ThreadRef): string => `${at.tenant}/${at.thread}`;

/** The oldest running turns are forgotten beyond this number: their listeners get the rest of the sentence only. */
const RUNNING_TURNS_MAX = 1000;

export function createHub(): Hub {
  const listenersByThread = new Map<string, Set<Listener>>();
  const runningTurns = new Map<string, readonly EphemeralEvent[]>();
  const remember = (name: string, event: LiveEvent): void => {
    const events = eventsOfTurn(runningTurns.get(name) ?? [], event);
    // Deleting the entry first makes a turn that starts the newest; later events do not change its place.
    if (event.type === "turn.started" || events.length === 0) runningTurns.delete(name);
    if (events.length > 0) runningTurns.set(name, events);
    const oldest = runningTurns.size > RUNNING_TURNS_MAX ? runningTurns.keys().next().value : undefined;
    if (oldest !== undefined) runningTurns.delete(oldest);
  };
  return {
    publish(at, event) {
      const name = threadKey(at);
      remember(name, event);
      for (const listener of listenersByThread.get(name) ?? []) listener(event);
    },
    subscribe(at, listener) {
      const name = threadKey(at);
      const threadListeners = listenersByThread.get(name) ?? new Set();
      listenersByThread.set(name, threadListeners.add(listener));
      for (const event of runningTurns.get(name) ?? []) listener(event);
      return () => {
        threadListeners.delete(listener);
        if (threadListeners.size === 0) listenersByThread.delete(name);
      };
    },
    listenerCount: () => [...listenersByThread.values()].reduce((sum, room) => sum + room.size, 0),
  };
}

/** The events that a new listener needs of the running turn: its start, its text in one piece, and the running tool. */
function eventsOfTurn(known: readonly EphemeralEvent[], event: LiveEvent): readonly EphemeralEvent[] {
  switch (event.type) {
    case "turn.started":
      return [event];
    case "speak.delta": {
      const text = known.find((one) => one.type === "speak.delta");
      if (text?.type !== "speak.delta") return [...known, event];
      return known.map((one) => (one === text ? { ...event, text: text.text + event.text } : one));
    }
    case "speak.discarded":
      return known.filter((one) => one.type !== "speak.delta");
    case "tool.started":
      return [...known.filter((one) => one.type !== "tool.started"), event];
    case "tool.progress":
      return known;
    case "tool.completed":
      return known.filter((one) => one.type !== "tool.started");
    case "turn.committed":
    case "thread.failed":
      return [];
    default:
      return known;
  }
}
