import { expect, test } from "vitest";
import { readEvents } from "../../src/client/server-sent-events.ts";

/** Sends one event and then stays open, whatever happens to the request. */
const openResponse = (): Response => {
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(new TextEncoder().encode('event: ping\ndata: {"n":1}\n\n')),
  });
  return new Response(body);
};

test("events end when the signal aborts, even if the stream does not", async () => {
  const stop = new AbortController();
  const types: string[] = [];
  for await (const { type } of readEvents(openResponse(), stop.signal)) {
    types.push(type);
    setTimeout(() => stop.abort());
  }
  expect(types).toEqual(["ping"]);
});

test("no event is read after a signal that has aborted already", async () => {
  const types: string[] = [];
  for await (const { type } of readEvents(openResponse(), AbortSignal.abort())) types.push(type);
  expect(types).toEqual([]);
});
