// Turns a callback into an iterator. A sender waits until its value was processed.
export type Channel<T> = {
  /** Sends a value. Resolves when the receiver requests the next one or has stopped. */
  readonly send: (value: T) => Promise<void>;
  /** Ends the iteration after the values that were sent before. */
  readonly close: () => void;
  /** Iterates over the values that were sent. Only one receiver may use it. */
  readonly received: AsyncIterable<T>;
};

type PendingItem<T> = { readonly value: T; readonly done: () => void };

export function createChannel<T>(): Channel<T> {
  const waiting: PendingItem<T>[] = [];
  let current: PendingItem<T> | null = null;
  let closed = false;
  let wake = (): void => undefined;
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    current?.done();
    for (;;) {
      current = waiting.shift() ?? null;
      if (current) return { done: false, value: current.value };
      if (closed) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  /** Called when the receiver stops. No sender must wait for it afterwards. */
  const cancel = async (): Promise<IteratorResult<T, undefined>> => {
    closed = true;
    for (const sent of [current, ...waiting.splice(0)]) sent?.done();
    return { done: true, value: undefined };
  };
  return {
    send: (value) => {
      if (closed) return Promise.resolve();
      return new Promise((done) => {
        waiting.push({ value, done });
        wake();
      });
    },
    close: () => {
      closed = true;
      wake();
    },
    received: { [Symbol.asyncIterator]: () => ({ next, return: cancel }) },
  };
}
