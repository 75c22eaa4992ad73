// Observable values, one store per concern, so that streamed text does not render the whole conversation again.
import { useLayoutEffect, useState } from "hono/jsx/dom";

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

export function useStore<T extends object>(store: Store<T>): T {
  const value = store.get();
  const [, setSeen] = useState(value);
  useLayoutEffect(() => {
    const update = (): void => setSeen(store.get());
    const stop = store.subscribe(update);
    update();
    return stop;
  }, [store]);
  return value;
}
