// Observable values for views. One store per concern, so streamed text does not re-render the whole conversation.
import { useSyncExternalStore } from "hono/jsx/dom";

export type Store<T extends object> = {
  readonly get: () => T;
  readonly set: (change: Partial<T>) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      value = { ...value, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <T extends object>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);
