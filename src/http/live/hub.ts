// Delivers live events to listeners within one process and wakes readers of the log. For each running turn, it keeps
// the events that a listener which subscribes in the middle of the turn would otherwise have missed.
import type { EphemeralEvent, LiveEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";

export type Listener = (event: LiveEvent) => void;
export type Hub = {
  readonly publish: (at: ThreadRef, event: LiveEvent) => void;
  /** Returns a function that unsubscribes. */
  readonly subscribe: (at: ThreadRef, listener: Listener) => () => void;
};

const threadKey = (at: ThreadRef): string => `${at.tenant}/${at.thread}`;

/** A listener that joins any older turn gets only the rest of its text. */
const RUNNING_TURNS_MAX = 1000;

export function createHub(): Hub {
  const listenersByThread = new Map<string, Set<Listener>>();
  const runningTurns = new Map<string, readonly EphemeralEvent[]>();
  const remember = (name: string, event: LiveEvent): void => {
    const known = runningTurns.get(name) ?? NO_EVENTS;
    const events = eventsOfTurn(known, event);
    if (events === known) return;
    // The old entry of the thread is deleted first, so that the turn becomes the newest entry.
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
  };
}

const NO_EVENTS: readonly EphemeralEvent[] = [];

/** What a new listener needs to follow a running turn: its start, its text so far merged into one event, and the running tool. */
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
      return NO_EVENTS;
    default:
      return known;
  }
}
