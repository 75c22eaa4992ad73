// A queue: one side pushes values, and the other side reads them in order as they arrive.
export type Queue<T> = AsyncIterable<T> & { readonly push: (value: T) => void; readonly close: () => void };

export function createQueue<T>(): Queue<T> {
  const values: T[] = [];
  let closed = false;
  let wake = Promise.withResolvers<void>();
  const notify = (): void => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  return {
    push(value) {
      values.push(value);
      notify();
    },
    close() {
      closed = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const waiting = wake.promise;
        while (values.length > 0) yield values.shift() as T;
        if (closed) return;
        await waiting;
      }
    },
  };
}
